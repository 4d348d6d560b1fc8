internal import StrataArchives
internal import StrataBase
internal import StrataEssentials
internal import StrataMigration
internal import StrataNotebook
internal import StrataObjectModel
internal import StrataStore

/// Runs the scripts of stages in their own sessions, with the store loaded as `store`.
struct StageScriptRunner {
  let session: Session
  /// Whether other files that they write are discarded.
  let isRehearsal: Bool

  static let storeName = "store"
  private static let depthLimit = 4

  /// Whether other files that they write are discarded: in a rehearsal, and in a replayed document.
  private var isPrivate: Bool { isRehearsal || session.overlay != nil }

  /// The objects that scripts have deleted, by entity.
  typealias Deletions = [MigrationReport.DeletedObjects]

  /// Runs the scripts after a stage, and takes each from the record of pending scripts in the store.
  func finish(_ stage: MigrationStage, _ path: String) throws -> Deletions {
    var rest = stage
    return try run(stage.did.scripts, path, of: stage, isBefore: false) {
      rest.did.scripts.removeFirst()
      try SQLiteStore.note(rest.did.scripts.isEmpty ? nil : rest.pending, ofStoreAt: path)
    }
  }

  /// Runs the scripts that an interrupted migration has left, where no hop follows that could count what they delete.
  ///
  /// - Parameters:
  ///   - refuses: Whether deleted objects are an error.
  ///   - isObserved: Whether the user is told of them.
  func resumeLast(
    _ pending: MigrationStage, _ path: String, refuses: Bool, isObserved: Bool
  ) throws {
    let deletions = try finish(pending, path)
    guard !deletions.isEmpty, refuses || isObserved else { return }
    guard refuses else { return warn(of: deletions) }
    throw Diagnostic(
      id: "stage.deleted",
      what: "refused by --strict: the scripts of the stage would delete \(Self.text(deletions))",
      fix: "`migrate` without --strict runs them; the store is unchanged")
  }

  /// Adds a warning about what scripts delete, where no report counts it.
  func warn(of deletions: Deletions) {
    guard !deletions.isEmpty else { return }
    let verb = isRehearsal ? "would delete" : "have deleted"
    session.running?.warnings?.add(
      Diagnostic(
        id: "stage.deleted", severity: .warning,
        what: "the scripts of the stage \(verb) \(Self.text(deletions))"))
  }

  private static func text(_ deletions: Deletions) -> String {
    deletions.map { deleted in
      Phrase.count(deleted.affected.count, "\(deleted.entity) object") + deleted.affected.keyList
    }.joined(separator: "; ")
  }

  /// Runs the scripts that an interrupted migration has left, before its next hop.
  func resume(_ pending: MigrationStage?, _ path: String) throws -> Deletions {
    try pending.map { try finish($0, path) } ?? []
  }

  /// Runs the scripts before the migration of a stage.
  func begin(_ stage: MigrationStage, _ path: String) throws -> Deletions {
    try run(stage.will.scripts, path, of: stage, isBefore: true)
  }

  private func run(
    _ scripts: [String], _ path: String, of stage: MigrationStage, isBefore: Bool,
    afterEach: () throws -> Void = {}
  ) throws -> Deletions {
    guard !scripts.isEmpty, let model = stage.model(isBefore: isBefore) else { return [] }
    let before = try Self.keys(in: path, model)
    func deletions() throws -> Deletions {
      let after = try Self.keys(in: path, model)
      return before.compactMap { entity, keys in
        let left = Set(after[entity] ?? [])
        let deleted = keys.filter { !left.contains($0) }
        return deleted.isEmpty ? nil : MigrationReport.DeletedObjects(entity, deleted)
      }.sorted { $0.entity < $1.entity }
    }
    do {
      for script in scripts {
        try run(script, path, of: stage, isBefore: isBefore)
        try afterEach()
      }
    } catch {
      // What they have done until then stays.
      warn(of: (try? deletions()) ?? [])
      throw error
    }
    return try deletions()
  }

  /// The keys of the objects of each entity.
  private static func keys(in path: String, _ model: ObjectModel) throws -> [String: [Int64]] {
    let reader = try StoreReader(SQLiteStore(reading: path), model: model)
    return try Dictionary(
      first: model.entities.map { ($0.name, try reader.keys(of: $0.name)) })
  }

  /// - Throws: ``MigrationError/stoppedByStage(from:to:isBefore:reason:)``.
  private func run(
    _ script: String, _ path: String, of stage: MigrationStage, isBefore: Bool
  ) throws {
    do {
      try run(script, path)
    } catch let reason as Diagnostic where reason.id == Self.failure {
      throw MigrationError.stoppedByStage(
        from: stage.ends.from, to: stage.ends.to, isBefore: isBefore, reason: reason)
    }
  }

  private static let failure = "stage.scriptFailed"

  /// - Throws: ``Diagnostic`` with the line of the script whose command failed or whose expectation
  ///     is false.
  private func run(_ script: String, _ path: String) throws {
    try session.access.check(script)
    guard session.replayDepth < Self.depthLimit else {
      throw Diagnostic(
        id: "stage.nested", what: "a stage script runs a migration that runs the same script",
        location: Location(file: session.shown(script)),
        fix: "do not use `migrate` in stage scripts")
    }
    let folder = URL(fileURLWithPath: script).deletingLastPathComponent().path
    let store = RealPath.resolving(path)
    let inner = try Session(
      replayingIn: folder,
      below: ReadableFolders([folder, URL(fileURLWithPath: store).deletingLastPathComponent().path]
      ),
      mayWrite: !isPrivate, depth: session.replayDepth + 1, on: nil)
    inner.policies = session.policies
    inner.add(.store(store), as: Self.storeName)
    let (document, _) = try inner.document(script)
    let evaluator = CommandEvaluator(session: inner)
    for entry in document.entries {
      try Interruption.check()
      let evaluation = evaluator.evaluate(line: entry.command)
      guard evaluation.status < .failed, evaluation.answer.expectation != .unfulfilled else {
        throw Diagnostic(
          id: Self.failure, what: "a stage script failed: \(entry.command)",
          location: Location(file: session.shown(script), line: entry.line),
          fix: "test it with `run`, with the store loaded as \(Self.storeName)",
          notes: (evaluation.output + evaluation.diagnostics).split(separator: "\n").map(
            String.init))
      }
    }
    // The store of a rehearsal is private: changes of the script are kept for the next hop.
    if let written = inner.overlay?.current(store), written != store {
      try FileManager.default.removeItem(atPath: store)
      try FileManager.default.copyItem(atPath: written, toPath: store)
    }
  }
}

extension [MigrationStage] {
  /// Checks that all scripts exist, before a store is changed.
  ///
  /// - Parameter shown: The path of a script in messages.
  /// - Throws: ``Diagnostic`` without the file of the stages.
  func checkScripts(_ access: FileAccess, shown: (String) -> String) throws(Diagnostic) {
    for stage in self {
      for script in stage.will.scripts + stage.did.scripts {
        try access.check(script)
        guard OpenedPath.absence(script) != nil else { continue }
        throw Diagnostic(
          id: "stages.missingScript", what: "there is no script \(shown(script))",
          fix: "its path is relative to the folder of the stages file")
      }
    }
  }
}

extension Session {
  /// The stage whose scripts an interrupted migration has not run, with only these.
  ///
  /// - Parameter isMigrated: Whether hops follow: without the stage, its scripts would never run.
  func pendingStage(
    of path: String, among stages: [MigrationStage], isMigrated: Bool
  ) throws -> MigrationStage? {
    guard isMigrated || !stages.isEmpty, let pending = try pendingScripts(of: path) else {
      return nil
    }
    for var stage in stages {
      stage.did.scripts = Array(stage.did.scripts.suffix(pending.scripts.count))
      if stage.pending == pending { return stage }
    }
    throw Self.pending(pending, severity: .error)
  }

  /// The error that a migration into another store cannot run the scripts of an interrupted one.
  func unfinished(_ stage: MigrationStage) -> Diagnostic {
    var error = Self.pending(stage.pending, severity: .error)
    error.fix = "`migrate` in place to \(stage.ends.to) with the same stages finishes it first"
    return error
  }

  /// The warning about pending scripts, if this migration does not run them.
  func warningOfPendingScripts(of path: String) throws -> [Diagnostic] {
    try pendingScripts(of: path).map { [Self.pending($0, severity: .warning)] } ?? []
  }

  private func pendingScripts(of path: String) throws -> PendingStage? {
    isAtomicStore(path) ? nil : try open(path).metadata.pendingStage
  }

  private static func pending(_ pending: PendingStage, severity: Diagnostic.Severity) -> Diagnostic
  {
    Diagnostic(
      id: "stage.pending", severity: severity,
      what:
        "a staged migration was interrupted: \(Phrase.list(pending.scripts)) \(pending.scripts.count == 1 ? "has" : "have") not run yet",
      fix:
        "continue with the stages file that names \(pending.scripts.count == 1 ? "it" : "them"): --stages <file>"
    )
  }
}
