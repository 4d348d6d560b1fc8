internal import ArgumentParser
internal import StrataBase
internal import StrataNotebook
internal import StrataRendering

/// `lesson [NAME]`, `lesson next|leave|forget|test|check …`
struct LessonCommand: FindingsCommand {
  enum Verb: String, CaseIterable {
    case next, leave, forget, test, check
  }

  static let configuration = CommandConfiguration.command(
    "lesson", abstract: "Lists, plays and checks lessons.",
    discussion: """
        lesson                    lists the lessons: done, begun or new
        lesson NAME               begins or resumes one, by name or number
        lesson FILE.md            plays a lesson of your own
        lesson next               continues, after a pause or with the next question or task
        lesson leave              returns to the session before the lesson; the progress is kept
        lesson forget NAME        deletes the progress and the files of a lesson, or with --all of all
        lesson test [FILE.md…]    tests lessons: solutions pass, empty sessions fail
        lesson check FOLDER --of LESSON   checks the scripts and notebooks that learners hand in

      A lesson shows prose, runs commands and stops at questions and tasks. There, `answer` answers a \
      question, `task` checks a task, `hint` helps, `again` starts the task again and `skip` continues \
      without it; any other command works as usual. A lesson has a session and a folder of its own. The \
      progress of built-in lessons is kept; the files of other lessons are private. `save NOTES.md` \
      writes what was typed, answered and seen as a notebook, and `save GUARD.strata --last 3` only \
      the last commands.

      A lesson is a notebook with questions, tasks and hints in HTML comments:

        <!-- ask one: Does a store of Model1 open with Model2?
          - yes  look at `compare`: which entity differs?
          - no   * the hash of Topic differs
        -->
        <!-- task: Rename an attribute without losing a value.
          check: inferable V1 V2
          check: value list.sqlite Topic.title p1 'First steps'  the title is lost
          keep: compatible list.sqlite V1  list.sqlite was migrated
        -->
        <!-- hint: How does Core Data know that both are the same attribute? -->

      Two spaces separate a choice from its reason, which begins with `* ` if the choice is right. \
      `ask all` has several right choices; `ask text` takes a text, and its choice `...` matches any \
      other. A check is a condition of `expect`; two spaces separate it from the message for the \
      learner. A condition after `keep` may be true before the task is done, and must stay true. The \
      commands after a task are its solution. A file NAME.checks next to NAME.md contains hidden \
      checks, one per line: `2: count list.sqlite Topic 3` is for the task with the number 2 in the \
      lesson, where questions count too; `2 keep: …` is possible.
      """)
  static let changesFiles = true
  static let showsValues = true
  static let examples = [
    CommandExample("the lessons", "lesson"),
    CommandExample("the first lesson", "lesson versions", "answer 3", "lesson next"),
  ]

  @Argument(.document, "A lesson's name or number, a notebook, or a verb.", label: "lesson")
  var words: [String] = []
  @Option(.document, "With check: the lesson, by name or file.", label: "lesson") var of: String?
  @Flag(help: "With forget: all lessons.") var all = false
  @OptionGroup var reports: FindingReportOptions
  @OptionGroup var output: OutputOptions

  var isRecorded: Bool { false }

  static func candidates(after arguments: [String], in session: Session) -> [String]? {
    let names = LessonSource.builtIn.map(\.name)
    return switch arguments.first {
    case nil: names + Verb.allCases.map(\.rawValue)
    case Verb.forget.rawValue, Verb.test.rawValue: names
    default: nil
    }
  }

  /// Whether it begins or resumes a lesson.
  var beginsLesson: Bool { verb == nil && !words.isEmpty }

  private var verb: Verb? { words.first.flatMap(Verb.init) }

  mutating func validate() throws {
    guard of == nil || verb == .check else { throw ValidationError("--of requires `lesson check`") }
    guard !all || verb == .forget else { throw ValidationError("--all requires `lesson forget`") }
    guard !reports.isUsed || verb == .check || verb == .test else {
      throw ValidationError("reports require `lesson check` or `lesson test`")
    }
    switch verb {
    case nil where words.count > 1: throw ValidationError("name one lesson")
    case .next where words.count > 1, .leave where words.count > 1:
      throw ValidationError("`lesson \(words[0])` takes no argument")
    case .forget where words.count + (all ? 1 : 0) != 2:
      throw ValidationError("name one lesson, or all of them by --all")
    case .check where words.count != 2: throw ValidationError("lesson check requires a folder")
    default: break
    }
  }

  mutating func run(in session: Session) throws -> Outcome {
    switch verb {
    case nil: return try words.isEmpty ? Self.list(in: session) : begin(words[0], in: session)
    case .next: return try next(in: session)
    case .leave: return try Self.leave(in: session)
    case .forget:
      return try Self.forget(words.dropFirst().first, deletesTexts: reports.force, in: session)
    case .test:
      return try LessonTest.outcome(of: Array(words.dropFirst()), reports, in: session)
    case .check: return try LessonReview.outcome(of: words[1], lesson: of, reports, in: session)
    }
  }

  static let isOver = Diagnostic(
    id: "lesson.isOver", what: "the lesson is at its end",
    fix: "`lesson` lists the lessons, `again` begins this one again, `lesson leave` ends it")

  /// What a player has shown, and the place where the lesson is.
  static func outcome(_ player: LessonPlayer, in session: Session) throws -> Outcome {
    let run = try session.playedLesson()
    return Outcome(.lines(player.shown.lines), json: run.json())
  }

  private func begin(_ name: String, in session: Session) throws -> Outcome {
    if session.lesson != nil { _ = try session.playedLesson() }
    let source = try session.lesson(name)
    let (known, warnings) = source.file == nil ? Self.progress(in: session) : ([:], [])
    let progress = (known[source.name] ?? LessonProgress()).resumed(in: source.lesson)
    var player = LessonPlayer(in: session, isSilent: output.json)
    try player.begin(
      source, at: progress, storesProgress: warnings.isEmpty, showsPassage: true)
    session.storeProgress()
    var outcome = try Self.outcome(player, in: session)
    outcome.warnings = warnings
    return outcome
  }

  private func next(in session: Session) throws -> Outcome {
    let run = try session.playedLesson()
    let result = run.progress.result
    switch run.stop {
    case _ where run.pausedAt != nil: break
    case nil: throw Self.isOver
    case .question where result.answers.isEmpty:
      throw Diagnostic(
        id: "lesson.notAnswered", what: "the question is not answered",
        fix: "`answer` it, or `skip` it")
    case .task(let task):
      let failures = try task.failures(in: session)
      guard failures.isEmpty else {
        session.lesson?.progress.result.isDone = false
        throw Diagnostic(
          id: "lesson.notDone", what: "the task is not done: \(failures[0])",
          fix: "`hint` helps; `skip` continues")
      }
      session.lesson?.progress.result.isDone = true
    default: break
    }
    var player = LessonPlayer(in: session, isSilent: output.json)
    try player.goOn()
    return try Self.outcome(player, in: session)
  }

  private static func leave(in session: Session) throws -> Outcome {
    let run = try session.playedLesson()
    try session.lesson?.folder?.keepTexts()
    session.lesson = nil
    try session.return(to: run.outer)
    return Outcome(
      .line(
        StyledText("left \(run.source.name)")
          + StyledText(
            !run.storesProgress || run.stop == nil
              ? "" : "; `lesson \(run.source.name)` resumes it", .faint)),
      json: ["left": run.source.name])
  }

  private static func forget(
    _ name: String?, deletesTexts: Bool, in session: Session
  ) throws -> Outcome {
    guard session.isUsersOwn, let storage = session.lessons else {
      throw Diagnostic(
        id: "lesson.noProgress", what: "this session has no progress to forget",
        fix: "type the command at the prompt; HOME or XDG_DATA_HOME must be set")
    }
    let lesson = try name.map { try session.lesson($0).name }
    if let run = session.lesson, !run.isPrivate, lesson == nil || run.source.name == lesson {
      throw Diagnostic(
        id: "lesson.isPlayed", what: "\(run.source.name) is being played",
        fix: "`lesson leave` first")
    }
    let (deleted, kept) = try storage.forget(lesson, deletesTexts: deletesTexts)
    var lines = [
      StyledText(
        deleted.isEmpty
          ? "the progress is deleted" : "deleted: \(deleted.joined(separator: ", "))")
    ]
    if !kept.isEmpty {
      lines.append(
        StyledText("kept, with your texts: \(kept.joined(separator: ", "))")
          + StyledText("; --force deletes them too", .faint))
    }
    return Outcome(.lines(lines), json: ["deleted": deleted, "kept": kept])
  }

  /// The progress of the user by name of the lesson, and a warning if it cannot be read.
  private static func progress(
    in session: Session
  ) -> (known: [String: LessonProgress], warnings: [Diagnostic]) {
    guard session.isUsersOwn, let storage = session.lessons else { return ([:], []) }
    do {
      return (try storage.progress(), [])
    } catch {
      return ([:], [error.asWarning])
    }
  }

  private static func list(in session: Session) throws -> Outcome {
    let (progress, warnings) = progress(in: session)
    var rows: [[StyledText]] = []
    var json: [JSONValue] = []
    for (index, source) in LessonSource.builtIn.enumerated() {
      let (lesson, known) = (source.lesson, progress[source.name])
      let stops = lesson.stops.count
      // The number of questions and tasks that are behind the learner.
      let passed = max(0, min(known?.stop ?? 0, stops))
      let state =
        known == nil ? "new" : passed == stops || known?.isFinished == true ? "done" : "begun"
      rows.append([
        StyledText("\(index + 1)"), StyledText(source.name, .name),
        StyledText(
          state == "begun" ? "begun \(passed)/\(stops)" : state, state == "done" ? .good : .faint),
        StyledText(lesson.title),
      ])
      json.append([
        "number": index + 1, "name": source.name, "title": lesson.title,
        "summary": lesson.summary, "state": state, "passed": passed, "stops": stops,
      ])
    }
    return Outcome(
      .sections([
        .table(rows: rows),
        .line(StyledText("`lesson NAME` begins or resumes one.", .faint)),
      ]), json: .array(json), warnings: warnings)
  }
}
