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
  mutating func begin(
    _ source: LessonSource, at progress: LessonProgress, storesProgress: Bool
  ) throws {
    let outerFolder = session.lesson?.outerFolder ?? session.folder
    // A lesson in a notebook has at most the permissions of a document, and a document those of its session.
    let storage = source.file == nil && session.isUsersOwn ? session.lessons : nil
    let folder = try storage?.freshFolder(for: source.name)
    try session.restart(inPrivate: storage == nil)
    session.folder = folder ?? source.file?.folder ?? session.folder
    session.record = SessionRecord()
    session.lesson = LessonRun(
      source: source, outerFolder: outerFolder, isPrivate: storage == nil,
      storesProgress: storesProgress && storage != nil, progress: progress)
    let stops = source.lesson.stops
    guard progress.stop > 0 else { return try play(from: 0) }
    try play(0..<stops[0], isShown: false)
    for stop in 0..<min(progress.stop, stops.count) {
      session.lesson?.progress.stop = stop
      recordStop()
      if progress.results[stop]?.isSkipped == true {
        try skip(stops[stop], isShown: false)
      } else {
        try play(solutionAt: stops[stop], isShown: false)
      }
      let next = stop + 1 < stops.count ? stops[stop + 1] : source.lesson.parts.count
      try play(stops[stop] + 1..<next, isShown: false)
    }
    session.lesson?.progress.stop = progress.stop
    recordStop()
    showStop()
  }

  /// Continues with the next question or task, or after a pause.
  mutating func goOn() throws {
    guard let run = session.lesson else { return }
    if let index = run.pausedAt { return try play(from: index) }
    guard run.stop != nil else { return }
    let index = run.lesson.stops[run.progress.stop]
    if run.progress.result.isSkipped { try skip(index, isShown: true) }
    session.lesson?.progress.stop += 1
    session.lesson?.hintCount = 0
    try session.storeProgress()
    try play(from: index + 1)
  }

  /// Shows the parts up to the current question or task, or the end; a passage longer than the screen pauses.
  private mutating func play(from start: Int) throws {
    session.lesson?.pausedAt = nil
    guard let run = session.lesson else { return }
    let parts = run.lesson.parts
    let end = run.stop == nil ? parts.count : run.lesson.stops[run.progress.stop]
    for index in start..<end {
      var rows = Self.expectedRows
      if case .prose(let lines) = parts[index] { rows = lines.count + 1 }
      guard !isFull(before: rows) else { return pause(at: index) }
      try play(index..<index + 1, isShown: true)
    }
    guard !isFull(before: LessonStopView(run).lines.count + 1) else { return pause(at: end) }
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
    shown.add(["", StyledText(fix: "More: `lesson next`", .faint)], in: session)
  }

  private mutating func play(_ range: Range<Int>, isShown: Bool) throws {
    guard let lesson = session.lesson?.lesson else { return }
    for part in lesson.parts[range] {
      switch part {
      case .prose(let lines): show(prose: lines, isShown: isShown)
      case .command(let entry): try run([entry], isShown: isShown)
      case .question, .task: break
      }
    }
  }

  private mutating func play(solutionAt index: Int, isShown: Bool) throws {
    guard case .task(let task)? = session.lesson?.lesson.parts[index] else { return }
    try run(task.solution, isShown: isShown)
  }

  /// Solves a task that the learner skips.
  private mutating func skip(_ index: Int, isShown: Bool) throws {
    session.addRemarks(["", "(skipped)"])
    try play(solutionAt: index, isShown: isShown)
  }

  private mutating func run(_ entries: [SessionEntry], isShown: Bool) throws {
    // The commands of a notebook have the permissions of a document.
    let path = session.lesson?.source.file?.path
    if let path { try session.checkNesting(of: path) }
    if let path { session.runningScripts.append(path) }
    session.lesson?.isPlaying = true
    defer {
      session.lesson?.isPlaying = false
      if path != nil { session.runningScripts.removeLast() }
    }
    let (deliver, showTrace) = (session.deliver, session.showTrace)
    let isShown = isShown && !shown.isSilent
    if !isShown { (session.deliver, session.showTrace) = (nil, nil) }
    defer { (session.deliver, session.showTrace) = (deliver, showTrace) }
    for entry in entries {
      let evaluation = CommandEvaluator(session: session).evaluate(line: entry.command)
      session.isOver = false
      try Interruption.check()
      guard isShown else { continue }
      if isAfterProse { shown.add([""], in: session) }
      isAfterProse = false
      shown.add(entry.command, evaluation.answer, evaluation, in: session)
    }
  }

  // MARK: Showing

  private mutating func show(prose lines: [String], isShown: Bool) {
    session.addRemarks(lines)
    guard isShown else { return }
    let styled = lines.map { StyledText($0, $0.hasPrefix("#") ? .heading : .plain) }
    shown.add([""] + styled, in: session)
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
