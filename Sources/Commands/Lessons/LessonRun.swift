internal import StrataNotebook

/// The lesson that a session plays.
struct LessonRun {
  let source: LessonSource
  /// The folder of the session before the lesson.
  let outerFolder: String
  /// Whether its files are visible only in this session.
  let isPrivate: Bool
  /// Whether the progress is stored in the user's folder.
  let storesProgress: Bool
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

  var result: StopResult {
    get { results[stop] ?? StopResult() }
    set { results[stop] = newValue }
  }
}

/// What a learner did at a question or task.
struct StopResult: Codable, Hashable {
  /// The answers to a question, in order, each as typed words.
  var answers: [[String]] = []
  /// Whether the last answer was right or the task was done.
  var isDone = false
  var isSkipped = false
}
