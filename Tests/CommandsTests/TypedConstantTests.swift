import Foundation
import StrataBase
import StrataCommands
import StrataSQLite
import TestSupport
import Testing

/// A text that is compared with a date, a UUID or an object is that date, UUID or object, wherever it is compared.
@Suite("Constants that are compared")
struct TypedConstantTests {
  private let folder: TemporaryFolder
  private let session: TestSession
  private static let id = "00000000-0000-0000-0000-000000000001"

  /// Dates of 2000, 2001 and 2024, the UUIDs 0 to 2, and links to p1 to p3.
  init() throws {
    folder = try TemporaryFolder()
    session = TestSession(in: folder)
    for version in ["V1", "V2"] {
      try folder.write(
        """
        <model><entity name="P"><attribute name="date" optional="YES" attributeType="Date"/>
        <attribute name="id" optional="YES" attributeType="UUID"/>
        <attribute name="n" optional="YES" attributeType="Integer 16"/>
        <relationship name="box" optional="YES" maxCount="1" destinationEntity="Box" inverseName="items" inverseEntity="P"/>
        </entity><entity name="Box"><relationship name="items" optional="YES" toMany="YES" \
        destinationEntity="P" inverseName="box" inverseEntity="Box"/></entity>
        \(version == "V2" ? "<entity name=\"New\"/>" : "")</model>
        """, to: "\(version).xcdatamodel/contents")
      session("load \(version).xcdatamodel")
    }
    session("create s.sqlite --model V1")
    for number in 0..<3 {
      session("insert s.sqlite Box")
      let date = ["2000-06-01T00:00:00Z", "2001-06-01", "2024-06-01T12:30:00Z"][number]
      let inserted = session(
        "insert s.sqlite P date=\(date) id=00000000-0000-0000-0000-00000000000\(number) "
          + "n=\(number) box=p\(number + 1)")
      #expect(inserted.status == .done, "\(inserted)")
    }
  }

  /// Predicates that hold for exactly one object, p2, as long as the constant is converted.
  private static let predicates = [
    "date == '2001-06-01'", "date BETWEEN {'2001-01-01', '2002-01-01'}",
    "date IN {'2001-06-01', '1999-01-01'}", "id == '\(id)'", "id IN {'\(id)'}", "box == 'p2'",
    "date > '2001-01-01' AND date < '2002-01-01'", "ANY box.items == 'p2'",
  ]

  /// The same with the operand as the result of a function or a condition.
  private static func computed(_ predicate: String) -> [String] {
    ["noindex:(%)", "TERNARY(n >= 0, %, nil)", "first:({%})", "{%}[0]"].flatMap { form in
      ["date", "id", "box"].compactMap { key in
        predicate.hasPrefix("\(key) ")
          ? predicate.replacing("\(key) ", with: form.replacing("%", with: key) + " ") : nil
      }
    }
  }

  private static let all = predicates.flatMap { [$0] + computed($0) }

  @Test("in a filter of rows", arguments: all)
  func rows(predicate: String) {
    let answer = session("rows s.sqlite P --columns n --where \"\(predicate)\"")
    #expect(answer.output.contains("p2") && !answer.output.contains("p1"), "\(answer)")
    #expect(!answer.output.contains("p3"), "\(answer)")
  }

  /// The predicate about `$source`.
  private static func ofSource(_ predicate: String) -> String {
    predicate.replacing(/\b(date|id|box|n)\b(?![:.'])/) { "$source.\($0.1)" }
      .replacing("ANY box.", with: "ANY $source.box.")
  }

  /// The values of n after a migration by a mapping model with these lines, and perhaps a policy.
  private func migrated(_ lines: [String], policy: String? = nil) throws -> [String] {
    try folder.write(
      """
      mapping from V1 to V2

      BoxToBox: Box -> Box

      PToP: P -> P
      \(lines.map { "  " + $0 }.joined(separator: "\n"))

      """, to: "m.mapping")
    if let policy { try folder.write(policy, to: "m.policy") }
    let answer = session(
      "migrate s.sqlite --to V2 --mapping m.mapping --output new.sqlite --force"
        + (policy == nil ? "" : " --policies m.policy"))
    #expect(answer.status == .done, "\(answer)")
    return try SQLiteConnection(path: folder.path("new.sqlite"), mode: .readOnly)
      .rows("SELECT ZN FROM ZP ORDER BY Z_PK").map { $0[0].integer.map { "\($0)" } ?? "nil" }
  }

  @Test("in a filter, a value and a policy of a mapping model")
  func mapping() throws {
    for predicate in Self.all {
      #expect(try migrated(["where \(predicate)", "n = $source.n"]) == ["1"], "\(predicate)")
      let value = Self.ofSource(predicate)
      #expect(
        try migrated(["n = TERNARY(\(value), 7, 0)"]) == ["0", "7", "0"], "\(predicate): \(value)")
      let skipped = try migrated(
        ["policy Skipping", "n = $source.n"],
        policy: "policy Skipping\n  skip when NOT (\(value))\n")
      #expect(skipped == ["1"], "\(predicate): \(value)")
    }
  }
}
