package import StrataBase

/// An error in a lesson or its file of hidden checks; lines count from 1.
package struct LessonError: Error, Hashable, Sendable {
  package enum Problem: Hashable, Sendable {
    case noTitle
    case nothingToDo
    case unclosedComment
    case unknownKind(String)
    case emptyText
    case noReason(choice: String)
    case sameChoice(String)
    case rightChoices(Int, Question.Kind)
    case onlyOneChoice
    case hintWithoutTask
    case noSolution
    case severalSessions
    case badCheck(String)
    case noSuchTask(Int, count: Int)
  }

  package var problem: Problem
  package var line: Int

  init(_ problem: Problem, line: Int) {
    self.problem = problem
    self.line = line
  }
}

extension LessonError: DiagnosticError {
  package var diagnostic: Diagnostic {
    let (id, what, fix) = text
    return Diagnostic(id: id, what: what, location: Location(line: line), fix: fix)
  }

  private var text: (id: String, what: String, fix: String) {
    switch problem {
    case .noTitle:
      ("lesson.noTitle", "a lesson begins with a heading", "write `# Title` as the first line")
    case .nothingToDo:
      (
        "lesson.nothingToDo", "the notebook contains no question and no task",
        "add a comment `<!-- ask one: …` or `<!-- task: …`; `run` and `open` play other notebooks"
      )
    case .unclosedComment:
      (
        "lesson.unclosedComment", "the comment that begins here is never closed",
        "end it with `-->`"
      )
    case .unknownKind(let kind):
      (
        "lesson.unknownKind", "there is no question of the kind \"\(kind)\"",
        "write `ask one:`, `ask all:` or `ask text:`"
      )
    case .emptyText:
      (
        "lesson.emptyText", "a text is missing after the colon",
        "write the question, task or hint there"
      )
    case .noReason(let choice):
      (
        "lesson.noReason", "the choice \"\(choice)\" has no reason",
        "write it after two spaces: why the choice is right, or why it is tempting"
      )
    case .sameChoice(let choice):
      ("lesson.sameChoice", "the choice \"\(choice)\" occurs twice", "remove one of them")
    case .rightChoices(let count, let kind):
      (
        "lesson.rightChoices",
        kind == .one
          ? "\(count) choices are marked as right, and a question `ask one` has exactly 1"
          : "no choice is marked as right", "begin the reason of a right choice with `* `"
      )
    case .onlyOneChoice:
      ("lesson.onlyOneChoice", "the question has only one choice", "add tempting wrong choices")
    case .hintWithoutTask:
      (
        "lesson.hintWithoutTask", "there is no task directly before this hint",
        "move it below the task, before the solution"
      )
    case .noSolution:
      (
        "lesson.noSolution", "the task has no solution",
        "write it directly after the task and its hints, as a block of commands"
      )
    case .severalSessions:
      (
        "lesson.severalSessions", "a lesson is one session, and this block starts a new one",
        "omit `fresh`"
      )
    case .badCheck(let line):
      (
        "lesson.badCheck", "this is no hidden check: \(line)",
        "write the number of the task and the condition: `2: count list.sqlite Topic 3`"
      )
    case .noSuchTask(let number, let count):
      (
        "lesson.noSuchTask", "there is no task \(number); the lesson has \(count)",
        "count the tasks from 1"
      )
    }
  }
}
