import Foundation
import StrataBase
import StrataCommands
import TestSupport
import Testing

@Suite("Projects")
struct ProjectTests {
  @Test(
    "a policy or stages file that is a pipe, a folder or outside a replayed document is not read",
    arguments: [("policy", "policy Secret\n"), ("stages", "stage lightweight Secret\n")])
  func unreadable(kind: String, text: String) throws {
    let (folder, other) = (try TemporaryFolder(), try TemporaryFolder())
    try other.write(text, to: "p.\(kind)")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("link.\(kind)"), withDestinationPath: other.path("p.\(kind)"))
    #expect(mkfifo(folder.path("pipe.\(kind)"), 0o600) == 0)
    try folder.write("", to: "folder.\(kind)/file")
    let session = TestSession(
      try Session(replayingIn: folder.url.path, below: [folder.url.path]))
    let shown = session("project .")
    #expect(shown.status == .done && !shown.output.contains("Secret"), "\(shown)")
    for (name, why) in [
      ("link", "can only access files in"), ("pipe", "a pipe or a device"), ("folder", "a folder"),
    ] {
      let row = shown.output.split(separator: "\n").first { $0.contains("\(name).\(kind)") }
      #expect(row?.contains(why) == true, "\(name): \(shown)")
    }
  }
}
