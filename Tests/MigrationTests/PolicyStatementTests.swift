import Foundation
import StrataBase
import StrataMapping
import StrataMigration
import StrataObjectModel
import StrataStore
import TestSupport
import Testing

/// Single statements of policy files, in every kind of pass.
@Suite("Statements of policies")
struct PolicyStatementTests {
  private static let old = """
    Note
      text String
      tag String
      day Integer_16
      data Binary external
      shelf -> Shelf inverse=notes
      other -> Shelf inverse=others
    Shelf
      name String
      notes -> Note many inverse=shelf
      others -> Note many inverse=other
    """
  /// Of the notes of a shelf, one remains, and of its others one.
  private static let new = """
    Note
      text String
      tag String
      day Integer_16
      data Binary external
      mark -> Mark inverse=notes
      shelf -> Shelf inverse=notes
      other -> Shelf inverse=others
    Shelf
      name String
      notes -> Note inverse=shelf
      others -> Note inverse=other
    Mark
      tag String
      count Integer_32
      data Binary external
      scratch String transient
      notes -> Note many inverse=mark
    """
  private static let large = [UInt8](repeating: 7, count: 200_000)
  private static let mapping = """
    NoteToNote: Note -> Note
      policy OfNotes
    ShelfToShelf: Shelf -> Shelf
      policy OfShelves
    """

  /// Five notes, of which the first three are notes and others of a shelf.
  private static func fill(_ path: String, _ model: ObjectModel) throws {
    var store = try NewStore(path: path, model: model, uuid: "A")
    _ = try store.insert("Shelf", attributes: ["name": .text("s")])
    for (text, tag, day) in [
      ("ab--c", nil, nil), ("-a", "x", 2), ("", "y", 1), ("d", "x", 9), ("e--f--g", nil, 3),
    ] as [(String, String?, Int64?)] {
      let isPlaced = text.count != 1 && text.count < 6
      _ = try store.insert(
        "Note",
        attributes: [
          "text": .text(text), "tag": tag.map { .text($0) } ?? .null,
          "day": day.map { .integer($0) } ?? .null,
          "data": .bytes(day ?? 0 > 2 ? large : Array(text.utf8)),
          "shelf": isPlaced ? .integer(1) : .null, "other": isPlaced ? .integer(1) : .null,
        ])
    }
    try store.finish()
  }

  /// Runs the policies in all executors, and checks each result.
  private static func run(
    _ notes: String, shelves: String = "",
    _ check: (borrowing StoreReader, MigrationReport) throws -> Void
  ) throws {
    let folder = try TemporaryFolder()
    let (old, new) = (try ObjectModel(brief: old), try ObjectModel(brief: new))
    try fill(folder.path("old.sqlite"), old)
    var policies = PolicyRegistry()
    policies.add(
      try PolicyScript.policies(parsing: "policy OfNotes\n\(notes)\npolicy OfShelves\n\(shelves)\n")
    )
    let hop = try MigrationPlan.Hop(
      from: NamedModel(name: "old", model: old), to: NamedModel(name: "new", model: new),
      by: mapping)
    for (name, executor, batchSize) in Passes.executors {
      let path = folder.path(name)
      let report = try Passes.run(
        hop, from: folder.path("old.sqlite"), into: path, policies: policies, executor: executor,
        batchSize: batchSize
      ).report
      try check(StoreReader(SQLiteStore(reading: path), model: new), report)
    }
  }

  private static func values(
    _ name: String, of entity: String, _ reader: borrowing StoreReader
  ) throws -> [AttributeValue?] {
    try reader.keys(of: entity).map { try reader.object($0, of: entity)?.attributes[name] }
  }

  @Test(
    "keep first sorts the objects of the named relationship; nil is last in both orders",
    arguments: [
      ("keep first of notes by day", [3, 1]), ("keep first of others by day", [1, 3]),
      ("keep first by day", [3, 3]), ("keep first by day descending", [2, 2]),
      ("keep first by tag", [2, 2]), ("keep first by tag descending", [3, 3]),
    ])
  func keepFirst(statement: String, kept: [Int64]) throws {
    try Self.run("", shelves: "  \(statement)") { reader, report in
      let found = try ["notes", "others"].flatMap { name in
        let end = try #require(reader.model.relationship(name, of: "Shelf"))
        return try reader.destinations(of: end, from: 1)
      }
      #expect(found == kept)
      #expect(report.receipt.losses.links == 4)
    }
  }

  @Test(
    "data in files that a policy sets again is there once: copied, set, set twice",
    arguments: [
      "  set text = text", "  set data = $source.data",
      "  set data = $source.data\n  set data = $source.data",
      "  set data = $source.data\n  in relationships: set data = $source.data",
    ])
  func dataInFiles(statements: String) throws {
    let old = try ObjectModel(brief: Self.old)
    let folder = try TemporaryFolder()
    try Self.fill(folder.path("s.sqlite"), old)
    let data = try Self.values(
      "data", of: "Note", StoreReader(SQLiteStore(reading: folder.path("s.sqlite")), model: old))
    try Self.run(statements) { reader, _ in
      #expect(try Self.values("data", of: "Note", reader) == data)
      let files = URL(fileURLWithPath: reader.store.path).deletingPathExtension()
      let names = try FileManager.default.contentsOfDirectory(
        atPath: files.deletingLastPathComponent()
          .path + "/.\(files.lastPathComponent)_SUPPORT/_EXTERNAL_DATA")
      #expect(names.count == 2)
    }
  }

  @Test(
    "split divides at the first marks, from the left; the last part is the rest, and an empty text has none",
    arguments: [",", ", ", "::", "aa", "aba", "é,"], 1...3)
  func split(mark: String, count: Int) throws {
    let names = ["a", "b", "c"].prefix(count)
    let attributes = "Note\n  text String\n  a String\n  b String\n  c String"
    let (old, new) = (
      try ObjectModel(brief: attributes), try ObjectModel(brief: attributes + "\n  more String")
    )
    var random = SeededRandom(seed: mark)
    let texts = (0..<60).map { _ in
      (0..<Int.random(in: 0...9, using: &random)).map { _ in
        ["a", "b", ":", ",", " ", "é"].randomElement(using: &random) ?? ""
      }.joined()
    }
    let folder = try TemporaryFolder()
    var store = try NewStore(path: folder.path("s.sqlite"), model: old, uuid: "A")
    for text in texts { _ = try store.insert("Note", attributes: ["text": .text(text)]) }
    try store.finish()
    var policies = PolicyRegistry()
    policies.add(
      try PolicyScript.policies(
        parsing:
          "policy P\n  split $source.text at '\(mark)' into \(names.joined(separator: ", "))\n"))
    let hop = try MigrationPlan.Hop(
      from: NamedModel(name: "old", model: old), to: NamedModel(name: "new", model: new),
      by: "Notes: Note -> Note\n  policy P\n")
    for (name, executor, batchSize) in Passes.executors {
      _ = try Passes.run(
        hop, from: folder.path("s.sqlite"), into: folder.path(name), policies: policies,
        executor: executor, batchSize: batchSize)
      let reader = try StoreReader(SQLiteStore(reading: folder.path(name)), model: new)
      for (index, attribute) in ["a", "b", "c"].enumerated() {
        let expected = texts.map { text -> AttributeValue in
          let parts = text.split(
            separator: mark, maxSplits: count - 1, omittingEmptySubsequences: false)
          guard !text.isEmpty, index < parts.count else { return .null }
          return .text(String(parts[index]))
        }
        #expect(try Self.values(attribute, of: "Note", reader) == expected, "\(name)")
      }
    }
  }

  @Test("no object is found or created for nil, and one for each other value")
  func searches() throws {
    let search = "set mark = find or create Mark where tag == $source.tag"
    try Self.run("  \(search) with count = 1") { reader, _ in
      let tags = try Self.values("tag", of: "Mark", reader)
      #expect(tags == [.text("x"), .text("y")])
      let end = try #require(reader.model.relationship("notes", of: "Mark"))
      let found = try [1, 2].map { try reader.destinations(of: end, from: $0) }
      #expect(found == [[2, 4], [3]])
    }
    try Self.run("  set mark = find Mark where tag == $source.tag") { reader, _ in
      let count = try reader.count(of: "Mark")
      #expect(count == 0)
    }
  }

  @Test("an object is created for each source object, with its stored attributes only")
  func creations() throws {
    try Self.run("  set mark = create Mark with tag = $source.tag") { reader, _ in
      let tags = try Self.values("tag", of: "Mark", reader)
      #expect(tags == [.null, .text("x"), .text("y"), .text("x"), .null])
      let scratch = try Self.values("scratch", of: "Mark", reader)
      #expect(scratch == Array(repeating: nil, count: 5))
    }
  }

  @Test(
    "a string is split at whole separators only, and an empty one has no parts",
    arguments: [
      (
        "split $source.text at '--' into tag, text",
        [("ab", "c"), ("-a", nil), (nil, nil), ("d", nil), ("e", "f--g")] as [(String?, String?)]
      ),
      (
        "split $source.text at '--' into tag",
        [("ab--c", "ab--c"), ("-a", "-a"), (nil, ""), ("d", "d"), ("e--f--g", "e--f--g")]
      ),
    ])
  func splits(statement: String, expected: [(String?, String?)]) throws {
    try Self.run("  \(statement)") { reader, _ in
      func text(_ value: String?) -> AttributeValue { value.map { .text($0) } ?? .null }
      let tags = try Self.values("tag", of: "Note", reader)
      let texts = try Self.values("text", of: "Note", reader)
      #expect(tags == expected.map { text($0.0) } && texts == expected.map { text($0.1) })
    }
  }

  @Test("data in files is set after the relationships, and objects are found by it")
  func largeData() throws {
    try Self.run(
      "  in relationships: set data = $source.data\n"
        + "  set mark = find or create Mark where data == $source.data"
    ) { reader, _ in
      let large = AttributeValue.bytes(Self.large)
      let data = try Self.values("data", of: "Note", reader)
      #expect(data[3] == large && data[4] == large)
      let marks = try Self.values("data", of: "Mark", reader)
      #expect(marks.count { $0 == large } == 1 && marks.count == 4)
      let end = try #require(reader.model.relationship("mark", of: "Note"))
      let found = try [4, 5].map { try reader.destinations(of: end, from: $0) }
      #expect(found[0] == found[1] && found[0].count == 1)
    }
  }

  @Test("of two statements for an attribute, the second one decides")
  func twice() throws {
    try Self.run("  set tag = 'a'\n  set tag = $source.text") { reader, _ in
      let tags = try Self.values("tag", of: "Note", reader)
      #expect(tags == ["ab--c", "-a", "", "d", "e--f--g"].map { .text($0) })
    }
  }

  @Test("of many objects that miss a requirement, the first ones are listed, with their number")
  func requirements() throws {
    let folder = try TemporaryFolder()
    let (old, new) = (
      try ObjectModel(brief: "T\n  n Integer_64"), try ObjectModel(brief: "T\n  n Integer_32")
    )
    var store = try NewStore(path: folder.path("old.sqlite"), model: old, uuid: "A")
    for number in 1...40 {
      _ = try store.insert("T", attributes: ["n": .integer(Int64(number))])
    }
    try store.finish()
    var policies = PolicyRegistry()
    policies.add(
      try PolicyScript.policies(parsing: "policy P\n  in end of creation: require n > 35, \"low\""))
    let hop = try MigrationPlan.Hop(
      from: NamedModel(name: "old", model: old), to: NamedModel(name: "new", model: new),
      by: "TToT: T -> T\n  policy P")
    for (name, executor, batchSize) in Passes.executors {
      let error = try #require(throws: MigrationError.self) {
        try Passes.run(
          hop, from: folder.path("old.sqlite"), into: folder.path(name), policies: policies,
          executor: executor, batchSize: batchSize)
      }
      guard case .stoppedByPolicy(_, _, _, _, let reason) = error else { throw error }
      #expect(reason.what == "35 objects do not meet a requirement of the policy")
      let listed = (1...20).map { "T/p\($0): low" }
      #expect(reason.notes == listed + ["…"])
    }
  }
}
