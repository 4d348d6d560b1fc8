internal import StrataBase
internal import StrataNotebook

extension Session {
  /// The lesson that is played, for a command that the learner types.
  ///
  /// - Throws: ``Diagnostic`` outside a lesson, or in the lesson's own commands.
  func playedLesson() throws(Diagnostic) -> LessonRun {
    guard let lesson else {
      throw Diagnostic(
        id: "lesson.none", what: "no lesson is being played",
        fix: "`lesson` lists the lessons, `lesson 1` begins the first")
    }
    guard !lesson.isPlaying else {
      throw Diagnostic(
        id: "lesson.inside", what: "the commands of a lesson cannot move it",
        fix: "remove the command from the lesson")
    }
    return lesson
  }

  /// The lesson at a question or task, or at its end.
  ///
  /// - Throws: ``Diagnostic`` also if a passage before it pauses.
  func shownLesson() throws(Diagnostic) -> LessonRun {
    let run = try playedLesson()
    guard run.pausedAt == nil else {
      throw Diagnostic(
        id: "lesson.paused", what: "the question or task is not shown yet",
        fix: "`lesson next` shows more")
    }
    return run
  }

  /// Whether Enter continues a lesson: a passage is longer than the screen, a question is answered or a task done.
  package var continuesLesson: Bool {
    lesson.map { $0.pausedAt != nil || $0.stop != nil && $0.progress.result.isDone } ?? false
  }

  /// Records lines of a lesson as prose of the notebook that `save` writes; of several empty lines, one.
  func addRemarks(_ lines: [String]) {
    for line in lines {
      if line.isEmpty, case .remark("")? = record.steps.last { continue }
      record.add(.remark(line))
    }
  }

  /// Stores the progress of the lesson in the user's folder, if there is one. An error is a warning, given once: the lesson
  /// continues without it.
  func storeProgress() {
    guard let run = lesson, run.storesProgress else { return }
    do {
      try lessons?.update { $0[run.source.name] = run.progress }
    } catch {
      lesson?.storesProgress = false
      var warning =
        (error as? any DiagnosticError)?.diagnostic
        ?? Diagnostic(
          id: "file.unwritable", what: "\(error)", fix: "make room, or set XDG_DATA_HOME")
      warning.notes.append("the progress of this lesson is not stored any more")
      running?.warnings?.add(warning.asWarning)
    }
  }

  /// The place in the lesson for the prompt: `(versions 2/5)`; `nil` outside lessons.
  package var lessonPrompt: String? {
    guard let lesson else { return nil }
    let count = lesson.lesson.stops.count
    return lesson.stop == nil
      ? "(\(lesson.source.name) end)"
      : "(\(lesson.source.name) \(lesson.progress.stop + 1)/\(count))"
  }
}
