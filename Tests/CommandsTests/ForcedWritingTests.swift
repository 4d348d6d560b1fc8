import Foundation
import StrataBase
import TestSupport
import Testing

@testable import StrataCommands

/// Which files the options that write one replace with `--force`.
@Suite("Files that --force replaces")
struct ForcedWritingTests {
  /// A command that writes a file, as it is typed up to the name; what the file is, and the end of its name.
  private typealias Writer = (line: String, kind: WrittenKind, end: String, inFolder: String)

  private static let writers: [Writer] = [
    ("create $ --model sample:Topics/Model1", .store, ".sqlite", ""),
    ("create $ --type xml --model sample:Topics/Model1", .store, ".xml", ""),
    ("migrate t.sqlite --to sample:Topics/Model2 --output $", .store, ".db", ""),
    ("infer sample:Topics/Model1 sample:Topics/Model2 --write $", .mappingModel, ".mapping", ""),
    (
      "infer sample:Topics/Model1 sample:Topics/Model2 --write $", .mappingModel,
      ".xcmappingmodel", "xcmapping.xml"
    ),
    ("mapping write sample:Recipes/Recipes1ToRecipes2 $", .policies, ".policy", ""),
    ("infer sample:Topics/Model1 sample:Topics/Model2 --split --stages $", .stages, ".stages", ""),
    ("write sample:Topics/Model1 $", .model, ".xcdatamodel", "contents"),
    ("write sample:Topics/Model1 $", .model, ".xcdatamodeld", "Model1.xcdatamodel/contents"),
    (
      "write sample:Topics/Model1 $/Model1", .model, ".xcdatamodeld", "Model1.xcdatamodel/contents"
    ),
    ("doctor t.sqlite --junit $", .report, ".xml", ""),
    ("cloudkit sample:Topics/Model1 --junit $", .report, ".xml", ""),
    ("replay replayed.strata --junit $", .report, ".xml", ""),
    ("migrate t.sqlite --to sample:Topics/Model2 --dry-run --trace-json $", .trace, ".json", ""),
    ("debug t.sqlite --to sample:Topics/Model2 --trace-json $", .trace, ".json", ""),
    ("save $", .document, ".strata", ""), ("save $", .document, ".md", ""),
  ]

  private static func session(in folder: TemporaryFolder) -> TestSession {
    let session = TestSession(in: folder)
    session("create t.sqlite --model sample:Topics/Model1 --rows 2")
    return session
  }

  /// One file of each kind, by its name, and of none.
  private static func victims(in folder: TemporaryFolder) throws -> [String: WrittenKind?] {
    let session = session(in: folder)
    try folder.write("samples\n", to: "replayed.strata")
    session("create victims/x.xml --model sample:Topics/Model1 --rows 2")
    var victims: [String: WrittenKind?] = [
      "notes.md": nil, "data": nil, "plist": nil, "page.xml": nil, "empty": nil,
    ]
    try folder.write("# Notes\n\nDear diary, strata is a word.\n", to: "victims/notes.md")
    try folder.write([0xFF, 0, 1, 2], to: "victims/data")
    try folder.write("<?xml version=\"1.0\"?>\n<!-- a -->\n<plist/>", to: "victims/plist")
    try folder.write("<html><testsuites/></html>", to: "victims/page.xml")
    try folder.write([], to: "victims/empty")
    try folder.write(
      "# Mine.\n\n```strata\n> samples\n```\n", to: "victims/\(UUID().uuidString).md")
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path("victims"))
    where victims[name] == nil && name.hasSuffix(".md") { victims[name] = .some(.document) }
    try folder.write("# A script.\nload sample:Topics\n", to: "victims/script")
    victims["script"] = .some(.document)
    for (number, writer) in writers.enumerated() {
      let name = "v\(number)\(writer.end)"
      let written = session(writer.line.replacing("$", with: name))
      #expect(written.status < .failed, "\(writer.line) \(written)")
      session("abandon")
      let file = writer.inFolder.isEmpty ? name : "\(name)/\(writer.inFolder)"
      try FileManager.default.copyItem(
        atPath: folder.path(file), toPath: folder.path("victims/\(number)"))
      victims["\(number)"] = .some(writer.kind)
    }
    return victims
  }

  @Test("--force replaces a file of the same kind or an empty file, and no other")
  func kinds() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: folder.path("victims"), withIntermediateDirectories: true)
    let victims = try Self.victims(in: folder)
    #expect(victims.count == Self.writers.count + 7)
    for writer in Self.writers {
      for (victim, kind) in victims.sorted(by: { $0.key < $1.key }) {
        let name = "w\(writer.end)"
        try? FileManager.default.removeItem(atPath: folder.path(name))
        let file = writer.inFolder.isEmpty ? name : "\(name)/\(writer.inFolder)"
        let old = try Data(contentsOf: folder.url.appendingPathComponent("victims/\(victim)"))
        try folder.write(Array(old), to: file)
        let session = Self.session(in: folder)
        let answer = session(writer.line.replacing("$", with: name) + " --force")
        session("abandon")
        let what = "\(writer.line), \(victim): \(answer)"
        if kind == writer.kind || old.isEmpty {
          #expect(answer.status < .failed, "\(what)")
        } else {
          #expect(answer.diagnostics.contains("[file.otherKind]"), "\(what)")
          #expect(answer.diagnostics.contains("this is \(kind?.noun ?? "")"), "\(what)")
          #expect(
            try Data(contentsOf: folder.url.appendingPathComponent(file)) == old, "\(what)")
        }
      }
    }
  }

  @Test("a report replaces neither a link to a store nor the store")
  func link() throws {
    let folder = try TemporaryFolder()
    let session = Self.session(in: folder)
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("r.xml"), withDestinationPath: "t.sqlite")
    let before = try folder.state()
    let answer = session("doctor t.sqlite --junit r.xml --force")
    #expect(answer.diagnostics.contains("this is a store"), "\(answer)")
    #expect(answer.output.contains("1 store checked"), "what was found is told: \(answer)")
    #expect(try folder.state() == before)
  }

  @Test(
    "no command but save creates the folder of a file that it writes",
    arguments: ["no/r", "t.sqlite/r", "no/no/r"])
  func missingFolder(name: String) throws {
    let folder = try TemporaryFolder()
    try folder.write("samples\n", to: "replayed.strata")
    for writer in Self.writers where !writer.line.hasPrefix("save ") {
      for force in ["", " --force"] {
        let session = Self.session(in: folder)
        let before = try folder.state()
        let answer = session(writer.line.replacing("$", with: name + writer.end) + force)
        let reason =
          name.hasPrefix("no")
          ? "fix: create it: `mkdir -p -- \(name.dropLast(2))`\n" : "a part of its path is a file"
        #expect(answer.status == .failed, "\(writer.line) \(answer)")
        #expect(answer.diagnostics.contains(reason), "\(writer.line) \(answer)")
        #expect(try folder.state() == before)
        #expect(!FileManager.default.fileExists(atPath: folder.path("no")))
      }
    }
  }
}
