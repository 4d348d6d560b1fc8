internal import StrataBase
internal import StrataNotebook
internal import StrataRendering

/// The question or task at which a lesson is.
struct LessonStopView {
  private let run: LessonRun

  init(_ run: LessonRun) { self.run = run }

  var lines: [StyledText] {
    switch run.stop {
    case nil: end
    case .question(let question): lines(of: question)
    case .task(let task): lines(of: task)
    case .prose, .command: []
    }
  }

  private var number: String {
    "\(run.progress.stop + 1)/\(run.lesson.stops.count)"
  }

  private func lines(of question: Question) -> [StyledText] {
    let use =
      switch question.kind {
      case .one: "`answer N` answers with the number of a choice."
      case .all: "`answer N N …` names all right choices."
      case .text: "`answer TEXT` answers."
      }
    return [StyledText("Question \(number): ", .heading) + StyledText(question.text)]
      + (question.kind == .text ? [] : Self.choices(of: question))
      + [StyledText(fix: use, .faint)]
  }

  private static func choices(of question: Question) -> [StyledText] {
    question.choices.enumerated().map { index, choice in
      StyledText("  \(index + 1)  ", .name) + StyledText(choice.text)
    }
  }

  private func lines(of task: LessonTask) -> [StyledText] {
    [
      StyledText("Task \(number): ", .heading) + StyledText(task.goal),
      StyledText(fix: "`task` checks it, `hint` helps; then `lesson next`.", .faint),
    ]
  }

  private var end: [StyledText] {
    let results = run.lesson.stops.indices.map { run.progress.results[$0] ?? StopResult() }
    let questions = run.lesson.stops.indices.filter {
      if case .question = run.lesson.parts[run.lesson.stops[$0]] { true } else { false }
    }
    let predicted = questions.count { results[$0].isDone && results[$0].answers.count == 1 }
    return [
      StyledText("End of the lesson: ", .heading)
        + StyledText(
          "\(predicted) of \(Phrase.count(questions.count, "question", "questions")) answered right at once."
        ),
      StyledText(
        fix:
          "`save \(run.source.name)-notes.md` writes what you typed, answered and saw as a notebook; `lesson` lists the lessons.",
        .faint),
    ]
  }

  // MARK: In the notebook

  /// The current question or task as prose of a notebook.
  var record: [String] {
    switch run.stop {
    case .question(let question):
      let choices =
        question.kind == .text
        ? [] : [""] + question.choices.enumerated().map { "\($0 + 1). \($1.text)" }
      return ["", "**Question:** \(question.text)"] + choices
    case .task(let task): return ["", "**Task:** \(task.goal)"]
    case .prose, .command, nil: return []
    }
  }

  /// An answer with its reasons as prose of a notebook.
  static func record(_ answer: [String], _ verdict: Question.Verdict) -> [String] {
    let reasons = verdict.choices.map(\.reason)
    return ["", "**Answer:** \(answer.joined(separator: " "))"]
      + (reasons.isEmpty ? [""] : reasons).map {
        (verdict.isRight ? "Right: " : "Not right: ") + $0
      }
  }
}
