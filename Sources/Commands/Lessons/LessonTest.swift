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

  static func outcome(
    of sources: [LessonSource], _ report: FindingReportOptions, in session: Session
  ) throws -> Outcome {
    let empty = try PrivateFolder()
    let files = try sources.map { source in
      let folder = source.file?.folder ?? empty.path
      let replay = PrivateReplay(
        folder: folder, readable: ReadableFolders([folder]), depth: session.replayDepth + 1)
      return CheckedFile(
        name: source.file.map { session.shown($0.path) } ?? source.name,
        cases: try LessonTest(source, replay).cases())
    }
    return try LessonReport(files, of: "tests passed").outcome(report, in: session)
  }

  private func cases() throws -> [CheckedCase] {
    let tasks = source.lesson.tasks
    var cases: [CheckedCase] = []
    let run = try PrivateRun(replay)
    var done = 0
    for (index, task) in tasks.enumerated() {
      func add(_ name: String, _ failures: [String]) {
        cases.append(
          CheckedCase(
            name: "task \(index + 1): \(name)", line: task.line,
            result: failures.isEmpty
              ? .passed
              : .found(
                .error,
                CheckedCase.Failure(message: failures[0], details: failures, line: task.line))))
      }
      add("has a check", task.checks.isEmpty ? ["the task has no check"] : [])
      add(
        "its checks can be read",
        task.checks.filter { !$0.isReadable }.map { "not a condition of `expect`: \($0.condition)" }
      )
      add("has hints", task.hints.isEmpty ? ["the task has no hint"] : [])
      add("an empty session fails", try PrivateRun(replay).after([], task.holding))
      let before = source.lesson.commands(beforeTask: index)
      add("the session before it fails", try run.after(before[done...], task.holding))
      add("its solution passes", try run.after(task.solution, task.failures))
      done = before.count + task.solution.count
      let others = tasks[(index + 1)...].flatMap(\.solution)
      guard !others.isEmpty else { continue }
      add(
        "the solutions of later tasks fail",
        try PrivateRun(replay).after(before + others, task.holding))
    }
    return cases
  }
}

extension LessonTask {
  /// A message for each condition that is true.
  fileprivate func holding(in session: Session) -> [String] {
    checks.filter { $0.failure(in: session) == nil }.map { "this is true already: \($0.condition)" }
  }
}
