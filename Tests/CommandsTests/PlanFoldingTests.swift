import StrataCommands
import TestSupport
import Testing

@Suite("Plans with many entity mappings")
struct PlanFoldingTests {
  /// Versions with as many entities; the first ones get a second attribute.
  private static func session(
    _ count: Int, changed: Int, in folder: TemporaryFolder
  ) throws -> TestSession {
    for version in 1...2 {
      let entities = (0..<count).map { number in
        let added =
          version == 2 && number < changed
          ? #"<attribute name="b" attributeType="String" optional="YES"/>"# : ""
        return """
          <entity name="E\(number)"><attribute name="a" attributeType="String" optional="YES"/>\(added)</entity>
          """
      }
      try folder.write(
        "<model>\(entities.joined())</model>",
        to: "Many.xcdatamodeld/V\(version).xcdatamodel/contents")
    }
    return TestSession(in: folder)
  }

  @Test(
    "more than twelve fold to their numbers; those that change something stay, up to twelve",
    arguments: [
      (12, 1, nil, 12), (13, 1, "12 copied, 1 transformed", 1),
      (40, 12, "28 copied, 12 transformed", 12),
      (40, 13, "27 copied, 13 transformed", 0), (40, 40, "40 transformed", 0),
    ] as [(Int, Int, String?, Int)])
  func folds(count: Int, changed: Int, summary: String?, shown: Int) throws {
    let folder = try TemporaryFolder()
    let session = try Self.session(count, changed: changed, in: folder)
    let line = "plan Many.xcdatamodeld/V1 --to Many.xcdatamodeld/V2"
    let folded = session(line).output
    #expect(folded.contains("--all lists them") == (summary != nil))
    if let summary { #expect(folded.contains("  \(summary); --all")) }
    #expect(folded.split(separator: "\n").count { $0.contains("IEM_") } == shown)
    let whole = session("\(line) --all").output
    #expect(whole.split(separator: "\n").count { $0.contains("IEM_") } == count)
  }
}
