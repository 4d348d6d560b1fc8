import Foundation
import TestSupport
import Testing

@Suite("Recorded sessions on real files", .needsCorpus)
struct CorpusSessionTests {
  @Test("a session gives the recorded answers", arguments: RecordedSession.all())
  func session(_ session: RecordedSession) throws {
    #expect(try session.differences(in: Corpus.folder.path) == "")
  }
}
