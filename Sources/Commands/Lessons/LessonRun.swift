internal import StrataArchives
internal import StrataNotebook

/// The lesson that a session plays.
struct LessonRun {
  let source: LessonSource
  /// The session before the lesson.
  let outer: Session.Suspended
  /// Whether its files are visible only in this session.
  let isPrivate: Bool
  /// Whether the progress is stored in the user's folder.
  var storesProgress: Bool
  /// The working folder; `nil` if it is private.
  var folder: LessonFolder?
  var progress: LessonProgress
  /// The number of hints shown of the current task.
  var hintCount = 0
  /// The index of the part before which a passage longer than the screen pauses.
  var pausedAt: Int?
  /// Whether its commands are running, which cannot move the lesson.
  var isPlaying = false

  var lesson: Lesson { source.lesson }

  /// The current question or task; `nil` at the end.
  var stop: Lesson.Part? {
    let stops = lesson.stops
    return progress.stop < stops.count ? lesson.parts[stops[progress.stop]] : nil
  }
}

/// How far a learner is in a lesson.
struct LessonProgress: Codable, Hashable {
  /// The index of the current question or task; the number of them at the end.
  var stop = 0
  /// The results, by the index of the question or task.
  var results: [Int: StopResult] = [:]
  /// Whether the end was reached, now or before the lesson began again.
  var isFinished: Bool?

  var result: StopResult {
    get { results[stop] ?? StopResult() }
    set { results[stop] = newValue }
  }
}

extension LessonProgress {
  /// Where a learner who returns continues: after what is done, and from the beginning if all is done.
  func resumed(in lesson: Lesson) -> Self {
    guard lesson.stops.indices.contains(stop) else { return LessonProgress(isFinished: isFinished) }
    var resumed = self
    if result.isDone { resumed.stop += 1 }
    if resumed.stop == lesson.stops.count { resumed.isFinished = true }
    return resumed
  }
}

/// What a learner did at a question or task.
struct StopResult: Codable, Hashable {
  /// The answers to a question, in order, each as typed words.
  var answers: [[String]] = []
  /// Whether an answer was right or the task was done.
  var isDone = false
  var isSkipped = false
}
