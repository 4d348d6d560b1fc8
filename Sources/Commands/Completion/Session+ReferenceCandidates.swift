internal import StrataArchives
internal import StrataBase
internal import StrataEssentials
internal import StrataMapping
internal import StrataObjectModel
internal import StrataSamples
internal import StrataStore

extension Session {
  /// All candidates for a REF: loaded names, samples, entities and properties after a model's name, files and
  /// the versions in a bundle.
  ///
  /// - Parameter forms: What may be named.
  func referenceCandidates(
    startingWith word: String, to forms: Set<LoadedItem.Form>
  ) -> [Completion.Candidate] {
    // In `A+B`, the last model is being typed.
    if forms.contains(.model), let plus = word.lastIndex(of: "+") {
      let rest = String(word[word.index(after: plus)...])
      return referenceCandidates(startingWith: rest, to: [.model]).map {
        $0.after(String(word[...plus]))
      }
    }
    var candidates = forms == [.store] ? sideCandidates : elementCandidates(of: word)
    candidates += namesByLength().filter { forms.contains($0.target.form) }
      .map { .init($0.name, after: Self.place(of: $0.name, in: word)) }
    if forms.contains(.mapping) {
      for item in loaded {
        guard case .bundle(let bundle) = item.kind else { continue }
        candidates += mappingFiles(beside: bundle).map { .init($0.name) }
      }
    }
    if forms.contains(.model) { candidates += versionCandidates(of: word) }
    return candidates + sampleCandidates(of: word, forms)
      + fileCandidates(startingWith: word).filter { file in
        file.ending == .continues
          || (try? recognise(file.text)).map { forms.contains($0.form) } ?? false
      }
  }

  /// Candidates for `load`: samples, versions in a bundle, files.
  func pathCandidates(startingWith word: String) -> [Completion.Candidate] {
    sampleCandidates(of: word, [.model, .store]) + versionCandidates(of: word)
      + fileCandidates(startingWith: word)
  }

  /// In the stepper, its two stores.
  private var sideCandidates: [Completion.Candidate] {
    isStepping ? TraceStatement.Side.allCases.map { .init($0.rawValue) } : []
  }

  private func sampleCandidates(
    of word: String, _ forms: Set<LoadedItem.Form>
  ) -> [Completion.Candidate] {
    var names: [String] = []
    for sample in Sample.all {
      let name = Self.samplePrefix + sample.name
      if forms.contains(.model) {
        names += [name] + sample.bundle.versions.map { "\(name)/\($0.name)" }
      }
      if forms.contains(.mapping) { names += sample.mappings.map { "\(name)/\($0.name)" } }
    }
    if forms.contains(.store) { names += SampleStore.all.map { Self.samplePrefix + $0.name } }
    return names.map { .init($0, after: Self.place(of: $0, in: word)) }
  }

  /// The bundle of a name, if it is typed already.
  private static func place(of name: String, in word: String) -> String {
    let place = name.prefix(through: name.lastIndex(of: "/") ?? name.startIndex)
    return place.hasSuffix("/") && word.hasPrefix(place) ? String(place) : ""
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
        return model.model.entityNames.map {
          .init("\(before).\($0)", .mayContinue, after: "\(before).")
        }
      case .entity(let entity, let model):
        return model.model.propertyNames(of: entity).map {
          .init("\(before).\($0)", after: "\(before).")
        }
      case .store(_, let path):
        guard let model = try? cachedModel(ofStore: path) else { return [] }
        return model.entityNames.map { .init("\(before).\($0)", .mayContinue, after: "\(before).") }
      case .mapping(let mapping, nil):
        return mapping.document.mapping.entityMappings.map {
          .init("\(before).\($0.name)", after: "\(before).")
        }
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
    let place = "\(parts.bundle)/"
    return bundle.versions.map { .init(place + $0.name, after: place) }
  }

  /// The files and folders that can continue a path; hidden ones only after a dot, and no journals of the stores.
  func fileCandidates(startingWith word: String) -> [Completion.Candidate] {
    let slash = word.lastIndex(of: "/")
    let folder = slash.map { String(word[...$0]) } ?? ""
    let name = slash.map { String(word[word.index(after: $0)...]) } ?? word
    guard BundleForm.parts(ofPath: word) == nil,
      let path = try? path(folder.isEmpty ? "." : folder),
      let names = try? OpenedPath.names(in: path)
    else { return [] }
    let journals = Set(names.flatMap { store in StoreFile.journalEnds.map { store + $0 } })
    return names.filter { entry in
      (name.hasPrefix(".") || !entry.hasPrefix(".")) && !journals.contains(entry)
    }.map { entry in
      // A bundle is a folder with the name of a file and is usually meant as a whole.
      let isOpenFolder =
        (try? OpenedPath.kind("\(path)/\(entry)")) == .folder && !Self.isModelFolder(entry)
      return .init(
        folder + entry + (isOpenFolder ? "/" : ""), isOpenFolder ? .continues : .whole,
        after: folder)
    }
  }

  private static func isModelFolder(_ name: String) -> Bool {
    name.hasSuffix(xcodeMappingExtension)
      || BundleForm.allCases.contains {
        name.hasSuffix($0.bundleExtension) || name.hasSuffix($0.versionExtension)
      }
  }
}
