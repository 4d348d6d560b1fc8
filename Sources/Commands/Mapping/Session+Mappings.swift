internal import Foundation
internal import StrataArchives
internal import StrataDiagnostics
internal import StrataMapping
internal import StrataObjectModel
internal import StrataSamples
internal import StrataStore

extension Session {
  /// The end of a mapping model's name in the text form.
  static let mappingTextExtension = ".mapping"
  static let xcodeMappingExtension = ".xcmappingmodel"

  /// Resolves a MAPPING: a loaded name, one of a loaded sample, a path, or one that lies beside a loaded
  /// bundle.
  func mapping(_ text: String) throws -> NamedMapping {
    let problem: Diagnostic
    do throws(Diagnostic) {
      guard case .mapping(let mapping, let entity) = try resolve(text), entity == nil else {
        throw Diagnostic(
          id: "reference.notAMapping", what: "\(text) is no mapping model",
          mend: "name an .xcmappingmodel, a .cdm, a .mapping, or the name one was loaded under")
      }
      return mapping
    } catch {
      problem = error
    }
    for item in loaded {
      guard case .bundle(let bundle) = item.kind else { continue }
      let name =
        text.hasPrefix(item.name + "/") ? String(text.dropFirst(item.name.count + 1)) : text
      if let file = mappingFiles(beside: bundle).first(where: { $0.name == name }) {
        return try mapping(of: file)
      }
    }
    throw problem
  }

  /// Reads a mapping model.
  func mapping(of file: MappingFile) throws(Diagnostic) -> NamedMapping {
    do {
      switch file.source {
      case .embedded(let text):
        return try mapping(of: MappingScript(parsing: text), named: file.name)
      case .file(let original):
        let path = try path(original)
        let bytes = try FileBytes.read(path)
        guard !Self.isMappingText(path, head: bytes) else {
          return try mapping(
            of: MappingScript(reading: bytes), named: file.name,
            folder: URL(fileURLWithPath: original).deletingLastPathComponent().path)
        }
        let document = try MappingDocument(reading: bytes)
        return NamedMapping(
          name: file.name, document: document,
          source: document.sourceModel.map { Self.inner($0, path: document.sourcePath) },
          destination: document.destinationModel.map {
            Self.inner($0, path: document.destinationPath)
          })
      }
    } catch let error as any DiagnosticError {
      throw file.path.map { error.diagnostic.located(in: shown($0)) } ?? error.diagnostic
    } catch {
      throw Diagnostic(id: "mapping.unreadable", what: "\(error)")
    }
  }

  /// A model that an `.xcmappingmodel` holds, under the name of the version that it was made of.
  private static func inner(_ model: ObjectModel, path: String?) -> NamedModel {
    NamedModel(name: path.map(baseName) ?? "its own model", model: model)
  }

  /// A model that the text form names: as the session knows it, else as it lies from the file's folder.
  private func model(_ reference: String, beside folder: String?) throws -> NamedModel {
    do {
      return try model(reference)
    } catch {
      guard let folder, !reference.hasPrefix("/"),
        let found = try? model("\(folder)/\(reference)")
      else { throw error }
      return NamedModel(name: reference, model: found.model)
    }
  }

  /// The text form; the models that it names must be known.
  private func mapping(
    of script: MappingScript, named name: String, folder: String? = nil
  ) throws -> NamedMapping {
    guard let models = script.models else {
      return NamedMapping(
        name: name, document: MappingDocument(script.mapping), omitted: script.omittedProperties,
        script: script)
    }
    let (source, destination) = (
      try model(models.source, beside: folder), try model(models.destination, beside: folder)
    )
    return NamedMapping(
      name: name,
      document: MappingDocument(
        try script.mapping(
          from: MatchableModel(source.model), to: MatchableModel(destination.model)),
        sourcePath: models.source, destinationPath: models.destination,
        sourceModel: source.model, destinationModel: destination.model),
      source: source, destination: destination,
      references: (models.source, models.destination), omitted: script.omittedProperties)
  }

  /// What the session calls the models that a mapping model is for: those loaded that have its hashes.
  func names(ofModelsOf named: NamedMapping) -> (source: String, destination: String)? {
    let models = loadedModels().map { (name: $0.name, model: MatchableModel($0.model)) }
    for source in models where named.mapping.sourceFit(of: source.model).isFitting {
      for destination in models
      where named.mapping.fit(from: source.model, to: destination.model).isFitting {
        return (source.name, destination.name)
      }
    }
    return nil
  }

  /// Whether a file, of which these are the first bytes, is a mapping model.
  func isMapping(_ path: String, head: [UInt8]) -> Bool {
    if Self.isMappingText(path, head: head) { return true }
    guard head.starts(with: Array("bplist".utf8)) || XMLStore.isStore(head),
      let bytes = try? FileBytes.read(path)
    else { return false }
    // The class of a compiled one; the root of Xcode's document.
    let marks = ["NSMappingModel", "XDDEVMAPPINGMODEL"]
    return marks.contains { bytes.firstRange(of: Array($0.utf8)) != nil }
  }

  /// Whether a file is a mapping model as text: by its name, or by how it begins.
  private static func isMappingText(_ path: String, head: [UInt8]) -> Bool {
    if head.starts(with: Array("bplist".utf8)) || head.first == UInt8(ascii: "<") { return false }
    return path.hasSuffix(mappingTextExtension)
      || MappingScript.mayBegin(with: Array(head.prefix(512)))
  }

  /// The mapping models of samples that are loaded, by every name that reaches them.
  func mappingsOfLoadedSamples() -> [String: MappingFile] {
    var files: [String: MappingFile] = [:]
    var ambiguous: Set<String> = []
    for item in loaded {
      guard case .bundle(let bundle) = item.kind, bundle.folder == nil,
        let sample = Sample.all.first(where: { $0.bundle == bundle })
      else { continue }
      for mapping in sample.mappings {
        let file = MappingFile(name: mapping.name, source: .embedded(mapping.text))
        files["\(item.name)/\(mapping.name)"] = file
        if files.updateValue(file, forKey: mapping.name) != nil { ambiguous.insert(mapping.name) }
      }
    }
    return files.filter { !ambiguous.contains($0.key) }
  }

  /// The mapping models in the folder in which a bundle stands.
  func mappingFiles(beside bundle: ModelBundle) -> [MappingFile] {
    guard let folder = bundle.folder else { return [] }
    return mappingFiles(in: URL(fileURLWithPath: folder).deletingLastPathComponent().path)
  }

  /// The mapping models in a folder, by their names.
  func mappingFiles(in folder: String) -> [MappingFile] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.sorted().compactMap { name in
      let path = "\(folder)/\(name)"
      if name.hasSuffix(Self.xcodeMappingExtension) {
        return MappingFile(
          name: Self.baseName(name), source: .file("\(path)/\(MappingDocument.fileName)"))
      }
      let ends = [".cdm", Self.mappingTextExtension]
      return ends.contains { name.hasSuffix($0) }
        ? MappingFile(name: Self.baseName(name), source: .file(path)) : nil
    }
  }

  /// The bundles that are loaded, and those that references name.
  func bundles(for references: [String]) -> [ModelBundle] {
    var bundles: [ModelBundle] = loaded.compactMap {
      if case .bundle(let bundle) = $0.kind { bundle } else { nil }
    }
    for reference in references {
      if let bundle = try? bundle(reference) { bundles.append(bundle) }
      if let parts = BundleForm.parts(ofPath: reference), let bundle = try? bundle(parts.bundle) {
        bundles.append(bundle)
      }
    }
    return bundles
  }

  /// Every mapping model that a migration may use: those loaded, those beside loaded bundles and beside
  /// the bundles that the two references name, those in a folder, and those of samples. What cannot be
  /// read is told, and left out.
  func knownMappings(
    for references: [String], folder: String? = nil
  ) throws -> (mappings: [NamedMapping], problems: [Diagnostic]) {
    var files: [MappingFile] = loaded.compactMap {
      if case .mapping(let file) = $0.kind { file } else { nil }
    }
    for bundle in bundles(for: references) {
      files += mappingFiles(beside: bundle)
      guard bundle.folder == nil, let sample = Sample.all.first(where: { $0.bundle == bundle })
      else { continue }
      files += sample.mappings.map { MappingFile(name: $0.name, source: .embedded($0.text)) }
    }
    if let folder { files += mappingFiles(in: try path(folder)) }
    var known: [NamedMapping] = []
    var problems: [Diagnostic] = []
    var seen: Set<MappingFile.Source> = []
    for file in files where seen.insert(file.source).inserted {
      do throws(Diagnostic) {
        known.append(try mapping(of: file))
      } catch {
        problems.append(error.asWarning)
      }
    }
    return (known, problems)
  }
}
