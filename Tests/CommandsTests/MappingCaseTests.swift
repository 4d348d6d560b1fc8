import StrataBase
import StrataCommands
import TestSupport
import Testing

/// What is said of small mapping models, before a migration and by it.
@Suite("Cases of mapping models")
struct MappingCaseTests {
  private let folder: TemporaryFolder
  private let session: TestSession

  init() throws {
    folder = try TemporaryFolder()
    session = TestSession(in: folder)
  }

  private func load(_ versions: KeyValuePairs<String, String>) throws {
    try folder.writeBundle(brief: versions)
    #expect(session("load X.xcdatamodeld").status == .done)
  }

  private func lint(_ mapping: String, from old: Int = 1, to new: Int = 2) throws -> String {
    try folder.write("mapping from X/\(old) to X/\(new)\n\(mapping)\n", to: "m.mapping")
    return session("mapping lint m.mapping").output
  }

  @Test(
    "an attribute that becomes required may be nil unless the filter excludes it",
    arguments: [
      ("a != nil AND n != 3", true), ("a != nil AND n != nil", false), ("a != nil", true),
      ("a != nil AND (n > 5 OR n == nil)", true), ("a != nil AND n > 5", false),
      ("NOT (a == nil) AND NOT n == nil", false),
    ])
  func missingValues(filter: String, mayBeMissing: Bool) throws {
    try load([
      "1": "T\n  a String\n  n Integer_32", "2": "T\n  a String required\n  n Integer_32 required",
    ])
    let found = try lint("TT: T -> T\n  where \(filter)")
    #expect(found.contains("TT.n  is required, and may be nil") == mayBeMissing, "\(found)")
    #expect(!found.contains("TT.a  is required"), "\(found)")
  }

  @Test("links to objects of another part are lost unless that part creates the owners too")
  func acrossParts() throws {
    let model = { (more: String) in
      "T\n  a String\n\(more)  l -> L inverse=ts\nL\n  x String\n  ts -> T many inverse=l"
    }
    try load(["1": model(""), "2": model("  z Integer_16\n")])
    let head = "mapping from X/1 to X/2\n"
    try folder.write(head + "LL: L -> L\n", to: "two.mapping")
    for (text, isLost) in [("", true), ("LX: L ->\n", true), ("L2: L -> L\n", false)] {
      try folder.write(head + "TT: T -> T\n" + text, to: "one.mapping")
      let found = session("mapping lint one.mapping two.mapping").output
      #expect(found.contains("[loss.acrossParts]") == isLost, "\(text): \(found)")
    }
  }

  @Test("a mapping model fits the models by the hashes it has")
  func fitting() throws {
    try load(["1": "T\n  a String", "2": "T\n  a String\nM\n  x String"])
    try folder.write("TT: T -> T\n", to: "none.mapping")
    let none = session("mapping fits none.mapping")
    #expect(none.status == .no && none.output.contains("its version hashes are unknown"), "\(none)")
    try folder.write("mapping from X/1 to X/2\nMM: -> M\n", to: "part.mapping")
    #expect(session("mapping write part.mapping written.mapping").status == .done)
    let part = session("mapping fits written.mapping")
    #expect(part.output.contains("written  fits as a part: from 1 to 2, without T"), "\(part)")
    #expect(!part.output.contains("from 2 to 1"), "\(part)")
    try folder.write("mapping from X/1 to X/2\nMM: -> M\nTT: T -> T\n", to: "part.mapping")
    #expect(session("mapping write part.mapping whole.mapping").status == .done)
    let whole = session("mapping fits whole.mapping")
    #expect(whole.output.contains("whole  fits: from 1 to 2"), "\(whole)")
  }

  @Test("a property in the wrong list and an unknown one are reported, a transient one is not")
  func lists() throws {
    let model = "T\n  a String\n  s String transient\n  l -> L\n  m -> L transient\nL\n  x String"
    try load(["1": model, "2": model + "\n  y String"])
    for (line, words) in [
      ("a <- $source.l through LL", "a is an attribute, mapped as a relationship"),
      ("b = $source.a", "the destination entity has no property b"),
      ("b <- $source.l through LL", "the destination entity has no property b"),
      ("s = $source.a", nil), ("m <- $source.l through LL", nil),
    ] as [(String, String?)] {
      let found = try lint("TT: T -> T\n  \(line)\nLL: L -> L")
      #expect(
        words.map { found.contains($0) } ?? found.contains("no problems"), "\(line): \(found)")
    }
  }

  @Test("the source expressions of Xcode are filters; others are not evaluated")
  func sources() throws {
    try load(["1": "T\n  a String", "2": "T\n  a String\n  b String"])
    session("create s.sqlite --model X/1")
    for text in ["one", "two"] { session("insert s.sqlite T a=\(text)") }
    func fetch(_ entity: String, _ context: String) -> String {
      """
      objects FETCH(FUNCTION($manager, "fetchRequestForSourceEntityNamed:predicateString:", "\(entity)", \
      "a == 'one'"), \(context), NO)
      """
    }
    for (line, isRead) in [
      (fetch("T", "$manager.sourceContext"), true), (fetch("U", "$manager.sourceContext"), false),
      (fetch("T", "$manager.destinationContext"), false), ("objects {}", false),
    ] {
      try folder.write("mapping from X/1 to X/2\nTT: T -> T\n  \(line)\n", to: "m.mapping")
      let shown = session("mapping show m.mapping").output
      #expect(shown.contains("objects ") == !isRead, "\(shown)")
      let migrated = session(
        "migrate s.sqlite --to X/2 --mapping m.mapping --output n.sqlite --force")
      #expect((migrated.status == .done) == isRead, "\(line): \(migrated)")
    }
    #expect(session("count n.sqlite T --where \"a == 'one'\"").output == "1\n")
    #expect(session("count n.sqlite T").output == "1\n")
  }

  @Test("a line separator in a name is written so that it is read back")
  func lineSeparators() throws {
    for separator in ["\u{2028}", "\u{2029}"] {
      try load([
        "1": "T\n  a String defaultValueString=x\(separator)y", "2": "T\n  a String\n  b String",
      ])
      try folder.write(
        "mapping from X/1 to X/2\nTT: T -> T\n  b = 'x\\u{2028}y'\n"
          .replacing("\\u{2028}", with: separator), to: "m.mapping")
      #expect(session("mapping write m.mapping n.mapping --force").status == .done)
      let shown = ["m", "n"].map { session("mapping show \($0).mapping").output.dropFirst() }
      #expect(shown[0] == shown[1] && shown[0].contains("b  "), "\(shown)")
    }
  }
}
