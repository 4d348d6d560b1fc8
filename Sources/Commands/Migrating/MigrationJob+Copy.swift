internal import StrataDiagnostics
internal import StrataMigration
internal import StrataObjectModel
internal import StrataRendering
internal import StrataSQLite
internal import StrataStore

extension MigrationJob {
  /// Copies a store that is at the model already to where the migrated one was to be.
  func copy(
    _ planned: PlannedMigration, to newStore: String, in session: Session
  ) throws -> Outcome {
    let (name, path) = (planned.name, planned.path)
    let missing = try session.missingExternalData(of: path, planned.source, name)
    let target = try target(newStore, from: path, in: session)
    do {
      try Interruption.inOrder {
        try StoreFile.create(at: target, replacing: force) { staged in
          try session.open(path).copyWhole(to: staged)
        }
      }
    } catch let error as StoreError {
      throw error.diagnostic.located(in: session.shown(target))
    }
    return Outcome(
      .line(
        StyledText("nothing to migrate", .good)
          + StyledText("; \(newStore) is a copy: \(name) is at \(planned.target.name) already")),
      payload: MigrationPayload(outcome: .copied, dryRun: false, hops: [], store: newStore),
      warnings: planned.problems + missing)
  }
}

extension Session {
  /// Warns of binary data whose files are missing: the store migrates without it.
  func missingExternalData(
    of path: String, _ source: NamedModel, _ name: String
  ) throws -> [Diagnostic] {
    let count: Int
    do {
      count = try StoreReader(open(path, model: source.model), model: source.model)
        .missingExternalFiles().count
    } catch let error as StoreError {
      throw error.diagnostic.located(in: shown(path))
    }
    guard count > 0 else { return [] }
    return [
      Diagnostic(
        id: "migration.missingFiles", severity: .warning,
        what:
          "\(Words.count(count, "file", "files")) of binary data \(count == 1 ? "is" : "are") missing: the values stay references to missing files",
        location: Location(file: name),
        mend: "copy the hidden folder .<name of the store>_SUPPORT beside the store too")
    ]
  }
}
