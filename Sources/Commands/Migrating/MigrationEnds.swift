internal import StrataBase
internal import StrataMapping
internal import StrataMigration
internal import StrataObjectModel
internal import StrataStore

/// The two models of a migration: the current model of the store, and the target.
struct MigrationEnds {
  var source: NamedModel
  var target: NamedModel
  /// The warnings and notes about how they were found.
  var notes: [Diagnostic] = []
  /// Whether the store differs from the target although all hashes are equal: in its version identifiers, or in
  /// parts of the model that are not hashed.
  var isOtherVersion = false
  /// Whether the source is an XML or binary store.
  var isDocument = false

  /// The plan for the store.
  func completed(_ plan: MigrationPlan) -> MigrationPlan {
    var hops = withVersion(plan).hops
    if isDocument, let first = hops.first { hops[0] = first.ofDocument }
    return MigrationPlan(hops: hops)
  }

  /// The plan; if all hashes are equal but the store is of another version, with one hop that writes the
  /// target's version identifiers, cached model and indexes.
  private func withVersion(_ plan: MigrationPlan) -> MigrationPlan {
    guard plan.hops.isEmpty, isOtherVersion,
      case let inference = Inference(from: source.model, to: target.model),
      let mapping = inference.compatibleMapping
    else { return plan }
    return MigrationPlan(hops: [
      MigrationPlan.Hop(
        from: source, to: target, parts: [NamedMappingModel(name: "inferred", mapping: mapping)],
        isInferred: true, risks: inference.risks,
        reason:
          "all hashes are equal: the version identifiers, the cached model and the indexes of \(target.name) are written"
      )
    ])
  }
}

extension Session {
  /// The source and target models of a migration.
  ///
  /// - Parameters:
  ///     - text: A store, or its model.
  ///     - target: The target model as typed; its bundle is searched for the version that wrote the store.
  ///     - named: The model that wrote the store, if the user names it.
  /// - Throws: ``Diagnostic`` if the model of the store is unknown, or if Strata computes other hashes from the
  ///     cached model than the store records; it names the entities.
  func ends(
    from text: String, to target: String, named: String? = nil
  ) throws -> MigrationEnds {
    let end = try model(target)
    guard case .store(let name, let path) = try resolve(text) else {
      guard named == nil else {
        throw Diagnostic(
          id: "command.usage", what: "--from names the model of a store, but \(text) is a model",
          fix: "omit --from")
      }
      return MigrationEnds(source: try model(text), target: end)
    }
    let store = try open(path)
    let known = siblings(of: target) + [WriterCandidate(end)]
    let found =
      try named.map { try modelOf(store, name, path: path, named: $0) }
      ?? modelOf(store, path: path, candidates: known)
    try store.checkUnchanged()
    if let unknown = found.hashDiagnostic(.error, of: name) { throw unknown }
    guard let source = found.model else {
      throw Diagnostic(
        id: "migration.missingSourceModel",
        what: "Can't find model for source store", code: .migrationMissingSourceModel,
        location: Location(element: name),
        fix: (loadingAdvice.map {
          "load the bundle with the version that wrote it: \($0); or name the version: "
        }
          ?? "name the version that wrote it: ")
          + "`migrate \(typable(store: name, path)) --to \(CommandLineLexer.quoted(target)) --from <model>`",
        notes: nearest(to: store, among: known + loadedCandidates()).notes)
    }
    var ends = MigrationEnds(source: source, target: end)
    ends.notes += [found.guessDiagnostic(of: name, typed: typable(store: name, path))].compactMap {
      $0
    }
    if let configuration = found.configuration {
      try ends.narrow(to: configuration, of: name)
    } else if found.isCached {
      ends.noteConfiguration(of: name)
    }
    ends.isDocument = isAtomicStore(path)
    ends.isOtherVersion = Self.isOtherVersion(store.metadata, source, ends.target)
    return ends
  }

  /// Whether a store with the hashes of a model is of another version of it.
  private static func isOtherVersion(
    _ metadata: StoreMetadata, _ source: NamedModel, _ target: NamedModel
  ) -> Bool {
    guard metadata.versionHashes == target.model.versionHashes() else { return false }
    func identifiers(_ all: some Sequence<String>) -> Set<String> {
      Set(all.filter { !$0.isEmpty })
    }
    return identifiers(metadata.versionIdentifiers)
      != identifiers(target.model.document.versionIdentifiers)
      || !target.model.difference(from: source.model).withoutEditorKeys.entities.isEmpty
  }
}

extension MigrationEnds {
  /// Notes that all entities of a store whose writer is not known are in one configuration of the target.
  fileprivate mutating func noteConfiguration(of store: String) {
    let entities = Set(source.model.entityNames)
    let all = Set(target.model.entityNames)
    let continuing = Set(
      target.model.entities.filter { entities.contains($0.renamingIdentifier ?? $0.name) }
        .map(\.name))
    guard entities != all, !continuing.isEmpty else { return }
    let possible = target.model.configurationNames.compactMap { name in
      (try? target.model.entityNames(inConfiguration: name)).map { (name, entities: Set($0)) }
    }.filter { continuing.isSubset(of: $0.entities) && $0.entities != all }
    guard let (configuration, _) = possible.min(by: { $0.entities.count < $1.entities.count })
    else { return }
    notes.append(
      Diagnostic(
        id: "migration.configuration", severity: .warning,
        what:
          "the entities of \(store) are in configuration \(configuration) of \(target.name), and its cached model does not tell whether it is a store of it: the whole model is the target",
        fix: "if it is one, name the model that wrote it: --from <model>"))
  }

  /// Narrows the target to the configuration of the store, as an app opens it.
  ///
  /// - Throws: ``ModelError`` if a relationship of the target leads out of the configuration: no app opens a store by it.
  fileprivate mutating func narrow(to configuration: String, of store: String) throws(ModelError) {
    let subject = "\(store) holds configuration \(configuration) of \(source.name)"
    guard target.model.configurationNames.contains(configuration) else {
      notes.append(
        Diagnostic(
          id: "migration.configuration", severity: .warning,
          what:
            "\(subject); \(target.name) has no such configuration: its whole model is the target",
          fix: "add the configuration to \(target.name) if the app opens the store by it"))
      return
    }
    target.model = try target.model.narrowed(toConfiguration: configuration)
    notes.append(
      Diagnostic(
        id: "migration.configuration", severity: .note,
        what: "\(subject), and is migrated to this configuration of \(target.name)"))
  }
}
