internal import StrataArchives
internal import StrataBase
internal import StrataNotebook
internal import StrataRendering

/// Plays a lesson in a session: shows its prose, runs its commands, and stops at each question and task.
///
/// What it shows is recorded like typed lines, so that `save` writes a notebook of the lesson that replays.
struct LessonPlayer {
  let session: Session
  private(set) var shown: ShownParts
  /// Whether prose was shown last, after which an empty line comes.
  private var isAfterProse = false

  /// - Parameter isSilent: Whether nothing is shown, because the answer is JSON.
  init(in session: Session, isSilent: Bool) {
    self.session = session
    shown = ShownParts(isSilent: isSilent)
  }

  // MARK: Moving

  /// Begins a lesson at a question or task: the session and the working folder are new, and everything before that place is
  /// run again without being shown, with the solutions of the tasks.
  ///
  /// - Parameter showsPassage: Whether the passage that leads to the question or task is shown.
  mutating func begin(
    _ source: LessonSource, at progress: LessonProgress, storesProgress: Bool, showsPassage: Bool
  ) throws {
    let outer = session.lesson?.outer ?? session.suspended()
    // A lesson in a notebook has at most the permissions of a document, and a document those of its session.
    let storage = source.file == nil && session.isUsersOwn ? session.lessons : nil
    let folder = try storage?.freshFolder(
      for: source.name, replacing: session.lesson?.folder?.claim, isResumed: progress.stop > 0,
      wasFinished: progress.stop == 0 && progress.isFinished == true)
    try session.restart(after: outer, inPrivate: storage == nil)
    session.folder = folder?.path ?? source.file?.folder ?? session.folder
    session.record = SessionRecord()
    session.hasPlayedLesson = true
    session.lesson = LessonRun(
      source: source, outer: outer, isPrivate: storage == nil,
      storesProgress: storesProgress && storage != nil, folder: folder, progress: progress)
    do {
      try rebuild(to: progress, showsPassage: showsPassage)
    } catch {
      // Without its earlier part, the lesson is not at this place.
      session.lesson = nil
      try session.return(to: outer)
      throw error
    }
  }

  /// Runs everything before a question or task.
  private mutating func rebuild(
    to progress: LessonProgress, showsPassage: Bool
  ) throws {
    guard let run = session.lesson else { return }
    let stops = run.lesson.stops
    var isAsRecorded = true
    for (stop, index) in stops.prefix(progress.stop).enumerated() {
      session.lesson?.progress.stop = stop
      let start = stop == 0 ? 0 : stops[stop - 1] + 1
      isAsRecorded = try play(start..<index, isShown: false) && isAsRecorded
      recordStop()
      let isSkipped = progress.results[stop]?.isSkipped == true
      isAsRecorded = try play(solutionAt: index, isSkipped, isShown: false) && isAsRecorded
    }
    session.lesson?.progress.stop = progress.stop
    session.lesson?.progress.result.isDone = false
    if let folder = run.folder, showsPassage {
      let kept = folder.kept.map { "; those of the last time: \(Session.withTilde($0))" } ?? ""
      shown.add(
        [StyledText("Files: \(Session.withTilde(folder.path))\(kept)", .faint)], in: session)
    }
    let start = progress.stop == 0 ? 0 : stops[progress.stop - 1] + 1
    if showsPassage {
      try play(from: start)
    } else {
      let end = progress.stop < stops.count ? stops[progress.stop] : start
      isAsRecorded = try play(start..<end, isShown: false) && isAsRecorded
      try arrive()
    }
    if !isAsRecorded {
      shown.add(
        [
          StyledText("Commands before this place failed. ", .warning)
            + StyledText("`doctor` and free space may help; then `again`.", .faint)
        ], in: session)
    }
  }

  /// Continues with the next question or task, or after a pause.
  mutating func goOn() throws {
    guard let run = session.lesson else { return }
    if let index = run.pausedAt { return try play(from: index) }
    guard run.stop != nil else { return }
    if case .question(let question)? = run.stop, !run.progress.result.isDone {
      let lines = LessonStopView.solution(of: question)
      shown.add(lines, in: session)
      session.addRemarks([""] + lines.map(\.text))
    }
    let index = run.lesson.stops[run.progress.stop]
    if run.progress.result.isSkipped { try play(solutionAt: index, true, isShown: true) }
    session.lesson?.progress.stop += 1
    if session.lesson?.stop == nil { session.lesson?.progress.isFinished = true }
    session.lesson?.hintCount = 0
    session.storeProgress()
    try play(from: index + 1)
  }

  /// Shows the parts up to the current question or task, or the end; a passage longer than the screen pauses.
  private mutating func play(from start: Int) throws {
    guard let run = session.lesson else { return }
    let parts = run.lesson.parts
    let end = run.stop == nil ? parts.count : run.lesson.stops[run.progress.stop]
    for index in start..<end {
      // An interrupted passage continues here.
      session.lesson?.pausedAt = index
      var rows = Self.expectedRows
      if case .prose(let lines) = parts[index] { rows = lines.count + 1 }
      guard !isFull(before: rows) else { return pause(at: index) }
      guard try play(index..<index + 1, isShown: true) else { return stumble(at: index) }
    }
    guard !isFull(before: LessonStopView(run).lines.count + 1) else { return pause(at: end) }
    try arrive()
  }

  /// Shows the question or task, or the end.
  private mutating func arrive() throws {
    session.lesson?.pausedAt = nil
    try session.lesson?.folder?.keepTexts()
    recordStop()
    showStop()
  }

  /// The number of lines that a command and its answer are expected to have.
  private static let expectedRows = 4

  /// Whether further lines would scroll off the screen what was shown first.
  private func isFull(before rows: Int) -> Bool {
    guard let screen = session.screenRows, shown.rowCount > 0 else { return false }
    // The last lines are the note about the pause and the prompt.
    return shown.rowCount + rows > screen - 3
  }

  private mutating func pause(at index: Int) {
    session.lesson?.pausedAt = index
    shown.add(
      ["", StyledText("More: press Enter, or type `lesson next`.", .faint)], in: session)
  }

  /// Stops before a command that failed, since the session is not as the lesson expects.
  private mutating func stumble(at index: Int) {
    session.lesson?.pausedAt = index
    shown.add(
      [
        "",
        StyledText("The session is not as the lesson expects. ", .warning)
          + StyledText("`again` restores it, `lesson next` runs the command again.", .faint),
      ], in: session)
  }

  /// - Returns: Whether every command succeeded, or failed as recorded.
  @discardableResult
  private mutating func play(_ range: Range<Int>, isShown: Bool) throws -> Bool {
    guard let lesson = session.lesson?.lesson else { return true }
    for part in lesson.parts[range] {
      switch part {
      case .prose(let lines): show(prose: lines, isShown: isShown)
      case .command(let entry):
        guard try run([entry], isShown: isShown) else { return false }
      case .question, .task: break
      }
    }
    return true
  }

  /// Solves a task.
  @discardableResult
  private mutating func play(
    solutionAt index: Int, _ isSkipped: Bool, isShown: Bool
  ) throws -> Bool {
    if isSkipped { session.addRemarks(["", "(skipped)", ""]) }
    guard case .task(let task)? = session.lesson?.lesson.parts[index] else { return true }
    return try run(task.solution, isShown: isShown)
  }

  /// - Returns: Whether every command succeeded, or failed as recorded.
  @discardableResult
  private mutating func run(_ entries: [SessionEntry], isShown: Bool) throws -> Bool {
    // The commands of a notebook have the permissions of a document.
    let path = session.lesson?.source.file?.path
    if let path { try session.checkNesting(of: path) }
    if let path { session.runningScripts.append(path) }
    session.lesson?.isPlaying = true
    defer {
      session.lesson?.isPlaying = false
      if path != nil { session.runningScripts.removeLast() }
    }
    let isShown = isShown && !shown.isSilent
    return try session.showingNothing(if: !isShown) { try evaluate(entries, isShown: isShown) }
  }

  private mutating func evaluate(_ entries: [SessionEntry], isShown: Bool) throws -> Bool {
    var isAsRecorded = true
    // The commands of a notebook read only its folder; what the learner types may read more.
    let folder = session.lesson?.source.file?.folder
    for entry in entries {
      let evaluator = CommandEvaluator(session: session)
      let evaluation =
        folder.map { session.whileReading(below: $0) { evaluator.evaluate(line: entry.command) } }
        ?? evaluator.evaluate(line: entry.command)
      if evaluation.status >= .failed, !evaluation.isExpected(by: entry) { isAsRecorded = false }
      session.isOver = false
      try Interruption.check()
      guard isShown else { continue }
      if isAfterProse { shown.add([""], in: session) }
      isAfterProse = false
      shown.add(entry.command, evaluation.answer, evaluation, in: session)
    }
    return isAsRecorded
  }

  // MARK: Showing

  private mutating func show(prose lines: [String], isShown: Bool) {
    session.addRemarks(lines)
    guard isShown else { return }
    let styled = lines.map { StyledText($0, $0.hasPrefix("#") ? .heading : .plain) }
    shown.add([""] + styled, as: View.prose, in: session)
    isAfterProse = true
  }

  /// Shows the current question or task, or what to do at the end.
  mutating func showStop() {
    guard let run = session.lesson else { return }
    shown.add([""] + LessonStopView(run).lines, in: session)
  }

  /// Records the current question or task as prose of the notebook, with the answers so far.
  private func recordStop() {
    guard let run = session.lesson else { return }
    session.addRemarks(LessonStopView(run).record)
    guard case .question(let question)? = run.stop else { return }
    for answer in run.progress.result.answers {
      guard let verdict = question.verdict(on: answer) else { continue }
      session.addRemarks(LessonStopView.record(answer, verdict))
    }
  }
}
