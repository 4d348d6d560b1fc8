import Foundation
import TestSupport
import Testing

@Suite("Recorded sessions")
struct SessionTests {
  @Test("a session on the samples gives the recorded answers", arguments: RecordedSession.all())
  func session(_ session: RecordedSession) throws {
    let folder = try TemporaryFolder()
    try SampleStore.topics(at: folder.path("phone.sqlite"))
    #expect(try session.differences(in: folder.url.path) == "")
  }

  @Test("there are sessions to replay")
  func thereAreSessions() {
    #expect(RecordedSession.all().count >= 5)
  }

  @Test("the session of the README gives the recorded answers")
  func readme() throws {
    var root = URL(fileURLWithPath: #filePath)
    for _ in 0..<3 { root.deleteLastPathComponent() }
    let readme = RecordedSession(path: root.appendingPathComponent("README.md").path)
    #expect(try readme.differences(in: TemporaryFolder().url.path) == "")
  }
}
