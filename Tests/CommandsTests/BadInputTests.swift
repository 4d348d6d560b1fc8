import Foundation
import StrataArchives
import StrataBase
import StrataCommands
import StrataObjectModel
import TestSupport
import Testing

@Suite("Bad input gives exit status 2, an error with location and fix, and no changes")
struct BadInputTests {
  private static func expectRefusal(
    _ lines: [String], in folder: TemporaryFolder, id: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let before = try folder.state()
    for line in lines {
      let evaluation = TestSession(in: folder)(line)
      #expect(
        evaluation.status == .failed, "\(line): \(evaluation)", sourceLocation: sourceLocation)
      #expect(evaluation.output.isEmpty, "\(line)", sourceLocation: sourceLocation)
      #expect(
        evaluation.diagnostics.contains("[\(id)]"), "\(line): \(evaluation.diagnostics)",
        sourceLocation: sourceLocation)
      #expect(
        evaluation.diagnostics.contains(" where: "), "\(line): \(evaluation.diagnostics)",
        sourceLocation: sourceLocation)
      #expect(
        evaluation.diagnostics.contains("  fix: "), "\(line)", sourceLocation: sourceLocation)
      let json = TestSession(in: folder)(line + " --json")
      #expect(
        json.status == .failed && json.output.contains("\"id\" : \"\(id)\""), "\(line)",
        sourceLocation: sourceLocation)
    }
    #expect(try folder.state() == before, sourceLocation: sourceLocation)
  }

  private static let storeCommands = [
    "load s", "hash s", "show s", "metadata s", "identify s sample:Topics",
    "compare s sample:Topics", "plan s --to sample:Topics",
    "migrate s --to sample:Topics --dry-run",
  ]

  @Test(
    "a folder with the extension of a bundle is a broken bundle, also with --as",
    arguments: ["B.xcdatamodeld", "B.momd", "B.xcdatamodel", "B.xcmappingmodel"])
  func brokenBundles(name: String) throws {
    let folder = try TemporaryFolder()
    try folder.write("x", to: "\(name)/note.txt")
    for line in ["load \(name)", "load \(name)/", "load \(name) --as m"] {
      let answer = TestSession(in: folder)(line)
      #expect(answer.status == .failed, "\(line): \(answer)")
    }
  }

  @Test("a truncated store")
  func truncatedStore() throws {
    let folder = try TemporaryFolder()
    try SampleStore.topics(at: folder.path("whole"))
    let bytes = try FileBytes.read(folder.path("whole"))
    try folder.write(Array(bytes[..<(bytes.count / 2)]), to: "s")
    try Self.expectRefusal(Self.storeCommands, in: folder, id: "store.truncated")
  }

  @Test("NULL and broken metadata")
  func metadata() throws {
    for (value, id) in [
      ("NULL", "store.noMetadata"), ("x'62706c697374303099'", "store.unreadableMetadata"),
    ] {
      let folder = try TemporaryFolder()
      try SampleStore.topics(at: folder.path("s"))
      try StoreFixture.run(["UPDATE Z_METADATA SET Z_PLIST = \(value)"], on: folder.path("s"))
      try Self.expectRefusal(Self.storeCommands, in: folder, id: id)
    }
  }

  @Test(
    "inconsistent models",
    arguments: [
      (#"<entity name="A" parentEntity="B"/>"#, "model.unknownParent"),
      (
        #"<entity name="A"><relationship name="r" destinationEntity="B"/></entity>"#,
        "model.unknownDestination"
      ),
      (
        #"<entity name="A"><relationship name="r" destinationEntity="A" inverseName="x" inverseEntity="A"/></entity>"#,
        "model.unknownInverse"
      ),
      (
        #"<entity name="A" parentEntity="B"/><entity name="B" parentEntity="A"/>"#,
        "model.cyclicParents"
      ),
      (#"<entity name="A"/><entity name="A"/>"#, "model.duplicateEntity"),
      (
        #"<entity name="A"><attribute name="x" attributeType="Date"/><attribute name="x" attributeType="Date"/></entity>"#,
        "model.duplicateProperty"
      ),
      (
        #"<entity name="A"><attribute name="x" attributeType="Tensor"/></entity>"#, "model.badValue"
      ),
      (
        #"<entity name="A"><uniquenessConstraints><uniquenessConstraint><constraint value="q"/></uniquenessConstraint></uniquenessConstraints></entity>"#,
        "model.unknownConstraint"
      ),
      (String(repeating: "<x>", count: 100_000), "archive.tooDeep"),
      ("<entity name=\"A\">", "archive.notWellFormed"),
    ])
  func models(entities: String, id: String) throws {
    let folder = try TemporaryFolder()
    try folder.write("<model>\n\(entities)\n</model>", to: "M.xcdatamodel/contents")
    try Self.expectRefusal(
      [
        "load M.xcdatamodel", "hash M.xcdatamodel", "show M.xcdatamodel",
        "diff M.xcdatamodel sample:Topics",
      ],
      in: folder, id: id)
  }

  @Test("external and recursive XML entities")
  func entities() throws {
    for declaration in [
      #"<!ENTITY x SYSTEM "file:///etc/passwd">"#, #"<!ENTITY x "&y;"><!ENTITY y "&x;">"#,
    ] {
      let folder = try TemporaryFolder()
      try folder.write(
        "<!DOCTYPE model [\(declaration)]><model name=\"&x;\"/>", to: "M.xcdatamodel/contents")
      try Self.expectRefusal(["hash M.xcdatamodel"], in: folder, id: "archive.declaresEntities")
    }
  }

  @Test("with a broken model cache, commands that need it fail, and the others work")
  func cache() throws {
    let bomb = Deflate.compress(Array(repeating: 0, count: ArchiveLimits.inflatedSize + 1))
    let archive = PropertyList.dictionary([
      "$objects": .array([.uid(7)]), "$top": .dictionary(["root": .uid(0)]),
    ])
    for cache in [bomb, [1, 2, 3], Deflate.compress(archive.encoded())] {
      let folder = try TemporaryFolder()
      try SampleStore.topics(at: folder.path("s"))
      let store = try StoreFixture.OpenStore(folder.path("s"))
      try store.run("UPDATE Z_MODELCACHE SET Z_CONTENT = ?", blob: cache)
      store.close()
      try Self.expectRefusal(
        ["diff s sample:Topics", "show s.Topic"], in: folder, id: "store.unreadableModelCache")
      let session = TestSession(in: folder)
      #expect(session("hash s").status == .done)
      // What is kept and cannot be read is not called missing.
      let counted = session("count s Topic")
      #expect(
        counted.diagnostics.contains("and the model cached in the store cannot be read: "),
        "\(counted)")
      let compared = session("compare s sample:Recipes")
      #expect(compared.status == .no && compared.diagnostics.hasPrefix("warning: the model cached"))
    }
  }

  @Test("folders instead of files, missing files, unreadable files")
  func files() throws {
    let folder = try TemporaryFolder()
    try folder.write("x", to: "folder/x")
    try Self.expectRefusal(["load folder", "run folder"], in: folder, id: "file.isFolder")
    try Self.expectRefusal(["load nowhere", "run nowhere"], in: folder, id: "file.notFound")
    try folder.write("hello", to: "text")
    try Self.expectRefusal(["load text"], in: folder, id: "file.unknownKind")
    #expect(mkfifo(folder.path("pipe"), 0o600) == 0)
    for line in ["load pipe", "hash pipe", "run pipe", "load /dev/zero", "replay /dev/urandom"] {
      let evaluation = TestSession(in: folder)(line)
      #expect(
        evaluation.status == .failed && evaluation.diagnostics.contains("[file.notAFile]"),
        "\(line)")
    }
    try folder.write("x", to: "Old.xcdatamodel/elements")
    try Self.expectRefusal(["load Old.xcdatamodel"], in: folder, id: "archive.notWellFormed")
    try folder.write("<model/>", to: "Empty.xcdatamodel/other")
    try Self.expectRefusal(["load Empty.xcdatamodel"], in: folder, id: "file.isFolder")
    if getuid() != 0 {
      let path = try folder.write("<model/>", to: "secret")
      try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: path)
      #expect(TestSession(in: folder)("load secret").status == .failed)
    }
  }

  @Test("terminal escapes in names are shown escaped")
  func escapes() throws {
    let folder = try TemporaryFolder()
    let evil = "A&#x9B;31m\u{202E}"
    try folder.write(
      #"<model><entity name="\#(evil)"><attribute name="&#x7F;x" optional="YES" attributeType="String"/></entity></model>"#,
      to: "M.xcdatamodel/contents")
    let session = TestSession(in: folder)
    for line in [
      "hash M.xcdatamodel", "show M.xcdatamodel", "hash M.xcdatamodel --json",
      "hash M.xcdatamodel --explain", "diff M.xcdatamodel sample:Topics", "show '\u{1B}[2J'",
    ] {
      let evaluation = session(line)
      let text = evaluation.output + evaluation.diagnostics
      #expect(!text.isEmpty)
      #expect(
        !text.unicodeScalars.contains {
          ($0.value < 0x20 && $0 != "\n") || (0x7F...0x9F).contains($0.value) || $0.value == 0x202E
        },
        "\(line)")
    }
  }

  @Test("a bundle whose current version is a path leads nowhere")
  func currentVersion() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "<model><entity name=\"A\"/></model>", to: "B.xcdatamodeld/One.xcdatamodel/contents")
    try folder.write("secret", to: "secret/contents")
    try folder.write(
      "<plist><dict><key>_XCCurrentVersionName</key><string>../../secret</string></dict></plist>",
      to: "B.xcdatamodeld/.xccurrentversion")
    let evaluation = TestSession(in: folder)("load B.xcdatamodeld")
    #expect(evaluation.status == .done)
    #expect(evaluation.output == "loaded B: 1 version, current One\n")
    #expect(evaluation.diagnostics.contains("[model.unknownCurrentVersion]"))
  }

  @Test(
    "a warning of a bundle names its path as it was typed: a saved answer replays in another folder",
    arguments: [true, false])
  func warningPath(isNamed: Bool) throws {
    let folder = try TemporaryFolder()
    for version in ["One", "Two"] {
      try folder.write(
        "<model><entity name=\"A\"/></model>",
        to: "B.xcdatamodeld/\(version).xcdatamodel/contents")
    }
    if isNamed {
      try folder.write(
        "<plist><dict><key>_XCCurrentVersionName</key><string>Three.xcdatamodel</string></dict></plist>",
        to: "B.xcdatamodeld/.xccurrentversion")
    }
    for line in ["load B.xcdatamodeld", "show B.xcdatamodeld"] {
      let answer = TestSession(in: folder)(line)
      #expect(answer.diagnostics.contains("urrentVersion]"), "\(answer)")
      #expect(answer.diagnostics.contains("where: B.xcdatamodeld"), "\(answer)")
      #expect(!answer.diagnostics.contains(folder.url.path), "\(answer)")
    }
  }

  @Test("one broken version does not affect the others of a bundle")
  func brokenVersion() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "<model><entity name=\"A\"/></model>", to: "B.xcdatamodeld/One.xcdatamodel/contents")
    try folder.write("<model><entity/></model>", to: "B.xcdatamodeld/Two.xcdatamodel/contents")
    let session = TestSession(in: folder)
    let loaded = session("load B.xcdatamodeld")
    #expect(loaded.status == .done && loaded.diagnostics.contains("warning: <entity> has no name"))
    #expect(session("hash One").status == .done)
    #expect(session("hash Two").status == .failed)
    let all = session("hash B --all")
    #expect(all.status == .failed && all.output.hasPrefix("One\n"))
  }
}
