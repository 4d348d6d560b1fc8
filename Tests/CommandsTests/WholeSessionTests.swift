import Foundation
import StrataBase
import StrataCommands
import StrataNotebook
import TestSupport
import Testing

@Suite("A session that uses every command, saved, replayed, edited and replayed")
struct WholeSessionTests {
  /// What handles sessions themselves: it is no part of what is saved, but of what may be written.
  private static let others = [
    "set", "help hash", "history", "save inner.md", "samples", "forget", "run small.strata",
    "open small.strata --force",
    "replay small.strata", "export small.strata small.html", "lesson versions", "answer 3",
    "lesson next", "task", "skip", "hint",
    "again", "lesson leave", "quit",
  ]

  @Test("it contains every command")
  func everyCommand() {
    let used = (WholeSession.lines + Self.others).compactMap { $0.split(separator: " ").first }
    // What lies in the folder is more at each replay, and `edit` needs a terminal.
    #expect(
      Set(used.map(String.init))
        == Set(CommandTable.names).subtracting(["project", "check", "lock", "edit"]))
  }

  @Test("each form replays, is edited, replays", arguments: SessionForm.allCases)
  func cycle(form: SessionForm) throws {
    let folder = try TemporaryFolder()
    try folder.write("samples\n", to: "small.strata")
    let session = TestSession(in: folder)
    for line in WholeSession.lines {
      let evaluation = session(line)
      #expect(evaluation.status < .failed, "\(line): \(evaluation.diagnostics)")
    }
    let name = form == .script ? "s.strata" : "s.md"
    #expect(
      session("save \(name)").output == "saved \(WholeSession.lines.count) commands to \(name)\n")
    let count = WholeSession.lines.count
    func replay(_ options: String = "") -> Evaluation {
      TestSession(in: folder)("replay \(name)\(options)")
    }
    #expect(replay().output.hasSuffix(": \(count) commands, \(count) same\n"), "\(replay().output)")

    // Edited by hand: prose, another answer, further commands of every other kind.
    func text() throws -> String { try String(contentsOfFile: folder.path(name), encoding: .utf8) }
    var edited = try text().replacing("5 versions, current Model5", with: "five versions")
    edited +=
      form == .script
      ? "# And then:\n" + Self.others.joined(separator: "\n") + "\n"
      : "\nAnd then:\n\n```strata\n" + Self.others.map { "> \($0)\n" }.joined() + "```\n"
    try folder.write(edited, to: name)
    let differing = replay()
    #expect(differing.status == .no)
    #expect(
      differing.output.contains("1 differs, \(Self.others.count - 2) not recorded"),
      "\(differing.output)")
    let updated = replay(" --update --all")
    #expect(updated.status == .done, "\(updated.output)")
    let all = count + Self.others.count
    #expect(replay().output.hasSuffix(": \(all) commands, \(all) same\n"), "\(replay().output)")
    #expect(try text().contains("And then:"))

    // In the other form it says the same.
    let opened = TestSession(in: folder)
    #expect(opened("open \(name)").status == .done)
    let other = form == .script ? "o.md" : "o.strata"
    #expect(opened("save \(other)").status == .done)
    #expect(
      TestSession(in: folder)("replay \(other)").output.hasSuffix(
        ": \(all) commands, \(all) same\n"))
  }
}
