import Foundation
import StrataBase
import StrataCommands
import TestSupport
import Testing

@Suite("Writing models is atomic")
struct WritingTests {
  private static func session(in folder: TemporaryFolder) -> TestSession {
    let session = TestSession(in: folder)
    #expect(session("samples --write .").status == .done)
    return session
  }

  @Test(
    "a model that XML cannot represent is refused before anything is written",
    arguments: [
      ["try", "sample:Topics/Model1.Topic.content", "userInfo.note", "a\u{2}b"],
      ["try", "sample:Topics/Model1.Topic.content", "userInfo.a\u{FFFE}", "b"],
    ])
  func unwritable(edit: [String]) throws {
    let folder = try TemporaryFolder()
    let session = Self.session(in: folder)
    let before = try folder.state()
    session(arguments: edit)
    for line in [
      "write try:sample:Topics/Model1 New.xcdatamodel",
      "write try:sample:Topics/Model1 Topics.xcdatamodeld/Model1 --force",
    ] {
      let answer = session(line)
      #expect(answer.status == .failed && answer.diagnostics.contains("[model.notWritable]"))
    }
    #expect(try folder.state() == before)
  }

  @Test("a name that is not a valid file name is refused", arguments: ["", "a\u{1}b", "a\u{FFFF}"])
  func names(name: String) throws {
    let folder = try TemporaryFolder()
    let session = Self.session(in: folder)
    let before = try folder.state()
    for arguments in [
      ["try", "sample:Topics/Model1.Topic", "rename", name],
      ["try", "sample:Topics/Model1", "add", "entity", name],
    ] {
      #expect(session(arguments: arguments).diagnostics.contains("[model.badName]"))
    }
    for bundle in ["Topics", "New"] {
      let answer = session(arguments: [
        "write", "sample:Recipes", "\(bundle).xcdatamodeld/\(name)x\u{1}",
      ])
      #expect(answer.status == .usage)
    }
    #expect(try folder.state() == before)
  }

  @Test("a version that was current by default is then declared as current")
  func impliedCurrentVersion() throws {
    for declared in [nil, "Zed.xcdatamodel"] {
      let folder = try TemporaryFolder()
      let session = Self.session(in: folder)
      let file = folder.path("Topics.xcdatamodeld/.xccurrentversion")
      let text = try String(contentsOfFile: file, encoding: .utf8)
      try FileManager.default.removeItem(atPath: file)
      if let declared {
        try folder.write(
          text.replacingOccurrences(of: "Model5.xcdatamodel", with: declared),
          to: "Topics.xcdatamodeld/.xccurrentversion")
      }
      let kept = declared == nil ? "Model1" : "Model5"
      #expect(
        session("write sample:Recipes Topics.xcdatamodeld/Zed").output
          .contains("\(kept) is still the current version"))
      #expect(
        session("load Topics.xcdatamodeld").output == "loaded Topics: 6 versions, current \(kept)\n"
      )
    }
  }

  @Test("a damaged record of the current version is not overwritten")
  func damagedCurrentVersion() throws {
    let folder = try TemporaryFolder()
    let session = Self.session(in: folder)
    try folder.write("junk", to: "Topics.xcdatamodeld/.xccurrentversion")
    let before = try folder.state()
    let answer = session("write sample:Recipes Topics.xcdatamodeld/Zed --current --force")
    #expect(answer.status == .failed && answer.diagnostics.contains(".xccurrentversion"))
    #expect(try folder.state() == before)
  }

  @Test("writing a bundle over another keeps the other versions")
  func otherVersions() throws {
    let folder = try TemporaryFolder()
    let session = Self.session(in: folder)
    #expect(
      session("write sample:Recipes Topics.xcdatamodeld --force").output
        == "wrote Topics.xcdatamodeld: 2 versions, 5 others unchanged, current Recipes2\n"
    )
    #expect(
      session("load Topics.xcdatamodeld").output == "loaded Topics: 7 versions, current Recipes2\n")
  }

  @Test("if one file cannot be written, none is")
  func noHalf() throws {
    let folder = try TemporaryFolder()
    let session = Self.session(in: folder)
    // A file where a folder must be: the third of five versions.
    try folder.write("a file", to: "Half.xcdatamodeld/Model3.xcdatamodel")
    let before = try folder.state()
    let answer = session("write sample:Topics Half.xcdatamodeld --force")
    #expect(answer.status == .failed && answer.diagnostics.contains("[file.otherKind]"))
    #expect(try folder.state() == before)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path("Half.xcdatamodeld"))
        == ["Model3.xcdatamodel"])
  }

  @Test("a replaced file keeps its mode, and a link its target")
  func modesAndLinks() throws {
    let folder = try TemporaryFolder()
    let session = Self.session(in: folder)
    let contents = folder.path("Topics.xcdatamodeld/Model1.xcdatamodel/contents")
    let kept = folder.path("kept")
    try FileManager.default.moveItem(atPath: contents, toPath: kept)
    try FileManager.default.createSymbolicLink(atPath: contents, withDestinationPath: kept)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: kept)
    #expect(session("write sample:Recipes Topics.xcdatamodeld/Model1 --force").status == .done)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: contents) == kept)
    let mode = try FileManager.default.attributesOfItem(atPath: kept)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    #expect(session("diff Topics.xcdatamodeld/Model1 sample:Recipes").output == "no difference\n")
  }
}
