import Foundation
import TestSupport
import Testing

@Suite("Recorded sessions")
struct SessionTests {
  @Test("a session on the samples gives the recorded answers", arguments: RecordedSession.all())
  func session(_ session: RecordedSession) throws {
    let folder = try TemporaryFolder()
    try SampleStore.topics(at: folder.path("phone.sqlite"))
    try Self.wrongMapping.write(
      toFile: folder.path("Wrong.mapping"), atomically: true, encoding: .utf8)
    #expect(try session.differences(in: folder.url.path) == "")
  }

  /// A key path that ends in a key that no list has: only topics that have a list come to it.
  private static let wrongMapping = """
    mapping from sample:Topics/Model1 to sample:Topics/Model2

    TopicToTopic: Topic -> Topic
      timeBudget = $source.topicList.titel.length
      topicList <- $source.topicList through TopicListToTopicList

    TopicListToTopicList: TopicList -> TopicList

    """

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
