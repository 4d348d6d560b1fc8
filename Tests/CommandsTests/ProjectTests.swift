import Foundation
import StrataCommands
import StrataDiagnostics
import TestSupport
import Testing

@Suite("Projects")
struct ProjectTests {
  @Test("a policy file that is a pipe, a folder, or leads out of a replayed document is not read")
  func policies() throws {
    let (folder, other) = (try TemporaryFolder(), try TemporaryFolder())
    try other.write("policy Secret\n", to: "p.policy")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("link.policy"), withDestinationPath: other.path("p.policy"))
    #expect(mkfifo(folder.path("pipe.policy"), 0o600) == 0)
    try folder.write("", to: "folder.policy/file")
    let session = TestSession(
      try Session(replayingIn: folder.url.path, below: [folder.url.path]))
    let shown = session("project .")
    #expect(shown.status == .done && !shown.output.contains("Secret"), "\(shown)")
    for (name, why) in [
      ("link", "reaches only below"), ("pipe", "a pipe or a device"), ("folder", "a folder"),
    ] {
      let row = shown.output.split(separator: "\n").first { $0.contains("\(name).policy") }
      #expect(row?.contains(why) == true, "\(name): \(shown)")
    }
  }
}
