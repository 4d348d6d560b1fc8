internal import StrataArchives
internal import StrataBase
internal import StrataNotebook
internal import StrataRendering
internal import StrataStore

/// Tests a lesson: that its checks hold after its solutions, and only then.
struct LessonTest {
  private let source: LessonSource
  private let replay: PrivateReplay

  private init(_ source: LessonSource, _ replay: PrivateReplay) {
    (self.source, self.replay) = (source, replay)
  }

  /// - Parameter names: The lessons by name or file; empty for those of Strata.
  static func outcome(
    of names: [String], _ report: FindingReportOptions, in session: Session
  ) throws -> Outcome {
    try session.checkReplayDepth()
    let empty = try PrivateFolder()
    func file(of source: LessonSource) throws -> CheckedFile {
      let folder = source.file?.folder ?? empty.path
      let replay = PrivateReplay(
        folder: folder, readable: ReadableFolders([folder]), depth: session.replayDepth + 1)
      return CheckedFile(
        name: source.file.map { session.shown($0.path) } ?? source.name,
        cases: try LessonTest(source, replay).cases())
    }
    let files =
      names.isEmpty
      ? try LessonSource.builtIn.map(file)
      : try names.map { name in
        do {
          return try file(of: session.lesson(name))
        } catch let error as any DiagnosticError where names.count > 1 {
          // The others are tested all the same.
          try Interruption.check()
          return CheckedFile(name: name, unchecked: error.diagnostic)
        }
      }
    return try LessonReport(files, of: "tests passed").outcome(report, in: session)
  }

  private func cases() throws -> [CheckedCase] {
    let tasks = source.lesson.tasks
    var cases: [CheckedCase] = []
    var run = try PrivateRun(replay)
    var done = 0
    for (index, (number, task)) in tasks.enumerated() {
      func add(_ name: String, _ failures: [String]) {
        cases.append(
          CheckedCase(
            name: "task \(number): \(name)", line: task.line,
            result: failures.isEmpty
              ? .passed
              : .found(
                .error,
                CheckedCase.Failure(message: failures[0], details: failures, line: task.line))))
      }
      add("has a check", task.checks.allSatisfy(\.isKept) ? ["the task has no check"] : [])
      add(
        "its checks can be read",
        task.checks.filter { !$0.isReadable }.map { "not a condition of `expect`: \($0.condition)" }
      )
      add("has hints", task.hints.isEmpty ? ["the task has no hint"] : [])
      add("an empty session fails", try PrivateRun(replay).look(task.holding))
      let before = source.lesson.commands(beforeTask: index)
      let errors = try before[done...].compactMap { try run.run($0) }
      add("the session before it fails", errors + (try run.look(task.holding)))
      let others = try task.solution.compactMap { try run.run($0) }
      add("its solution passes", others + (try run.look(task.causes)))
      done = before.count + task.solution.count
      let later = tasks[(index + 1)...].flatMap(\.task.solution)
      guard !later.isEmpty else { continue }
      var wrong = try PrivateRun(replay)
      for entry in before + later { _ = try wrong.run(entry) }
      add("the solutions of later tasks fail", try wrong.look(task.holding))
    }
    return cases
  }
}

extension LessonTask {
  /// A message for each condition that must become true by the task and is true already.
  fileprivate func holding(in session: Session) throws -> [String] {
    try checks.filter { try !$0.isKept && $0.failure(in: session) == nil }
      .map { "this is true already: \($0.condition)" }
  }

  /// The conditions that are false, for the author: with the hidden ones, and with the facts.
  fileprivate func causes(in session: Session) throws -> [String] {
    try checks.compactMap { check in
      try check.fact(in: session).map { "line \(check.line): \(check.condition): \($0)" }
    }
  }
}
