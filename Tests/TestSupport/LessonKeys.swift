package import StrataNotebook

/// What a learner types at a question or task: each wrong answer, then the right one; or a hint and the solution.
package enum LessonKeys {
  package static func lines(
    at part: Lesson.Part
  ) -> [(text: String, isRight: Bool?)] {
    switch part {
    case .question(let question):
      let numbers = question.choices.indices
      let right = numbers.filter { question.choices[$0].isRight }
      let wrong = numbers.filter { !question.choices[$0].isRight }
      func answer(_ choices: [Int]) -> String {
        "answer "
          + choices.map { index in
            question.kind == .text ? "'\(question.choices[index].text)'" : String(index + 1)
          }.joined(separator: " ")
      }
      let rightLine = question.kind == .all ? right : Array(right.prefix(1))
      return wrong.map { (answer([$0]), false) } + [(answer(rightLine), true)]
    case .task(let task):
      return [("task", nil), ("hint", nil)] + task.solution.map { ($0.command, nil) }
    case .prose, .command: return []
    }
  }
}
