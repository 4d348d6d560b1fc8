import Foundation
import StrataNotebook
import StrataSamples
import TestSupport
import Testing

@Suite("Lessons in a terminal", .enabled(if: TerminalWindow.isAvailable))
struct LessonTerminalTests {
  /// All with `LESSONS=all`; else those with the least and the most commands.
  static let names: [String] = {
    let all = BuiltInLesson.all.map(\.name)
    return ProcessInfo.processInfo.environment["LESSONS"] == "all" ? all : Array(all.prefix(1))
  }()

  @Test("a learner gets from the first question to the end in 80 columns", arguments: names)
  func play(name: String) async throws {
    let text = try #require(BuiltInLesson.all.first { $0.name == name }).text
    let lesson = try Lesson(reading: SessionDocument(reading: text, form: .markdown))
    let folder = try TemporaryFolder()
    let path = folder.url.path
    let problems = try await waiting { try Self.problems(of: lesson, named: name, in: path) }
    #expect(problems.isEmpty, "\(problems)")
    #expect(
      FileManager.default.fileExists(
        atPath: folder.path(".local/share/strata/lessons/\(name)/notes.md")))
  }

  private static let more = "More: press Enter, or type `lesson next`."

  private static func problems(
    of lesson: Lesson, named name: String, in folder: String
  ) throws -> [String] {
    let window = TerminalWindow(folder: folder)
    defer { window.close() }
    try window.start(arguments: ["lesson", name], waitingFor: "(\(name) 1/")
    var problems: [String] = []
    func type(_ line: String, until prompt: String) throws {
      try window.press("C-l")
      try window.type(line)
      try window.press("Enter")
      let limit = Date(timeIntervalSinceNow: 300)
      while Date() < limit {
        let screen = try window.screen()
        if screen.last?.hasPrefix(prompt) == true, screen.last?.hasSuffix(">") == true,
          screen.count > 1
        {
          return
        }
        Thread.sleep(forTimeInterval: 0.02)
      }
      problems.append("\(line): \(try window.screen().joined(separator: "\n"))")
    }
    /// Reads on where a passage is longer than the screen.
    func readOn() throws {
      while problems.isEmpty, try window.screen().dropLast().last == Self.more {
        try type("lesson next", until: "(")
      }
    }
    // Enter is enough where a passage pauses.
    if try window.screen().dropLast().last == more {
      let paused = try window.screen()
      try window.press("Enter")
      // Two equal screens that differ from that one: the passage is shown.
      var screens = (before: paused, now: paused)
      let limit = Date(timeIntervalSinceNow: 300)
      repeat {
        Thread.sleep(forTimeInterval: 0.5)
        screens = (screens.now, try window.screen())
      } while (screens.now == paused || screens.now != screens.before) && Date() < limit
      if screens.now == paused { problems.append("Enter does not continue") }
    }
    try readOn()
    // A pager would wait for keys of its own.
    try type("set pager off", until: "(")
    for stop in lesson.stops where problems.isEmpty {
      // In the stepper, the prompt tells another place.
      for line in LessonKeys.lines(at: lesson.parts[stop]) { try type(line.text, until: "(") }
      try type("lesson next", until: "(")
      try readOn()
    }
    try type("save notes.md", until: "(\(name) end)>")
    return problems
  }
}
