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
    try play(0..<stops[0], isShown: progress.stop == 0)
    for stop in 0..<min(progress.stop, stops.count) {
      session.lesson?.progress.stop = stop
      recordStop()
      if progress.results[stop]?.isSkipped == true {
        try skip(stops[stop], isShown: false)
      } else {
        try play(solutionAt: stops[stop], isShown: false)
      }
      try play(after: stops[stop], isShown: false)
    }
    session.lesson?.progress.stop = progress.stop
    recordStop()
    showStop()
  }

  /// Continues with the next question or task.
  mutating func goOn() throws {
    guard let run = session.lesson, run.stop != nil else { return }
    let index = run.lesson.stops[run.progress.stop]
    if run.progress.result.isSkipped { try skip(index, isShown: true) }
    try play(after: index, isShown: true)
    session.lesson?.progress.stop += 1
    session.lesson?.hintCount = 0
    try session.storeProgress()
    recordStop()
    showStop()
  }

  /// Plays the parts between a stop and the next one, or the end.
  private mutating func play(after index: Int, isShown: Bool) throws {
    guard let lesson = session.lesson?.lesson else { return }
    let next = lesson.stops.first { $0 > index } ?? lesson.parts.count
    try play(index + 1..<next, isShown: isShown)
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
      shown.add(entry.command, evaluation.answer, evaluation, in: session)
    }
  }

  // MARK: Showing

  private mutating func show(prose lines: [String], isShown: Bool) {
    guard let lines = lines.trimmingBlankLines else { return }
    session.addRemarks(lines)
    guard isShown else { return }
    let styled = lines.map { StyledText($0, $0.hasPrefix("#") ? .heading : .plain) }
    shown.add([""] + styled + [""], in: session)
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

extension [String] {
  /// The lines without empty ones at both ends; `nil` if none remain.
  fileprivate var trimmingBlankLines: [String]? {
    let isBlank = { (line: String) in line.allSatisfy(\.isWhitespace) }
    guard let first = firstIndex(where: { !isBlank($0) }),
      let last = lastIndex(where: { !isBlank($0) })
    else { return nil }
    return Array(self[first...last])
  }
}
