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
      + [StyledText(use, .faint)]
  }

  private static func choices(of question: Question) -> [StyledText] {
    question.choices.enumerated().map { index, choice in
      StyledText("  \(index + 1)  ", .name) + StyledText(choice.text)
    }
  }

  private func lines(of task: LessonTask) -> [StyledText] {
    [
      StyledText("Task \(number): ", .heading) + StyledText(task.goal),
      StyledText("`task` checks it, `hint` helps; then `lesson next`.", .faint),
    ]
  }

  private var end: [StyledText] {
    let results = run.lesson.stops.indices.map { run.progress.results[$0] ?? StopResult() }
    let questions = zip(run.lesson.stops, results).filter { index, _ in
      if case .question = run.lesson.parts[index] { true } else { false }
    }.map(\.1)
    let first = questions.count { $0.isDone && $0.answers.count == 1 }
    let skipped = results.count { $0.isSkipped }
    var score = [
      "\(first) of \(Phrase.count(questions.count, "question")) answered right on the first try"
    ]
    if skipped > 0 { score.append("\(skipped) of \(results.count) questions and tasks skipped") }
    let next = LessonSource.builtIn.firstIndex { $0.name == run.source.name }
      .flatMap { LessonSource.builtIn.dropFirst($0 + 1).first }
    var advice =
      "`save \(run.source.name)-notes.md` writes what you typed, answered and saw as a notebook."
    if run.source.file == nil, let next { advice += " Next: `lesson \(next.name)`." }
    return [
      StyledText("End of the lesson: ", .heading) + StyledText(score.joined(separator: ", ") + "."),
      StyledText(advice, .faint),
    ]
  }

  /// The right answer to a question and why, for a learner who did not find it.
  static func solution(of question: Question) -> [StyledText] {
    let right = question.choices.enumerated().filter(\.element.isRight)
    return right.map { index, choice in
      StyledText("Right would have been: ", .warning)
        + StyledText(question.kind == .text ? choice.text : "\(index + 1) (\(choice.text))")
        + StyledText(choice.reason.isEmpty ? "" : ", since: \(choice.reason)")
    }
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
    var reasons = reasons(of: verdict)
    reasons[0] = mark(of: verdict) + reasons[0]
    return ["", "**Answer:** \(answer.joined(separator: " "))", ""] + reasons + [""]
  }

  /// What begins the first reason: whether an answer is right.
  static func mark(of verdict: Question.Verdict) -> String {
    verdict.isRight ? "Right: " : "Not right: "
  }

  /// Why an answer is right or not; never empty.
  static func reasons(of verdict: Question.Verdict) -> [String] {
    let reasons = verdict.choices.map { choice in
      verdict.choices.count > 1 ? "\(choice.text): \(choice.reason)" : choice.reason
    }.filter { !$0.isEmpty }
    let missing =
      Phrase.count(verdict.missing, "right choice is", "right choices are") + " missing."
    let all = reasons + (verdict.missing > 0 ? [missing] : [])
    return all.isEmpty ? ["try again."] : all
  }
}
