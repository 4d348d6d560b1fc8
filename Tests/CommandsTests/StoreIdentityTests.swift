import Foundation
import StrataArchives
import StrataBase
import StrataCommands
import StrataObjectModel
import TestSupport
import Testing

/// Which model wrote a store, on every road that asks.
@Suite("The identity of stores")
struct StoreIdentityTests {
  /// Bundles A and B, loaded, and the models whose stores are recognized.
  private struct Project {
    let folder: TemporaryFolder
    let session: TestSession

    init() throws {
      folder = try TemporaryFolder()
      session = TestSession(in: folder)
      try write(
        "A/A1",
        "<entity name=\"X\"><attribute name=\"a\" attributeType=\"String\" optional=\"YES\"/></entity><entity name=\"Y\"/>",
        "<configuration name=\"Local\"><memberEntity name=\"X\"/></configuration>")
      try write(
        "A/A2",
        "<entity name=\"X\"><attribute name=\"a\" attributeType=\"String\" optional=\"YES\"/><attribute name=\"b\" attributeType=\"String\" optional=\"YES\"/></entity><entity name=\"Y\"/>",
        "<configuration name=\"Local\"><memberEntity name=\"X\"/></configuration>")
      try write("B/B1", "<entity name=\"Z\"/>")
      // The entity of A, with one attribute more.
      try write(
        "Q/Q1",
        "<entity name=\"X\"><attribute name=\"a\" attributeType=\"String\" optional=\"YES\"/><attribute name=\"q\" attributeType=\"String\" optional=\"YES\"/></entity>"
      )
      try write(
        "Part/Part",
        "<entity name=\"X\"><attribute name=\"a\" attributeType=\"String\" optional=\"YES\"/></entity>"
      )
    }

    func write(_ name: String, _ entities: String, _ more: String = "", identifier: String = "")
      throws
    {
      let parts = name.split(separator: "/")
      try folder.write(
        "<model userDefinedModelVersionIdentifier=\"\(identifier)\">\(entities)\(more)</model>",
        to: "\(parts[0]).xcdatamodeld/\(parts[1]).xcdatamodel/contents")
    }

    func answer(_ line: String) -> String {
      let answer = session(line)
      return answer.output + answer.diagnostics
    }
  }

  @Test("a store of merged models is recognized by every command", arguments: [false, true])
  func merged(isXML: Bool) throws {
    let project = try Project()
    let store = isXML ? "s.xml" : "s.sqlite"
    // It keeps no model of its own.
    let form = isXML ? "--type xml" : "--framework 500"
    _ = project.answer(
      "create \(store) --model A.xcdatamodeld/A1+B.xcdatamodeld/B1 --rows 2 \(form)")
    for line in [
      "count \(store) X", "rows \(store) Z", "validate \(store)", "sql \(store) 'SELECT * FROM ZX'",
    ] {
      #expect(project.session(line).status == .failed || line.hasPrefix("sql") && !isXML, "\(line)")
    }
    let bundles = "A.xcdatamodeld B.xcdatamodeld"
    #expect(
      project.answer("identify \(store) \(bundles)").contains(
        "was written by A/A1 and B/B1 merged: all hashes of 3 entities are equal"))
    #expect(
      project.session("count \(store) X --model A.xcdatamodeld+B.xcdatamodeld").output == "2\n")
    #expect(project.session("compare \(store) A.xcdatamodeld/A1+B.xcdatamodeld/B1").status == .done)
    let target = "--to A.xcdatamodeld/A2+B.xcdatamodeld/B1"
    #expect(project.answer("plan \(store) \(target)").contains("A/A1+B/B1 -> "))
    #expect(
      project.answer("migrate \(store) \(target) --dry-run --keep-old always").contains(
        "\(store).before-A1+B1"))
    project.session("load \(bundles)")
    for line in [
      "identify \(store)", "metadata \(store)", "show \(store)", "compare \(store) A2",
      "project .",
    ] {
      let answer = project.answer(line)
      #expect(
        answer.contains("A1 and B1 merged") || answer.contains("B.xcdatamodeld/B1 merged"),
        "\(line): \(answer)")
    }
    #expect(project.session("count \(store) X").output == "2\n")
    #expect(project.session("rows \(store) Z").status == .done)
    #expect(project.session("validate \(store)").status == .done)
    #expect(project.session("sql \(store) 'SELECT Z_PK FROM ZX'").status == .done)
    #expect(project.session("migrate \(store) \(target)").status == .done)
    #expect(project.answer("identify \(store)").contains("written by A2 and B1 merged"))
  }

  @Test("create writes a store of a configuration, which is recognized as one")
  func createConfiguration() throws {
    let project = try Project()
    let created = project.session(
      "create local.sqlite --model A.xcdatamodeld/A1 --configuration Local --rows 2")
    #expect(created.status == .done && created.output.contains("configuration Local"), "\(created)")
    #expect(created.diagnostics.contains("[store.unprovenConfiguration]"), "\(created)")
    #expect(
      project.answer("identify local.sqlite A.xcdatamodeld").contains(
        "was written by configuration Local of A1"))
    #expect(project.session("count local.sqlite X --model A.xcdatamodeld").output == "2\n")
    #expect(project.session("validate local.sqlite --model A.xcdatamodeld").status == .done)
    let unknown = project.session(
      "create no.sqlite --model A.xcdatamodeld/A1 --configuration Locl")
    #expect(unknown.diagnostics.contains("did you mean Local?"), "\(unknown)")
  }

  @Test("a store of a configuration is recognized, and migrated to the same configuration")
  func configuration() throws {
    let project = try Project()
    _ = project.answer("create s.sqlite --model Part.xcdatamodeld --rows 2 --framework 500")
    #expect(
      project.answer("identify s.sqlite A.xcdatamodeld").contains(
        "was written by configuration Local of A1: the hash of 1 entity is equal"))
    #expect(project.session("count s.sqlite X --model A.xcdatamodeld").output == "2\n")
    let plan = project.answer("plan s.sqlite --to A.xcdatamodeld/A2")
    #expect(
      plan.contains("A/A1 -> A/A2") && plan.contains("holds configuration Local of A/A1"), "\(plan)"
    )
    #expect(project.session("migrate s.sqlite --to A.xcdatamodeld/A2").status == .done)
    #expect(
      project.answer("identify s.sqlite A.xcdatamodeld").contains("configuration Local of A2"))
    #expect(project.session("validate s.sqlite --model A.xcdatamodeld").status == .done)
  }

  @Test(
    "a store whose entities continue in one configuration of the target is warned of, and narrowed with --from",
    arguments: [
      ("", "", "K G"), ("", "<entity name='N'/>", "K G N"),
      ("K", "<entity name='N' elementID='K'/>", "N G"), ("K", "", "G"),
    ])
  func grownConfiguration(gone: String, added: String, members: String) throws {
    let folder = try TemporaryFolder()
    func write(_ name: String, _ entities: String, _ members: [String]) throws {
      let members = members.map { "<memberEntity name='\($0)'/>" }.joined()
      try folder.write(
        "<model>\(entities)<entity name='Zoo'/><configuration name='A'>\(members)</configuration><configuration name='B'><memberEntity name='Zoo'/></configuration></model>",
        to: "\(name).xcdatamodel/contents")
    }
    let old = ["K", "G"].map { "<entity name='\($0)'/>" }
    try write("W1", old.joined(), ["K", "G"])
    try write(
      "W2",
      old.filter { !$0.contains("'\(gone)'") }.joined().replacing(
        "'G'/>", with: "'G'><attribute name='x' optional='YES' attributeType='String'/></entity>")
        + added,
      members.split(separator: " ").map(String.init))
    let session = TestSession(in: folder)
    session("create s.sqlite --model W1.xcdatamodel --configuration A --rows 2")
    let rehearsed = session("migrate s.sqlite --to W2.xcdatamodel --dry-run")
    #expect(
      rehearsed.diagnostics.contains("the entities of s.sqlite are in configuration A of W2"),
      "\(rehearsed)")
    session("migrate s.sqlite --to W2.xcdatamodel --from W1.xcdatamodel")
    #expect(session("compare s.sqlite W2.xcdatamodel --configuration A").status == .done)
  }

  @Test("a configuration of the target that a relationship leaves is refused")
  func leftConfiguration() throws {
    let folder = try TemporaryFolder()
    for (name, owner) in [("X1", "A"), ("X2", "B")] {
      let members = ["A", "B"].map { configuration in
        "<configuration name='\(configuration)'>"
          + (configuration == "A" ? "<memberEntity name='K'/>" : "")
          + (configuration == owner ? "<memberEntity name='T'/>" : "") + "</configuration>"
      }
      try folder.write(
        "<model><entity name='K'><attribute name='\(name)' optional='YES' attributeType='String'/><relationship name='t' optional='YES' maxCount='1' destinationEntity='T'/></entity><entity name='T'/><entity name='Zoo'/>\(members.joined())</model>",
        to: "\(name).xcdatamodel/contents")
    }
    let session = TestSession(in: folder)
    session("create s.sqlite --model X1.xcdatamodel --configuration A --rows 2")
    let before = try folder.state()
    let refused = session("migrate s.sqlite --to X2.xcdatamodel --from X1.xcdatamodel")
    #expect(
      refused.status == .failed && refused.diagnostics.contains("configuration A"), "\(refused)")
    #expect(try folder.state() == before)
  }

  @Test(
    "--from names the version; a version that did not write the store is refused with the differences"
  )
  func named() throws {
    let project = try Project()
    _ = project.answer("create s.sqlite --model A.xcdatamodeld/A1 --rows 1")
    for command in ["plan", "migrate --dry-run", "debug"] {
      let refused = project.session(
        "\(command) s.sqlite --to A.xcdatamodeld/A2 --from A.xcdatamodeld/A2")
      #expect(
        refused.status == .failed
          && refused.diagnostics.contains("A/A2 did not write the store: X differs"),
        "\(command): \(refused)")
      #expect(refused.diagnostics.contains("+ attribute b: String, optional"), "\(refused)")
      #expect(
        project.session("\(command) s.sqlite --to A.xcdatamodeld/A2 --from A.xcdatamodeld").status
          == .done)
    }
    #expect(
      project.session("plan A.xcdatamodeld/A1 --to A.xcdatamodeld/A2 --from A.xcdatamodeld").status
        == .usage)
    // No name is known of a model that only the store keeps.
    _ = project.answer("create p.sqlite --model Part.xcdatamodeld --rows 1")
    for (target, name) in [("Q.xcdatamodeld/Q1", "migration"), ("A.xcdatamodeld/A2", "A1")] {
      let answer = project.answer("migrate p.sqlite --to \(target) --keep-old always --dry-run")
      #expect(answer.contains("the old store as p.sqlite.before-\(name)\n"), "\(answer)")
    }
  }

  @Test("compare accepts a model for each store")
  func comparedModels() throws {
    let project = try Project()
    _ = project.answer("create a.sqlite --model A.xcdatamodeld/A1 --rows 1 --framework 500")
    _ = project.answer("create b.sqlite --model A.xcdatamodeld/A2 --rows 1 --framework 500")
    #expect(project.answer("compare a.sqlite b.sqlite").contains("or name it with --model"))
    #expect(project.session("compare a.sqlite b.sqlite --rows").status == .failed)
    for models in [
      "--model A.xcdatamodeld --model A.xcdatamodeld",
      "--model A.xcdatamodeld/A2 --model A.xcdatamodeld/A1",
    ] {
      let answer = project.answer("compare a.sqlite b.sqlite \(models)")
      #expect(answer.contains("X  changed  + attribute b"), "\(models): \(answer)")
      #expect(project.session("compare a.sqlite b.sqlite --rows \(models)").status != .failed)
    }
    #expect(
      project.answer("compare a.sqlite b.sqlite --model B.xcdatamodeld").contains(
        "B/B1 did not write the store: X, Y and Z differ"))
    #expect(
      project.session("compare A.xcdatamodeld/A1 A.xcdatamodeld/A2 --model A.xcdatamodeld").status
        == .usage)
  }

  @Test("between versions with equal hashes, identifier, cached model and indexes are written")
  func equalHashes() throws {
    let project = try Project()
    func version(_ name: String, _ index: String) throws {
      try project.write(
        "C/\(name)",
        "<entity name=\"X\"><attribute name=\"a\" attributeType=\"String\" optional=\"YES\"/><attribute name=\"c\" attributeType=\"String\" optional=\"YES\"/>\(index)</entity>",
        identifier: name)
    }
    func index(_ name: String, _ property: String) -> String {
      "<fetchIndex name=\"\(name)\"><fetchIndexElement property=\"\(property)\" type=\"Binary\" order=\"ascending\"/></fetchIndex>"
    }
    try version("C1", index("one", "a") + index("both", "a"))
    try version("C2", index("two", "c") + index("both", "c"))
    let session = project.session
    session("create s.sqlite --model C.xcdatamodeld/C1 --rows 3")
    session("create new.sqlite --model C.xcdatamodeld/C2 --rows 3")
    #expect(project.answer("identify s.sqlite C.xcdatamodeld").contains("fits C1 and C2"))
    #expect(
      project.answer("plan s.sqlite --to C.xcdatamodeld/C2").contains(
        "why: all hashes are equal: the version identifiers"))
    #expect(
      project.answer("migrate s.sqlite --to C.xcdatamodeld/C2").contains(
        "migrated; s.sqlite is at C/C2"))
    let schema =
      "SELECT group_concat(sql, char(10)) FROM (SELECT sql FROM sqlite_master WHERE type = 'index' ORDER BY sql)"
    let cache = "SELECT hex(Z_CONTENT) FROM Z_MODELCACHE"
    for query in [schema, cache] {
      #expect(
        try Python.value(query, in: project.folder.path("s.sqlite"))
          == Python.value(query, in: project.folder.path("new.sqlite")))
    }
    #expect(project.answer("metadata s.sqlite").contains("version identifiers  C2\n"))
    #expect(session("compare s.sqlite new.sqlite --rows").status == .done)
    for target in ["C.xcdatamodeld/C2", "C.xcdatamodeld/C2 --from C.xcdatamodeld"] {
      #expect(project.answer("migrate s.sqlite --to \(target)").hasPrefix("nothing to do"))
    }
    // Stepped through, and into another store.
    #expect(session("debug s.sqlite --to C.xcdatamodeld/C1").status == .done)
    session("abandon")
    session("migrate s.sqlite --to C.xcdatamodeld/C1 --output back.sqlite")
    #expect(project.answer("metadata back.sqlite").contains("version identifiers  C1\n"))
  }

  @Test(
    "a bundle with a version of its own name: each form means one of the two, and expect accepts no other"
  )
  func ambiguousNames() throws {
    let project = try Project()
    try project.write("App/App", "<entity name=\"X\"/>")
    try project.write(
      "App/App 2",
      "<entity name=\"X\"><attribute name=\"n\" optional=\"YES\" attributeType=\"String\"/></entity>"
    )
    func setCurrent(_ name: String) throws {
      try project.folder.write(
        "<?xml version=\"1.0\"?><plist version=\"1.0\"><dict><key>_XCCurrentVersionName</key><string>\(name).xcdatamodel</string></dict></plist>",
        to: "App.xcdatamodeld/.xccurrentversion")
    }
    try setCurrent("App 2")
    project.session("load App.xcdatamodeld")
    let note = "note: App means the current version App 2, not the version App/App"
    func checksum(_ name: String) -> String { project.session("hash \(name) --json").output }
    for line in ["hash App", "hash App.X", "show App", "diff App App/App", "plan App/App --to App"]
    {
      #expect(project.session(line).diagnostics.contains(note), "\(line)")
    }
    for line in [
      "hash App/App", "hash App@current", "hash App@current.X", "hash 'App 2'", "infer App",
      "hash App --all",
    ] {
      let answer = project.session(line)
      #expect(
        !answer.diagnostics.contains("note:") && answer.status != .failed, "\(line): \(answer)")
    }
    #expect(
      checksum("App@current") == checksum("'App 2'")
        && checksum("App@current") != checksum("App/App"))
    #expect(checksum("App.xcdatamodeld@current").contains(#""checksum""#))
    for (line, isRefused) in [
      ("expect inferable App/App App", true), ("expect not compatible App App/App", true),
      ("expect hash App.X 12345678", true), ("expect safe App/App App@current", false),
      ("expect inferable App/App 'App 2'", false),
    ] {
      let answer = project.session(line)
      #expect(answer.diagnostics.contains("reference.ambiguous") == isRefused, "\(line): \(answer)")
      #expect(isRefused || answer.status == .done, "\(line): \(answer)")
    }
    // The name has one meaning where the version is the current one.
    try setCurrent("App")
    project.session("load App.xcdatamodeld")
    #expect(project.session("hash App").diagnostics.isEmpty)
    #expect(project.session("expect inferable App App@current").status == .done)
  }

  // MARK: Compiled bundles

  @Test("a compiled model is written without its fetch requests, which a warning names")
  func unreadFetchRequests() throws {
    let folder = try TemporaryFolder()
    let model = try ObjectModel(brief: "Item\n  a String\n  b String")
    try folder.write(model.archived(), to: "V1.mom")
    let session = TestSession(in: folder)
    #expect(session("write V1.mom A.xcdatamodel").diagnostics.isEmpty)
    // As Xcode compiles them, with a fetched property in the place of an attribute.
    _ = try Python.run(
      """
      import plistlib, sys
      from plistlib import UID
      archive = plistlib.load(open("V1.mom", "rb"))
      objects = archive["$objects"]
      def add(value):
          objects.append(value)
          return UID(len(objects) - 1)
      def kind(name):
          return add({"$classname": name, "$classes": [name, "NSObject"]})
      request = add({"$class": kind("NSFetchRequest")})
      for o in objects:
          if isinstance(o, dict) and "NSFetchRequestTemplates" in o:
              o["NSFetchRequestTemplates"] = add({
                  "NS.keys": [add("Latest")], "NS.objects": [request],
                  "$class": kind("NSMutableDictionary")})
          if isinstance(o, dict) and "NSAttributeType" in o and objects[o["NSPropertyName"].data] == "b":
              o["$class"] = kind("NSFetchedPropertyDescription")
      plistlib.dump(archive, open("V1.mom", "wb"), fmt=plistlib.FMT_BINARY)
      """.replacing("\"V1.mom\"", with: "\"\(folder.path("V1.mom"))\""))
    for line in ["B.xcdatamodel", "T.xcdatamodeld/V1", "U.xcdatamodeld"] {
      let answer = session("write V1.mom \(line)")
      #expect(
        answer.diagnostics.contains(
          "V1 is written without the fetch requests Item.b and Latest: those of a compiled model are not read"
        ), "\(answer)")
    }
  }

  @Test("VersionInfo.plist is compared with the versions, and an .omo is read as its .mom")
  func compiled() throws {
    let folder = try TemporaryFolder()
    let model = try SampleStore.model("Topics", "Model1")
    func record(_ hashes: [String: [String: VersionHash]], checksum: String) throws -> String {
      let plist: [String: Any] = [
        "NSManagedObjectModel_CurrentVersionName": "V1",
        "NSManagedObjectModel_VersionHashes": hashes.mapValues { $0.mapValues { Data($0.bytes) } },
        "NSManagedObjectModel_VersionChecksums": ["V1": checksum],
      ]
      try folder.write(
        [UInt8](
          PropertyListSerialization.data(fromPropertyList: plist, format: .binary, options: 0)),
        to: "T.momd/VersionInfo.plist")
      let session = TestSession(in: folder)
      let answers = ["load T.momd", "project ."].map { session($0) }
      #expect(answers[0].diagnostics == answers[1].diagnostics)
      return answers[0].diagnostics
    }
    try folder.write(model.archived(), to: "T.momd/V1.mom")
    let hashes = model.versionHashes()
    var other = hashes
    other["Topic"] = hashes["TopicList"]
    let checksum = hashes.versionChecksum
    #expect(try record(["V1": hashes], checksum: checksum) == "")
    #expect(
      try record(["V1": other], checksum: checksum).contains(
        "its version hashes differ from those of V1.mom: Topic  [model.versionInfo]"))
    #expect(
      try record(["V1": hashes], checksum: "x").contains(
        "its version checksum differs from that of V1.mom")
    )
    #expect(
      try record(["V2": hashes], checksum: checksum).contains(
        "it does not record the version V1.mom"))
    #expect(
      try record(["V1": hashes, "V2": hashes], checksum: checksum).contains(
        "it records the version V2, but there is no V2.mom"))
    let optimized = Array("momv2$srsraori55".utf8) + [0, 1, 2]
    try folder.write(optimized, to: "T.momd/V1.omo")
    try folder.write(optimized, to: "T.momd/V2.omo")
    let session = TestSession(in: folder)
    let read = session("hash T.momd/V1.omo --json")
    #expect(
      read.output.contains(checksum.replacing("/", with: "\\/")) || read.output.contains(checksum),
      "\(read)")
    #expect(
      read.diagnostics.contains(
        "note: V1.mom, the same model, is read instead of this optimized model"))
    #expect(session("hash T.momd/V2.omo").diagnostics.contains("only by Core Data"))
  }

  // MARK: Bytes

  @Test(
    "a model that is written unchanged keeps its bytes, an edited one its empty userInfo"
  )
  func bytes() throws {
    let folder = try TemporaryFolder()
    let text =
      "<?xml version='1.0' encoding=\"UTF-8\"?>\r\n<!-- ours -->\r\n<model userDefinedModelVersionIdentifier=\"\" type=\"com.apple.IDECoreDataModeler.DataModel\">\r\n\t<entity syncable='YES' name=\"X\"><attribute attributeType=\"String\" optional=\"YES\" name=\"a\"><userInfo/></attribute>\r\n\t\t<userInfo/></entity></model>\r\n"
    try folder.write(text, to: "X.xcdatamodeld/X.xcdatamodel/contents")
    let session = TestSession(in: folder)
    session("load X.xcdatamodeld")
    func written(_ line: String, _ path: String) throws -> String {
      let answer = session(line)
      #expect(answer.status == .done, "\(line): \(answer)")
      return try String(contentsOfFile: folder.path(path + "/contents"), encoding: .utf8)
    }
    #expect(try written("write X Y.xcdatamodel", "Y.xcdatamodel") == text)
    #expect(try written("write X Z.xcdatamodeld", "Z.xcdatamodeld/X.xcdatamodel") == text)
    #expect(try written("write X X.xcdatamodeld/X2", "X.xcdatamodeld/X2.xcdatamodel") == text)
    session("try X.X.a optional NO")
    let edited = try written("write try:X/X E.xcdatamodel", "E.xcdatamodel")
    #expect(edited.components(separatedBy: "<userInfo/>").count == 3, "\(edited)")
    // An edit that is taken back is none.
    session("try X.X.a optional YES")
    #expect(try written("write try:X/X B.xcdatamodel", "B.xcdatamodel") == text)
  }

  @Test(
    "versions that cannot be distinguished are all named; a version identifier distinguishes them",
    arguments: [("", "", true), ("two", "two", true), ("one", "two", false)])
  func equalVersions(copy: String, second: String, isGuess: Bool) throws {
    let folder = try TemporaryFolder()
    for (name, identifier, attributes) in [
      ("Copy", copy, ""), ("M2", second, ""),
      ("M3", "", "<attribute name=\"a\" attributeType=\"String\" optional=\"YES\"/>"),
    ] {
      try folder.write(
        "<model userDefinedModelVersionIdentifier=\"\(identifier)\"><entity name=\"X\">\(attributes)</entity></model>",
        to: "E.xcdatamodeld/\(name).xcdatamodel/contents")
    }
    let session = TestSession(in: folder)
    session("create s.sqlite --model E.xcdatamodeld/M2")
    let plan = session("plan s.sqlite --to E.xcdatamodeld/M3")
    #expect(plan.diagnostics.contains("store.severalWriters") == isGuess, "\(plan)")
    let answer = session("compare s.sqlite E.xcdatamodeld/M3")
    let compared = answer.output + answer.diagnostics
    #expect(compared.contains("written by E/Copy or E/M2") == isGuess, "\(compared)")
    #expect(compared.contains("written by E/M2") == !isGuess, "\(compared)")
    let named = session("plan s.sqlite --to E.xcdatamodeld/M3 --from E.xcdatamodeld/M2")
    #expect(!named.diagnostics.contains("store.severalWriters"), "\(named)")
  }
}
