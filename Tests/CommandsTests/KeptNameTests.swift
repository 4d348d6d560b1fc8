import Foundation
import StrataBase
import StrataCommands
import TestSupport
import Testing

/// The names under which old stores are kept, and what is told by them.
@Suite("Names of kept stores")
struct KeptNameTests {
  private static func version(_ attributes: String...) -> String {
    "<model><entity name=\"A\">"
      + attributes.map { "<attribute name=\"\($0)\" optional=\"YES\" attributeType=\"String\"/>" }
      .joined() + "</entity></model>"
  }

  @Test("doctor shows the version of each copy if its name contains one")
  func versions() throws {
    let folder = try TemporaryFolder()
    for (name, model) in [
      ("V1", Self.version("a")), ("V1-2", Self.version("a", "b")), ("V2", Self.version("c")),
    ] { try folder.write(model, to: "X.xcdatamodeld/\(name).xcdatamodel/contents") }
    let session = TestSession(in: folder)
    // `before-V1`, then another copy at V1, then one of the version that is called so.
    for (version, kept, reported) in [
      ("V1", "V1", "V1"), ("V1", "V1-2", "V1"), ("V1-2", "V1-2-2", nil), ("V1", "V1-3", "V1"),
    ] {
      session("create s.sqlite --model X.xcdatamodeld/\(version) --force")
      let line = "migrate s.sqlite --to X.xcdatamodeld/V2 --keep-old always"
      let rehearsed = session("\(line) --dry-run")
      #expect(rehearsed.output.contains("as s.sqlite.before-\(kept)\n"), "\(rehearsed)")
      let done = session(line)
      #expect(done.output.hasSuffix("kept as s.sqlite.before-\(kept)\n"), "\(done)")
      let reported = reported ?? "V1-2"
      let lines = session("doctor s.sqlite").output.split(separator: "\n")
      #expect(
        lines.contains {
          $0.contains(" s.sqlite.before-\(kept) ") && $0.contains(", at \(reported)  [")
        } == (kept != "V1-2-2"), "\(kept): \(lines)")
    }
    try FileManager.default.removeItem(atPath: folder.path("s.sqlite.before-V1"))
    let alone = session("doctor s.sqlite").output
    #expect(
      alone.contains(" s.sqlite.before-V1-3  a copy of s.sqlite from before a migration  ["),
      "\(alone)")
  }

  @Test(
    "a rehearsal names the copy if the migration keeps one",
    arguments: ["Model1 Model2", "Model3 Model1"],
    ["", "--discard-old", "--keep-old always", "--keep-old never"])
  func rehearsed(versions: String, option: String) throws {
    let folder = try TemporaryFolder()
    let session = TestSession(in: folder)
    let models = versions.split(separator: " ")
    session("create t.sqlite --model sample:Topics/\(models[0]) --rows 2")
    let line = "migrate t.sqlite --to sample:Topics/\(models[1]) \(option) --json"
    func aside(_ answer: Evaluation) throws -> String? {
      #expect(answer.status == .done, "\(answer)")
      let json = try JSONSerialization.jsonObject(with: Data(answer.output.utf8)) as? [String: Any]
      return json?["aside"] as? String
    }
    let rehearsed = try aside(session("\(line) --dry-run"))
    let kept = try aside(session(line))
    #expect(rehearsed == kept)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    #expect(Set(names) == Set(["t.sqlite"] + (kept.map { [$0] } ?? [])))
  }

  @Test("the steps of a split are named after the version that wrote the store")
  func steps() throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.version("a"), to: "X.xcdatamodeld/V1.xcdatamodel/contents")
    try folder.write(
      Self.version("a").replacing("String", with: "Binary"),
      to: "X.xcdatamodeld/V2.xcdatamodel/contents")
    let session = TestSession(in: folder)
    session("create s.sqlite --model X.xcdatamodeld/V1")
    let answer = session("infer s.sqlite X.xcdatamodeld/V2 --split")
    #expect(answer.output.contains("\ns.sqlite -> V1a\n"), "\(answer)")
    #expect(answer.output.contains("\nV1a -> V2\n"), "\(answer)")
    // Of a store whose version nobody knows, after the destination.
    try FileManager.default.moveItem(
      atPath: folder.path("X.xcdatamodeld/V1.xcdatamodel"), toPath: folder.path("gone"))
    let unknown = session("infer s.sqlite X.xcdatamodeld/V2 --split")
    #expect(unknown.output.contains("\ns.sqlite -> V2a\n"), "\(unknown)")
  }
}
