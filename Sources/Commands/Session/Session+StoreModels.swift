internal import StrataBase
internal import StrataMigration
internal import StrataObjectModel
internal import StrataSQLite
internal import StrataStore

/// The model of a store, as identified by the session.
struct StoreModel {
  /// The name of a cached model that matches no known model.
  static let ownName = "the store's own model"

  /// `nil` if no known model matches and the store has no cached model.
  var model: NamedModel?
  /// All versions that may have written the store, the one of `model` first; empty if no known model matches.
  var writers: [WritingVersion] = []
  /// The number of leading writers that cannot be distinguished.
  var equalCount = 1
  /// Whether the model is the cached model of the store, because no known model matches.
  var isCached = false
  /// The agreement between the hashes computed from the cached model and those recorded in the store.
  var agreement: HashAgreement?
  var warnings: [Diagnostic] = []
}

extension StoreModel {
  /// The configuration of the store; `nil` for the whole model.
  var configuration: String? { writers.first?.configuration }

  /// The entities whose hash computed from the cached model differs from the recorded hash.
  var unknownHashes: [String] { agreement?.different ?? [] }

  /// `Model2`, or `Copy or Model2` if they cannot be distinguished.
  var writerText: String? {
    writers.isEmpty ? nil : writers.prefix(equalCount).map(\.text).joined(separator: " or ")
  }

  /// A warning that the first of several equally likely writers is used; `nil` if there is only one.
  ///
  /// - Parameter typed: The name of the store on a command line.
  func guessDiagnostic(of store: String, typed: String) -> Diagnostic? {
    guard equalCount > 1, let first = writers.first, let text = writerText else { return nil }
    return Diagnostic(
      id: "store.severalWriters", severity: .warning,
      what: "the store may have been written by \(text): \(first.name) is used",
      location: Location(element: store),
      fix: "name the version that wrote it: `migrate \(typed) --to <model> --from <version>`")
  }

  /// A diagnostic if the computed hashes differ from those recorded in the store; otherwise `nil`.
  ///
  /// - Parameter severity: An error if the work depends on the cached model: then the model must have exactly
  ///   the entities of the store.
  func hashDiagnostic(
    _ severity: Diagnostic.Severity = .warning, of store: String
  ) -> Diagnostic? {
    guard let agreement, !(severity == .error ? agreement.isWhole : agreement.isPart) else {
      return nil
    }
    let finding = Finding(agreement.rule, path: store)
    return Diagnostic(
      id: finding.id, severity: severity, what: finding.message,
      location: Location(element: store), fix: finding.fixes.first?.text)
  }
}

extension WritingVersion {
  /// `Model2`, `configuration Local of Model2`, `A/Model2 and B/Model1 merged`.
  var text: String {
    let names = Phrase.list(versions.map(\.name))
    if let configuration { return "configuration \(configuration) of \(names)" }
    return versions.count > 1 ? "\(names) merged" : names
  }

  /// The names of the parts that a command can name on their own.
  var named: NamedModel? { model.map { NamedModel(name: name, model: $0) } }
}

extension Session {
  /// All loaded model versions, under their shortest usable names.
  func loadedVersions() -> [(name: String, version: ModelVersion)] {
    loaded.flatMap { item -> [(name: String, version: ModelVersion)] in
      switch item.kind {
      case .bundle(let bundle):
        bundle.versions.map { version in
          (shortName(of: version, in: bundle) ?? "\(item.name)/\(version.name)", version)
        }
      case .model(let version): [(item.name, version)]
      case .store, .mapping: []
      }
    }
  }

  /// All loaded models that can be read.
  func loadedModels() -> [NamedModel] { loadedCandidates().map(\.model) }

  // MARK: Candidates

  /// The candidates for the writer of a store: all loaded models that can be read.
  func loadedCandidates() -> [WriterCandidate] {
    readAll(loadedVersions().map(\.version))
    return loaded.flatMap { item -> [WriterCandidate] in
      switch item.kind {
      case .bundle(let bundle): return candidates(of: bundle, shownAs: item.name)
      case .model(let version):
        return (try? model(of: version)).map {
          [WriterCandidate(NamedModel(name: item.name, model: $0))]
        } ?? []
      case .store, .mapping: return []
      }
    }
  }

  /// The readable versions of a bundle, under their shortest usable names.
  ///
  /// - Parameter name: The name of a bundle that is not loaded; by default its own name.
  func candidates(of bundle: ModelBundle, shownAs name: String? = nil) -> [WriterCandidate] {
    readAll(bundle.versions)
    return bundle.versions.compactMap { version in
      (try? model(of: version)).map {
        WriterCandidate(
          NamedModel(
            name: shortName(of: version, in: bundle) ?? "\(name ?? bundle.name)/\(version.name)",
            model: $0),
          bundle: bundle.name)
      }
    }
  }

  /// The versions of the bundles that a reference names, even if they are not loaded.
  func siblings(of text: String) -> [WriterCandidate] {
    text.split(separator: "+").map(String.init).flatMap { part -> [WriterCandidate] in
      let part = Self.bundleName(ofCurrent: part) ?? part
      let parts = BundleForm.parts(ofPath: part)
      let isBundle = BundleForm.allCases.contains { part.hasSuffix($0.bundleExtension) }
      guard isBundle || parts != nil || part.hasPrefix(Self.samplePrefix),
        let bundle = try? bundle(parts?.bundle ?? part)
      else { return [] }
      return candidates(of: bundle)
    }
  }

  /// The candidates named by the user: a bundle stands for all its versions, and `A+B` for those of both.
  func candidates(named text: String) throws -> [WriterCandidate] {
    if let bundle = try wholeBundle(Self.withoutSlash(text)) {
      let known = candidates(of: bundle)
      // Throws the reason if there are no candidates.
      if known.isEmpty, let version = bundle.versions.first { _ = try model(of: version) }
      return known
    }
    let parts = text.split(separator: "+").map(String.init)
    guard parts.count > 1, !isReference(text) else {
      let model = try model(text)
      return [WriterCandidate(model)]
    }
    return try parts.flatMap { try candidates(named: $0) }
  }

  private static func withoutSlash(_ text: String) -> String {
    text.count > 1 && text.hasSuffix("/") ? String(text.dropLast()) : text
  }

  /// Whether a text that contains `+` is the name of a single item.
  private func isReference(_ text: String) -> Bool {
    guard case .model(let model)? = try? resolve(text) else { return false }
    return !model.name.contains("+")
  }

  /// The edited copies of models, unless a loaded version has the same hashes.
  func trialCandidates(besides known: [WriterCandidate]) -> [WriterCandidate] {
    guard !trials.isEmpty else { return [] }
    let hashes = Set(known.map { $0.model.model.versionHashes() })
    return trials.sorted { $0.key < $1.key }.compactMap { name, trial in
      guard let model = try? ObjectModel(trial.document), !hashes.contains(model.versionHashes())
      else {
        return nil
      }
      return WriterCandidate(NamedModel(name: Self.trialPrefix + name, model: model))
    }
  }

  // MARK: Writers

  /// The possible writers of a store, most likely first: among versions with equal hashes, those whose
  /// identifiers the store records, then those most similar to its cached model.
  ///
  /// - Parameter own: The cached model of the store.
  private func sorted(
    _ writers: [WritingVersion], by metadata: StoreMetadata, own: ObjectModel?
  ) -> (writers: [WritingVersion], equalCount: Int) {
    let identifiers = Set(metadata.versionIdentifiers)
    func rank(_ writer: WritingVersion, _ index: Int) -> (Int, Int, Int) {
      guard let model = writer.model else { return (2, 0, index) }
      let changes = own.map { own in
        own.difference(from: model).withoutEditorKeys.entities.reduce(0) { $0 + $1.changes.count }
      }
      return (model.document.versionIdentifiers == identifiers ? 0 : 1, changes ?? 0, index)
    }
    let ranked = writers.enumerated().map { (rank($1, $0), $1) }.sorted { $0.0 < $1.0 }
    let equal = ranked.prefix { ($0.0.0, $0.0.1) == (ranked[0].0.0, ranked[0].0.1) }
    return (ranked.map(\.1), equal.count)
  }

  /// The model that wrote a store, identified by its hashes: a loaded version, a configuration of one,
  /// several merged versions, or one of `candidates`; otherwise the cached model of the store.
  ///
  /// - Parameter isExclusive: Whether only the candidates are considered, without the loaded models and the
  ///   cached model.
  func modelOf(
    _ store: borrowing SQLiteStore, path: String, candidates: [WriterCandidate] = [],
    isExclusive: Bool = false
  ) throws -> StoreModel {
    let hashes = store.metadata.versionHashes
    var known = (isExclusive ? [] : loadedCandidates()) + candidates
    if !isExclusive { known += trialCandidates(besides: known) }
    var writers = WriterSearch(known).writers(of: hashes)
    if writers.count == 1, let model = writers[0].named {
      return StoreModel(model: model, writers: writers)
    }
    let own: ObjectModel?
    do {
      own = try store.cachedModel(sharing: sharedModels)
    } catch {
      let problem = error.diagnostic.located(in: shown(path)).asWarning
      return StoreModel(
        model: writers.first?.named, writers: writers, warnings: writers.isEmpty ? [problem] : [])
    }
    let equalCount: Int
    (writers, equalCount) = sorted(writers, by: store.metadata, own: own)
    if let model = writers.first?.named {
      return StoreModel(model: model, writers: writers, equalCount: equalCount)
    }
    guard !isExclusive || !writers.isEmpty, let own else { return StoreModel(writers: writers) }
    return StoreModel(
      model: NamedModel(name: writers.first?.name ?? StoreModel.ownName, model: own),
      writers: writers, isCached: writers.isEmpty,
      agreement: HashAgreement(of: own, with: store.metadata))
  }

  /// The model named by the user for a store; for a bundle, the version that wrote the store.
  ///
  /// - Throws: ``Diagnostic`` if none of these versions wrote it, with the entities in which the nearest
  ///   versions differ.
  func modelOf(
    _ store: borrowing SQLiteStore, _ name: String, path: String, named text: String
  ) throws -> StoreModel {
    let candidates = try candidates(named: text)
    let found = try modelOf(store, path: path, candidates: candidates, isExclusive: true)
    guard found.writers.isEmpty else { return found }
    let nearest = nearest(to: store, among: candidates)
    let entities = nearest.versions.first?.entities ?? []
    let isOne = candidates.count == 1
    let writer = WriterSearch(siblings(of: text) + loadedCandidates())
      .writers(of: store.metadata.versionHashes).first?.named
    throw Diagnostic(
      id: "store.otherModel",
      what:
        "\(isOne ? candidates[0].model.name : "no version of \(text)") \(isOne ? "did not write" : "wrote") the store: "
        + NearestVersions.text(of: entities),
      location: Location(element: name),
      fix: writer.map { "name \($0.name), which wrote it" }
        ?? "`identify \(typable(store: name, path))` finds the model that wrote it",
      notes: nearest.notes)
  }

  /// The versions that differ least from a store.
  func nearest(
    to store: borrowing SQLiteStore, among candidates: [WriterCandidate]
  ) -> NearestVersions {
    let own = (try? store.cachedModel(sharing: sharedModels)).flatMap { own in
      own.versionHashes() == store.metadata.versionHashes ? own : nil
    }
    return NearestVersions(
      to: store.metadata.versionHashes, among: candidates.map(\.model), own: own)
  }
}
