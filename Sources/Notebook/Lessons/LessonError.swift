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
    switch problem {
    case .noTitle:
      diagnostic(
        "lesson.noTitle", "a lesson begins with a heading", "write `# Title` as the first line")
    case .nothingToDo:
      diagnostic(
        "lesson.nothingToDo", "the notebook contains no question and no task",
        "add a comment `<!-- ask one: …` or `<!-- task: …`; `run` and `open` play other notebooks"
      )
    case .unclosedComment:
      diagnostic(
        "lesson.unclosedComment", "the comment that begins here is never closed",
        "end it with `-->`"
      )
    case .textAfterComment:
      diagnostic(
        "lesson.textAfterComment", "there is text after `-->`",
        "write it on a line of its own"
      )
    case .blockInComment:
      diagnostic(
        "lesson.blockInComment", "a block of commands is inside the comment",
        "end the comment with `-->` before the block"
      )
    case .unknownKind(let kind):
      diagnostic(
        "lesson.unknownKind", "there is no question of the kind \"\(kind)\"",
        "write `ask one:`, `ask all:` or `ask text:`"
      )
    case .unknownWord(let word, let meant):
      diagnostic(
        "lesson.unknownWord", "\(word) is no word of a lesson",
        NearestName.question("\(meant):")
      )
    case .emptyText:
      diagnostic(
        "lesson.emptyText", "a text is missing after the colon",
        "write the question, task or hint there"
      )
    case .noReason(let choice):
      diagnostic(
        "lesson.noReason", "the choice \"\(choice)\" has no reason",
        "write it after two spaces: why the choice is right, or why it is tempting"
      )
    case .sameChoice(let choice):
      diagnostic("lesson.sameChoice", "the choice \"\(choice)\" occurs twice", "remove one of them")
    case .rightChoices(let count, let kind):
      diagnostic(
        "lesson.rightChoices",
        kind == .one
          ? "\(count) choices are marked as right, and a question `ask one` has exactly 1"
          : "no choice is marked as right", "begin the reason of a right choice with `* `"
      )
    case .onlyOneChoice:
      diagnostic(
        "lesson.onlyOneChoice", "the question has only one choice", "add tempting wrong choices")
    case .hintWithoutTask:
      diagnostic(
        "lesson.hintWithoutTask", "there is no task directly before this hint",
        "move it below the task, before the solution"
      )
    case .noSolution:
      diagnostic(
        "lesson.noSolution", "the task has no solution",
        "write it directly after the task and its hints, as a block of commands"
      )
    case .severalSessions:
      diagnostic(
        "lesson.severalSessions", "a lesson is one session, and this block starts a new one",
        "omit `fresh`"
      )
    case .badCheck:
      diagnostic(
        "lesson.badCheck", "this line is no hidden check",
        "write the number of the task and the condition: `2: count list.sqlite Topic 3`"
      )
    case .noSuchTask(let number, let tasks):
      diagnostic(
        "lesson.noSuchTask", "there is no task with the number \(number)",
        tasks.isEmpty
          ? "the lesson has no task"
          : "tasks and questions are counted together; the tasks are \(Phrase.list(tasks.map(String.init)))"
      )
    }
  }

  private func diagnostic(_ id: String, _ what: String, _ fix: String) -> Diagnostic {
    Diagnostic(id: id, what: what, location: Location(line: line), fix: fix)
  }
}
