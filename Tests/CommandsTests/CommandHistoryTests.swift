import StrataBase
import StrataCommands
import TestSupport
import Testing

@Suite("Command history")
struct CommandHistoryTests {
  @Test("a repeated line is kept once, as the newest")
  func unique() {
    var history = CommandHistory()
    for line in ["load a", "show a", "load a"] { history.add(line) }
    #expect(history.lines == ["show a", "load a"])
  }

  @Test("the oldest lines are removed first")
  func limit() {
    var history = CommandHistory()
    for number in 0..<(CommandHistory.limit + 5) { history.add("show \(number)") }
    #expect(history.lines.count == CommandHistory.limit && history.lines.first == "show 5")
  }

  @Test("any line can be written to a file and read again")
  func file() {
    let lines = ["show 'a\nb'", #"show a\ b"#, #"show \n"#, "show Grüße 🎈", #"\\"#, "\\\n"]
    let text = lines.map(CommandHistory.text(of:)).joined()
    #expect(text.split(separator: "\n").count == lines.count)
    #expect(CommandHistory(reading: text).lines == lines)
    #expect(CommandHistory(reading: "a\nb\n\na\n\\").lines == ["b", "a", ""])
  }

  @Test("history lists, searches and limits")
  func command() throws {
    let session = TestSession(in: try TemporaryFolder())
    for line in ["load sample:Topics", "loaded", "show Model1"] { session.session.typed.add(line) }
    #expect(session("history").output == "load sample:Topics\nloaded\nshow Model1\n")
    #expect(session("history load --limit 1").output == "… 1 older: history --limit 2\nloaded\n")
    #expect(session("history --limit 0").status == .usage)
  }
}
