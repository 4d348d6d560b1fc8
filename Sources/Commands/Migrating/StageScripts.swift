internal import Foundation
internal import StrataArchives
internal import StrataBase
internal import StrataMigration
internal import StrataNotebook
internal import StrataStore

/// Runs the scripts of stages: sessions of their own, in which the store is loaded as `store`.
struct StageScripts {
  let session: Session
  /// Whether what they write besides the store is thrown away.
  let isRehearsal: Bool

  static let storeName = "store"
  private static let depthLimit = 4

  /// Whether what they write besides the store is thrown away: in a rehearsal, and in a replayed document.
  private var isPrivate: Bool { isRehearsal || session.overlay != nil }

  /// Runs the scripts that follow a stage, and takes the stamp away that said that they are to be run.
  func finish(_ stage: MigrationStage, _ path: String) throws {
    for script in stage.did.scripts { try run(script, path, of: stage, isBefore: false) }
    try SQLiteStore.endStage(ofStoreAt: path)
  }

  /// Runs the scripts that come before the migration of a stage.
  func begin(_ stage: MigrationStage, _ path: String) throws {
    for script in stage.will.scripts { try run(script, path, of: stage, isBefore: true) }
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

  /// - Throws: ``Diagnostic`` with the line of the script whose command was not done, or whose expectation
  ///   was not met.
  private func run(_ script: String, _ path: String) throws {
    try session.access.check(script)
    guard session.replayDepth < Self.depthLimit else {
      throw Diagnostic(
        id: "stage.nested", what: "a script of a stage runs a migration that runs it again",
        location: Location(file: session.shown(script)),
        fix: "leave `migrate` out of the scripts of stages")
    }
    let folder = URL(fileURLWithPath: script).deletingLastPathComponent().path
    let store = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
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
      guard evaluation.status < .failed, evaluation.answer.expectation != .unmet else {
        throw Diagnostic(
          id: Self.failure, what: "a script of a stage was not done: \(entry.command)",
          location: Location(file: session.shown(script), line: entry.line),
          fix: "try it with `run`, the store loaded as \(Self.storeName)",
          notes: (evaluation.output + evaluation.diagnostics).split(separator: "\n").map(
            String.init))
      }
    }
    // A rehearsal's store is the rehearsal's own: what the script changed of it counts.
    if let written = inner.overlay?.current(store), written != store {
      try FileManager.default.removeItem(atPath: store)
      try FileManager.default.copyItem(atPath: written, toPath: store)
    }
  }
}

extension Session {
  /// The stage whose scripts an interrupted migration has not run.
  func pendingStage(of path: String, among stages: [MigrationStage]) throws -> MigrationStage? {
    guard !stages.isEmpty, let pending = try pendingScripts(of: path) else { return nil }
    guard let stage = stages.first(where: { $0.pending == pending }) else {
      throw Self.pending(pending, severity: .error)
    }
    return stage
  }

  /// Says that scripts are waiting, where the way that is gone now does not run them.
  func warningOfPendingScripts(of path: String, among stages: [MigrationStage]) throws
    -> [Diagnostic]
  {
    guard stages.isEmpty, let pending = try pendingScripts(of: path) else { return [] }
    return [Self.pending(pending, severity: .warning)]
  }

  private func pendingScripts(of path: String) throws -> PendingStage? {
    isAtomicStore(path) ? nil : try open(path).metadata.pendingStage
  }

  private static func pending(_ pending: PendingStage, severity: Diagnostic.Severity) -> Diagnostic
  {
    Diagnostic(
      id: "stage.pending", severity: severity,
      what:
        "a staged migration was interrupted: \(Words.list(pending.scripts)) \(pending.scripts.count == 1 ? "is" : "are") still to be run",
      fix:
        "go on with the stages file that names \(pending.scripts.count == 1 ? "it" : "them"): --stages <file>"
    )
  }
}
