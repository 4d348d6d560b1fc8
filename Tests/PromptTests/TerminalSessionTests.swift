import Foundation
import TestSupport
import Testing

@Suite("Terminal sessions", .enabled(if: TerminalWindow.isAvailable))
struct TerminalSessionTests {
  @Test(
    "the keys of a session give the recorded screens",
    arguments: TerminalRecording.all(beside: #filePath))
  func session(_ recording: TerminalRecording) async throws {
    let folder = try TemporaryFolder()
    try SampleStore.topics(at: folder.path("phone.sqlite"))
    if try String(contentsOfFile: recording.path, encoding: .utf8).contains("big.sqlite") {
      try Self.makeBigStore(in: folder)
    }
    let path = folder.url.path
    let differences = try await waiting { try recording.differences(in: path) }
    #expect(differences.isEmpty, "\(differences)")
  }

  @Test("there are sessions to play")
  func thereAreSessions() {
    #expect(TerminalRecording.all(beside: #filePath).count >= 5)
  }

  /// A store whose rehearsal takes far longer than a test waits.
  private static func makeBigStore(in folder: TemporaryFolder) throws {
    let path = folder.path("big.sqlite")
    try FileManager.default.copyItem(atPath: folder.path("phone.sqlite"), toPath: path)
    let other = try OtherProgram(using: path)
    try other.run(
      """
      INSERT INTO ZTOPIC (Z_PK, Z_ENT, Z_OPT, ZCONTENT) \
      WITH RECURSIVE n(i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n WHERE i < 300000) \
      SELECT i, (SELECT Z_ENT FROM ZTOPIC LIMIT 1), 1, 'topic ' || i FROM n
      """)
    other.close()
  }
}
