/// A notebook that teaches: prose, commands to see, questions and tasks.
///
/// ```swift
/// let text = "# Sums\n<!-- ask one: 1 + 1?\n- 1  too few\n- 2  * yes\n-->\n"
/// let lesson = try Lesson(reading: SessionDocument(reading: text, form: .markdown))
/// lesson.stops.count  // 1
/// ```
///
/// Questions, tasks and hints are HTML comments, so that any Markdown viewer reads a lesson and `replay` replays it:
/// ```
/// <!-- ask one: Does a store of Model1 open with Model2?
///   - yes  look at `compare`: which entity differs?
///   - no   * the hash of Topic differs
/// -->
/// <!-- task: Rename an attribute without losing a value.
///   check: inferable V1 V2
///   check: value list.sqlite Topic.title p1 'First steps'  the title of the first topic is lost
/// -->
/// <!-- hint: What tells Core Data that both are the same attribute? -->
/// ```
/// Two spaces separate a choice from its reason, and a condition from the message for the learner. A condition after `keep:`
/// may be true before the task is done. The commands directly after a task and its hints are its solution.
package struct Lesson: Sendable, Hashable {
  /// The first heading.
  package let title: String
  /// The first paragraph, in one line.
  package let summary: String
  package internal(set) var parts: [Part]
  package let document: SessionDocument

  package enum Part: Sendable, Hashable {
    case prose([String])
    case command(SessionEntry)
    case question(Question)
    case task(LessonTask)
  }

  /// The indices in ``parts`` of the questions and tasks.
  package var stops: [Int] {
    parts.indices.filter { index in
      switch parts[index] {
      case .question, .task: true
      case .prose, .command: false
      }
    }
  }

  /// The tasks in the order of the lesson, each with its number among the questions and tasks, from 1.
  package var tasks: [(number: Int, task: LessonTask)] {
    stops.enumerated().compactMap { index, part in
      if case .task(let task) = parts[part] { (index + 1, task) } else { nil }
    }
  }

  /// The commands before a task, with the solutions of the tasks before it.
  package func commands(beforeTask index: Int) -> [SessionEntry] {
    var commands: [SessionEntry] = []
    var tasks = 0
    for part in parts {
      switch part {
      case .command(let entry): commands.append(entry)
      case .task(let task):
        guard tasks < index else { return commands }
        tasks += 1
        commands += task.solution
      case .prose, .question: break
      }
    }
    return commands
  }
}

/// An exercise with the conditions that tell whether it is done.
package struct LessonTask: Sendable, Hashable {
  package let goal: String
  package internal(set) var checks: [LessonCheck]
  package internal(set) var hints: [String]
  /// The commands of a model solution.
  package internal(set) var solution: [SessionEntry]
  /// The line at which it begins, from 1.
  package let line: Int
}

/// A condition of `expect` for the state of the session, with a message for the learner.
package struct LessonCheck: Sendable, Hashable {
  package let condition: String
  /// What to tell if the condition is false.
  package let message: String?
  /// Whether the learner must not see the condition.
  package let isHidden: Bool
  /// Whether it may be true before the task is done, and must stay true.
  package let isKept: Bool
  /// The line in the lesson, or in its file of hidden checks.
  package let line: Int
}
