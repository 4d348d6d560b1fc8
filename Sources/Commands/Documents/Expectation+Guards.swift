internal import ArgumentParser
internal import StrataBase
internal import StrataNotebook
internal import StrataObjectModel

extension Expectation {
  /// Whether a script or notebook passes a replay, and does not pass it if a model is edited: a test of a test.
  func guards(in session: Session) throws -> ExpectationResult {
    let (script, reference) = (subjects[0], subjects[1])
    let (document, folder) = try session.document(script)
    try session.access.check(folder)
    try session.checkReplayDepth()
    var replay = PrivateReplay(
      folder: folder, readable: session.access.readableFolders, depth: session.replayDepth + 1,
      written: session.overlay?.contents)
    let isPassing = try Self.passes(document, in: replay)
    // Its private files are deleted with it.
    let edited = try edited(reference, for: replay)
    replay.written = edited.overlay?.contents
    let isPassingEdited = try withExtendedLifetime(edited) {
      try Self.passes(document, in: replay)
    }
    let edit = "\(reference) \(subjects[2]) \(subjects[3])"
    return ExpectationResult(
      holds: isPassing && !isPassingEdited,
      message: !isPassing
        ? "\(script) does not pass"
        : "\(script) \(isPassingEdited ? "also passes" : "fails") after the edit \(edit)",
      expected: "it passes, and fails after the edit")
  }

  private static func passes(_ document: SessionDocument, in replay: PrivateReplay) throws -> Bool {
    let report = try replay.report(of: document)
    return !report.commands.isEmpty && report.passes()
  }

  /// A session in which the model was edited and written, in private.
  private func edited(_ reference: String, for replay: PrivateReplay) throws -> Session {
    let session = try Session(
      replayingIn: replay.folder, below: replay.readable, mayWrite: false, depth: replay.depth,
      on: replay.written)
    try session.access.whileReading {
      var edit = try Try.parse([reference, "--write", subjects[2], "--", subjects[3]])
      _ = try edit.run(in: session)
    }
    return session
  }
}
