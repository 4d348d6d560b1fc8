internal import Foundation
internal import StrataArchives
internal import StrataBase
internal import StrataMapping
internal import StrataObjectModel
internal import StrataSamples

extension Session {
  /// All candidates for a REF: loaded names, samples, entities and properties after a model's name, files and
  /// the versions in a bundle.
  ///
  /// - Parameter withMappings: Whether mapping models are included.
  func referenceCandidates(
    startingWith word: String, withMappings: Bool
  ) -> [Completion.Candidate] {
    // In `A+B`, the last model is being typed.
    if let plus = word.lastIndex(of: "+") {
      let before = word[...plus]
      return referenceCandidates(
        startingWith: String(word[word.index(after: plus)...]), withMappings: false
      ).map { .init(before + $0.text, $0.ending) }
    }
    var candidates = elementCandidates(of: word)
    candidates += namesByLength().filter { withMappings || !$0.target.isMapping }
      .map { .init($0.name) }
    if withMappings {
      for item in loaded {
        guard case .bundle(let bundle) = item.kind else { continue }
        candidates += mappingFiles(beside: bundle).map { .init($0.name) }
      }
    }
    return candidates + pathCandidates(startingWith: word, withMappings: withMappings)
  }

  /// Candidates for `load`: samples, versions in a bundle, files.
  func pathCandidates(
    startingWith word: String, withMappings: Bool = false
  ) -> [Completion.Candidate] {
    var candidates: [Completion.Candidate] = []
    for sample in Sample.all {
      let name = Self.samplePrefix + sample.name
      candidates.append(.init(name))
      candidates += sample.bundle.versions.map { .init("\(name)/\($0.name)") }
      guard withMappings else { continue }
      candidates += sample.mappings.map { .init("\(name)/\($0.name)") }
    }
    candidates += SampleStore.all.map { .init(Self.samplePrefix + $0.name) }
    return candidates + versionCandidates(of: word) + fileCandidates(startingWith: word)
  }

  /// `Model1.` and `Model1.Topic.`: the entities of a model, the properties of an entity.
  private func elementCandidates(of word: String) -> [Completion.Candidate] {
    var end = word.endIndex
    while let dot = word[..<end].lastIndex(of: ".") {
      end = dot
      let before = String(word[..<dot])
      guard !before.isEmpty, let reference = try? resolve(before) else { continue }
      switch reference {
      case .model(let model):
        return model.model.entityNames.map { .init("\(before).\($0)", .mayContinue) }
      case .entity(let entity, let model):
        let names =
          model.model.allAttributes(of: entity).map(\.property.name)
          + model.model.allRelationships(of: entity).map(\.property.name)
        return names.map { .init("\(before).\($0)") }
      case .store(_, let path):
        guard let model = try? cachedModel(ofStore: path) else { return [] }
        return model.entityNames.map { .init("\(before).\($0)", .mayContinue) }
      case .mapping(let mapping, nil):
        return mapping.document.mapping.entityMappings.map { .init("\(before).\($0.name)") }
      case .property, .mapping: return []
      }
    }
    return []
  }

  /// `Topics.xcdatamodeld/`: the versions of a bundle.
  private func versionCandidates(of word: String) -> [Completion.Candidate] {
    guard let parts = BundleForm.parts(ofPath: word),
      case .bundle(let bundle)? = try? recognise(parts.bundle)
    else { return [] }
    return bundle.versions.map { .init("\(parts.bundle)/\($0.name)") }
  }

  /// The files and folders that can continue a path; hidden ones only after a dot.
  func fileCandidates(startingWith word: String) -> [Completion.Candidate] {
    let slash = word.lastIndex(of: "/")
    let folder = slash.map { String(word[...$0]) } ?? ""
    let name = slash.map { String(word[word.index(after: $0)...]) } ?? word
    guard BundleForm.parts(ofPath: word) == nil,
      let path = try? path(folder.isEmpty ? "." : folder),
      let names = try? OpenedPath.names(in: path)
    else { return [] }
    return names.filter { name.hasPrefix(".") || !$0.hasPrefix(".") }.map { entry in
      var isFolder: ObjCBool = false
      _ = FileManager.default.fileExists(atPath: "\(path)/\(entry)", isDirectory: &isFolder)
      // A bundle is a folder with the name of a file and is usually meant as a whole.
      let isOpenFolder = isFolder.boolValue && !Self.isModelFolder(entry)
      return .init(folder + entry + (isOpenFolder ? "/" : ""), isOpenFolder ? .continues : .whole)
    }
  }

  private static func isModelFolder(_ name: String) -> Bool {
    BundleForm.allCases.contains {
      name.hasSuffix($0.bundleExtension) || name.hasSuffix($0.versionExtension)
    }
  }
}
