package import StrataBase

/// An error in a lesson or its file of hidden checks; lines count from 1.
package struct LessonError: Error, Hashable, Sendable {
  package enum Problem: Hashable, Sendable {
    case noTitle
    case nothingToDo
    case unclosedComment
    case textAfterComment
    case blockInComment
    case unknownKind(String)
    case unknownWord(String, meant: String)
    case emptyText
    case noReason(choice: String)
    case sameChoice(String)
    case rightChoices(Int, Question.Kind)
    case onlyOneChoice
    case hintWithoutTask
    case noSolution
    case severalSessions
    case badCheck
    case noSuchTask(Int, tasks: [Int])
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
    case .textAfterComment:
      (
        "lesson.textAfterComment", "there is text after `-->`",
        "write it on a line of its own"
      )
    case .blockInComment:
      (
        "lesson.blockInComment", "a block of commands is inside the comment",
        "end the comment with `-->` before the block"
      )
    case .unknownKind(let kind):
      (
        "lesson.unknownKind", "there is no question of the kind \"\(kind)\"",
        "write `ask one:`, `ask all:` or `ask text:`"
      )
    case .unknownWord(let word, let meant):
      (
        "lesson.unknownWord", "\(word) is no word of a lesson",
        NearestName.question("\(meant):")
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
    case .badCheck:
      (
        "lesson.badCheck", "this line is no hidden check",
        "write the number of the task and the condition: `2: count list.sqlite Topic 3`"
      )
    case .noSuchTask(let number, let tasks):
      (
        "lesson.noSuchTask", "there is no task with the number \(number)",
        tasks.isEmpty
          ? "the lesson has no task"
          : "tasks and questions are counted together; the tasks are \(Phrase.list(tasks.map(String.init)))"
      )
    }
  }
}
