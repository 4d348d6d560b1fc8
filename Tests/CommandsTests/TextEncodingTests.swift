import Foundation
import StrataBase
import StrataCommands
import TestSupport
import Testing

/// Stores whose texts are UTF-16 migrate by every road, to the same objects as in UTF-8, and keep their encoding.
@Suite("Text encodings of stores")
struct TextEncodingTests {
  private static let encodings = ["UTF-8", "UTF-16le", "UTF-16be"]
  private static let model = "sample:Topics/Model2"
  private let folder: TemporaryFolder
  private let session: TestSession

  init() throws {
    folder = try TemporaryFolder()
    session = TestSession(in: folder)
    session("create plain.sqlite --model sample:Topics/Model1 --rows 7")
  }

  /// Writes a store anew, with its texts in another encoding.
  private func write(_ name: String, as copy: String, _ encoding: String) throws {
    _ = try Python.run(
      """
      import sqlite3, sys
      old, new = sqlite3.connect(sys.argv[1]), sqlite3.connect(sys.argv[2])
      new.execute(f"PRAGMA encoding = '{sys.argv[3]}'")
      new.executescript("\\n".join(old.iterdump()))
      """, arguments: [folder.path(name), folder.path(copy), encoding])
    #expect(try self.encoding(of: copy) == encoding)
  }

  private func encoding(of name: String) throws -> String {
    Self.encodings[Int(try Data(contentsOf: URL(fileURLWithPath: folder.path(name)))[59]) - 1]
  }

  private func done(_ line: String, sourceLocation: SourceLocation = #_sourceLocation) {
    let answer = session(line)
    #expect(answer.status == .done, "\(line): \(answer)", sourceLocation: sourceLocation)
  }

  @Test("predicates find the same texts in every encoding", arguments: encodings)
  func predicates(encoding: String) throws {
    try folder.write(
      "<model>\(BriefModel.entities("P\n  name String\n  n Integer_16"))</model>",
      to: "M.xcdatamodel/contents")
    session("create a.sqlite --model M.xcdatamodel")
    let names = ["abc", "škoda", "ÿes", "Ā", "zoo", "a", "ÿ", "aš", "🎈b", "🎈", "｡x"]
    for (n, name) in names.enumerated() { done("insert a.sqlite P name=\(name) n=\(n)") }
    try write("a.sqlite", as: "b.sqlite", encoding)
    let parts = ["a", "ÿ", "š", "🎈", "z", "｡"]
    for part in parts {
      func keys(_ predicate: String) -> [String] {
        session("rows b.sqlite P --where \"\(predicate)\" --columns n").output
          .matches(of: /(?m)^p\d+ +(\d+)/).map { names[Int($0.1) ?? 0] }
      }
      #expect(keys("name BEGINSWITH '\(part)'") == names.filter { $0.hasPrefix(part) })
      #expect(keys("name CONTAINS '\(part)'") == names.filter { $0.contains(part) })
      for (symbol, holds) in [
        ("<", { $0 < 0 }), ("<=", { $0 <= 0 }), (">", { $0 > 0 }), (">=", { $0 >= 0 }),
      ] as [(String, (Int) -> Bool)] {
        let expected = names.filter { name in
          let (a, b) = (Array(name.unicodeScalars), Array(part.unicodeScalars))
          return holds(a == b ? 0 : a.lexicographicallyPrecedes(b) ? -1 : 1)
        }
        #expect(keys("name \(symbol) '\(part)'") == expected, "\(symbol) \(part)")
      }
      #expect(
        keys("name BETWEEN {'a', '\(part)'} AND n > 0").count
          == keys("name >= 'a' AND name <= '\(part)' AND n > 0").count)
    }
  }

  @Test(
    "every road makes the same objects of them, in the same encoding", arguments: encodings,
    [
      "migrate STORE --to MODEL --strategy lightweight",
      "migrate STORE --to MODEL --strategy lightweight --proof", "migrate STORE --to MODEL",
      "migrate STORE --to MODEL --proof", "trace migration 2; migrate STORE --to MODEL",
      "debug STORE --to MODEL; finish; commit",
      "debug STORE --to MODEL --strategy lightweight; finish; commit",
      "migrate STORE --to MODEL --output OUT",
      "migrate STORE --to MODEL --strategy lightweight --output OUT",
    ])
  func files(encoding: String, commands: String) throws {
    try write("plain.sqlite", as: "t.sqlite", encoding)
    for store in ["plain.sqlite", "t.sqlite"] {
      for line in commands.components(separatedBy: "; ") {
        done(
          line.replacing("STORE", with: store).replacing("OUT", with: "new-\(store)")
            .replacing("MODEL", with: Self.model))
      }
      session("trace migration 0")
    }
    let prefix = commands.contains("OUT") ? "new-" : ""
    #expect(try self.encoding(of: "\(prefix)t.sqlite") == encoding)
    done("compare \(prefix)plain.sqlite \(prefix)t.sqlite --rows")
    done("expect count \(prefix)t.sqlite Topic 7")
  }

  @Test("objects are appended across encodings", arguments: encodings, encodings)
  func appending(from: String, to: String) throws {
    try write("plain.sqlite", as: "t.sqlite", from)
    done("migrate plain.sqlite --to \(Self.model) --output first.sqlite")
    try write("first.sqlite", as: "all.sqlite", to)
    done("migrate t.sqlite --to \(Self.model) --output all.sqlite --append")
    done("expect count all.sqlite Topic 14")
    #expect(try encoding(of: "all.sqlite") == to)
    done("doctor all.sqlite")
  }
}
