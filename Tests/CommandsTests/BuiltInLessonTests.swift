import Foundation
import StrataBase
import StrataCommands
import StrataNotebook
import StrataSamples
import TestSupport
import Testing

@Suite("The built-in lessons")
struct BuiltInLessonTests {
  static let names = BuiltInLesson.all.map(\.name)

  private static func lesson(_ name: String) throws -> (text: String, lesson: Lesson) {
    let text = try #require(BuiltInLesson.all.first { $0.name == name }).text
    return (text, try Lesson(reading: SessionDocument(reading: text, form: .markdown)))
  }

  @Test(
    "each check holds after its solution, and at no other place",
    arguments: CaseCount.some(of: names))
  func checks(name: String) throws {
    let folder = try TemporaryFolder()
    let test = TestSession(in: folder)("lesson test \(name)")
    #expect(test.status == .done, "\(test.output)\(test.diagnostics)")
  }

  @Test("each is a notebook whose answers are the current ones", arguments: names)
  func replay(name: String) throws {
    let folder = try TemporaryFolder()
    try folder.write(try Self.lesson(name).text, to: "\(name).md")
    let replay = TestSession(in: folder)("replay \(name).md --complete")
    #expect(replay.status == .done, "\(replay.output)\(replay.diagnostics)")
  }

  @Test(
    "each is played with every wrong answer, other commands and the solutions",
    arguments: CaseCount.some(of: names))
  func play(name: String) throws {
    let lesson = try Self.lesson(name).lesson
    let folder = try TemporaryFolder()
    let session = TestSession(in: folder)
    #expect(session("lesson \(name)").status == .done)
    for (number, stop) in lesson.stops.enumerated() {
      #expect(session.session.lessonPrompt == "(\(name) \(number + 1)/\(lesson.stops.count))")
      session("loaded")
      session("samples")
      for line in LessonKeys.lines(at: lesson.parts[stop]) {
        let evaluation = session(line.text)
        if let isRight = line.isRight {
          #expect((evaluation.status == .done) == isRight, "\(line): \(evaluation.output)")
          #expect(evaluation.output.contains(isRight ? "Right: " : "Not right: "))
        }
      }
      let next = session("lesson next")
      #expect(next.status == .done, "\(next.diagnostics)")
    }
    #expect(session.session.lessonPrompt == "(\(name) end)")
  }

  @Test(
    "they fit into a terminal: prose has at most 78 columns, and each has questions, tasks and hints",
    arguments: names)
  func form(name: String) throws {
    let (_, lesson) = try Self.lesson(name)
    for case .prose(let lines) in lesson.parts {
      for line in lines { #expect(line.count <= 78, "\(line)") }
    }
    #expect(lesson.tasks.allSatisfy { $0.task.hints.count > 1 && !$0.task.checks.isEmpty })
    #expect(!lesson.tasks.isEmpty && lesson.stops.count >= 3)
    #expect(!lesson.summary.isEmpty)
  }
}
