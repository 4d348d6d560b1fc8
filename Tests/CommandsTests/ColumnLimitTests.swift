import StrataBase
import TestSupport
import Testing

@testable import StrataCommands

@Suite("Models with more columns than SQLite allows")
struct ColumnLimitTests {
  /// A model of a parent and a child entity with so many attributes each, and a version before it.
  private func session(_ own: Int, _ inherited: Int) throws -> (TestSession, TemporaryFolder) {
    let folder = try TemporaryFolder()
    func attributes(_ count: Int, _ letter: String) -> String {
      (0..<count).map {
        "<attribute name=\"\(letter)\($0)\" optional=\"YES\" attributeType=\"String\"/>"
      }.joined()
    }
    func entities(_ own: Int, _ inherited: Int) -> String {
      "<entity name=\"Item\">\(attributes(inherited, "a"))</entity>"
        + "<entity name=\"Part\" parentEntity=\"Item\">\(attributes(own, "b"))</entity>"
    }
    try folder.writeBundle(["V1": entities(1, 1), "V2": entities(own, inherited)])
    return (TestSession(in: folder), folder)
  }

  @Test("2,000 columns are accepted: 3 system columns, and those of all entities of the hierarchy")
  func used() throws {
    let (session, folder) = try session(997, 1000)
    defer { _ = folder }
    #expect(session("create a.sqlite --model X.xcdatamodeld/V2 --rows 1").status == .done)
    #expect(session("create b.sqlite --model X.xcdatamodeld/V1 --rows 1").status == .done)
    #expect(session("plan b.sqlite --to X.xcdatamodeld/V2").status == .done)
  }

  @Test("one more column is an error before anything is written, with entity and number")
  func refused() throws {
    let (session, folder) = try session(998, 1000)
    #expect(session("create b.sqlite --model X.xcdatamodeld/V1 --rows 1").status == .done)
    let before = try folder.state()
    let lines = [
      ("create a.sqlite --model X.xcdatamodeld/V2", 2),
      ("create a.xml --model X.xcdatamodeld/V2", 2),
      ("plan X.xcdatamodeld/V1 --to X.xcdatamodeld/V2", 1),
      ("plan b.sqlite --to X.xcdatamodeld/V2", 1),
      ("migrate b.sqlite --to X.xcdatamodeld/V2 --dry-run", 1),
      ("migrate b.sqlite --to X.xcdatamodeld/V2", 2),
      ("infer X.xcdatamodeld/V1 X.xcdatamodeld/V2", 0),
    ]
    for (line, status) in lines {
      let answer = session(line)
      #expect(
        answer.status.rawValue == Int32(status), "\(line): \(answer.output)\(answer.diagnostics)")
      #expect(
        (answer.output + answer.diagnostics).contains(
          "the table of Item and its subentities would have 2001 columns; SQLite, which Strata also uses for XML stores, allows 2000"
        ),
        "\(line): \(answer.diagnostics)")
    }
    #expect(try folder.state() == before)
  }
}
