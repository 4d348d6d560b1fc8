import Foundation
import StrataBase
import StrataCommands
import StrataMigration
import StrataStore
import TestSupport
import Testing

/// The full copy of the old store that a migration in place keeps where something is lost.
@Suite("--keep-old")
struct KeepOldTests {
  private static let line = "migrate s.sqlite --to X.xcdatamodeld/V2"
  private static let aside = "s.sqlite.before-V1"

  /// All that a store holds, by Python's SQLite.
  private static func dump(_ path: String) throws -> String {
    try Python.run(
      """
      import sqlite3, sys
      print("\\n".join(sqlite3.connect(sys.argv[1]).iterdump()))
      """, arguments: [path])
  }

  private static func names(_ folder: TemporaryFolder) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
      .filter { $0.hasPrefix("s.") || $0.hasPrefix(".s") }.sorted()
  }

  @Test(
    "a full copy is kept if something is lost or if requested",
    arguments: LossyMigration.all,
    ["", "--keep-old losses", "--keep-old always", "--keep-old never"])
  func kept(migration: LossyMigration, option: String) throws {
    let folder = try TemporaryFolder()
    let session = try migration.session(in: folder)
    let before = try Self.dump(folder.path("s.sqlite"))
    let isLossy = migration.category != nil && migration.category != .valid
    let isKept = option.hasSuffix("always") || isLossy && !option.hasSuffix("never")

    let state = try folder.state()
    let rehearsed = session("\(Self.line) \(option) --dry-run")
    #expect(rehearsed.status == .done, "\(rehearsed)")
    #expect(
      rehearsed.output.contains("would keep the old store as \(Self.aside)") == isKept,
      "\(rehearsed)")
    #expect(try folder.state() == state)

    let done = session("\(Self.line) \(option)")
    #expect(done.status == .done, "\(done)")
    #expect(done.output.contains("the old store is kept as \(Self.aside)") == isKept, "\(done)")
    #expect(try Self.names(folder) == ["s.sqlite"] + (isKept ? [Self.aside] : []))
    guard isKept else { return }
    #expect(try Self.dump(folder.path(Self.aside)) == before)
    #expect(session("identify \(Self.aside) X.xcdatamodeld").output.contains("V1"))
    let discarded = session("doctor s.sqlite --discard-old")
    #expect(discarded.status == .done, "\(discarded)")
    #expect(try Self.names(folder) == ["s.sqlite"])
  }

  @Test("JSON has the name of the copy")
  func payload() throws {
    let folder = try TemporaryFolder()
    let session = try LossyMigration.all[1].session(in: folder)
    let json = session("\(Self.line) --json")
    #expect(json.output.contains("\"aside\" : \"\(Self.aside)\""), "\(json)")
  }

  @Test("the stepper also keeps the copy", arguments: ["", "--keep-old never", "--discard-old"])
  func stepper(option: String) throws {
    let folder = try TemporaryFolder()
    let session = try LossyMigration.all[1].session(in: folder)
    let before = try Self.dump(folder.path("s.sqlite"))
    #expect(session("debug s.sqlite --to X.xcdatamodeld/V2").status == .done)
    let committed = session("commit \(option)")
    #expect(committed.status == .done, "\(committed)")
    #expect(try Self.names(folder) == ["s.sqlite"] + (option.isEmpty ? [Self.aside] : []))
    if option.isEmpty { #expect(try Self.dump(folder.path(Self.aside)) == before) }
  }

  @Test(
    "if there is no disk space for the copy, nothing is written, also in a rehearsal",
    arguments: ["", "--dry-run", "--keep-old always"])
  func noRoom(options: String) throws {
    for (free, fits) in [(Int.max, true), (0, false), (1000, false)] {
      let folder = try TemporaryFolder()
      let session = try LossyMigration.all[1].session(in: folder)
      session.session.diskSpace = DiskSpace { _ in free }
      let state = try folder.state()
      let answer = session("\(Self.line) \(options)")
      #expect(answer.status == (fits ? .done : .failed), "\(answer)")
      guard !fits else { continue }
      #expect(answer.diagnostics.contains("[store.noRoom]"), "\(answer)")
      #expect(answer.diagnostics.contains("but only \(free) are free"), "\(answer)")
      #expect(try folder.state() == state)
      let without = session("\(Self.line) --keep-old never")
      #expect(without.status == .done, "\(without)")
    }
  }

  @Test("the free disk space is known")
  func system() throws {
    let folder = try TemporaryFolder()
    let free = try #require(DiskSpace.system.available(folder.url.path))
    let other = try Python.run(
      "import shutil, sys\nprint(shutil.disk_usage(sys.argv[1]).free)",
      arguments: [folder.url.path])
    let known = try #require(Int(other.trimmingCharacters(in: .whitespacesAndNewlines)))
    // Others use the disk meanwhile.
    #expect(abs(free - known) < 1 << 30)
    #expect(DiskSpace.system.available(folder.path("none")) == nil)
  }

  @Test("a migration that fails leaves no copy, and the store is unchanged")
  func failing() throws {
    let folder = try TemporaryFolder()
    var migration = LossyMigration.all[1]
    // Nothing is there in a value that is required from now on.
    migration.commands.append("insert s.sqlite A")
    migration.after = migration.after.replacing(
      "name=\"title\" optional=\"YES\"", with: "name=\"title\"")
    let session = try migration.session(in: folder)
    let state = try folder.state()
    let failed = session("\(Self.line)")
    #expect(failed.status == .failed && failed.output.contains("134110"), "\(failed)")
    #expect(try folder.state() == state)
  }

  @Test("with several hops, the copy is from before the first")
  func severalHops() throws {
    let folder = try TemporaryFolder()
    let session = TestSession(in: folder)
    let attribute = "<attribute name=\"y\" optional=\"YES\" attributeType=\"String\"/>"
    let other = attribute.replacing("\"y\"", with: "\"z\"")
    for (number, properties) in [attribute, attribute + other, other].enumerated() {
      try folder.write(
        "<model><entity name=\"A\">\(properties)</entity></model>",
        to: "X.xcdatamodeld/V\(number + 1).xcdatamodel/contents")
    }
    session("create s.sqlite --model X.xcdatamodeld/V1")
    session("insert s.sqlite A y=text")
    let before = try Self.dump(folder.path("s.sqlite"))
    let line = "migrate s.sqlite --to X.xcdatamodeld/V3 --strategy progressive"
    #expect(
      session("\(line) --dry-run").output.contains("would keep the old store as \(Self.aside)"))
    let done = session(line)
    #expect(done.output.contains("the old store is kept as \(Self.aside)"), "\(done)")
    #expect(try Self.names(folder) == ["s.sqlite", Self.aside])
    #expect(try Self.dump(folder.path(Self.aside)) == before)
  }

  @Test(
    "stage scripts can lose anything: the copy is created before the first of them",
    arguments: ["", "--keep-old always", "--keep-old never"])
  func scripts(option: String) throws {
    let folder = try TemporaryFolder()
    let session = try LossyMigration.all[0].session(in: folder)
    try folder.write("stage custom V1 -> V2\n  will: run before.strata\n", to: "w.stages")
    try folder.write("expect count store A 2\n", to: "before.strata")
    let state = try folder.state()
    let line = "\(Self.line) --stages w.stages \(option)"
    #expect(session(line).status == .failed)
    #expect(try folder.state() == state)

    let before = try Self.dump(folder.path("s.sqlite"))
    try folder.write("insert store A title=two\n", to: "before.strata")
    let isKept = !option.hasSuffix("never")
    let rehearsed = session("\(line) --dry-run")
    #expect(rehearsed.output.contains("would keep the old store as \(Self.aside)") == isKept)
    let done = session(line)
    #expect(done.status == .done, "\(done)")
    #expect(session("count s.sqlite A").output == "2\n")
    #expect(try Self.names(folder) == ["s.sqlite"] + (isKept ? [Self.aside] : []))
    if isKept { #expect(try Self.dump(folder.path(Self.aside)) == before) }
  }

  @Test("an existing copy is kept: the next one has a number")
  func numbered() throws {
    let folder = try TemporaryFolder()
    let session = try LossyMigration.all[1].session(in: folder)
    session("migrate s.sqlite --to X.xcdatamodeld/V2")
    session("migrate s.sqlite --to X.xcdatamodeld/V1 --keep-old never")
    session("insert s.sqlite D")
    let again = session("migrate s.sqlite --to X.xcdatamodeld/V2")
    #expect(again.output.contains("kept as \(Self.aside)-2"), "\(again)")
  }
}

/// Binary data in files, which belongs to the copy.
@Suite("External binary data of a kept store")
struct KeptExternalDataTests {
  private let folder: TemporaryFolder
  private let session: TestSession
  private static let line = "migrate Photos.sqlite --to X.xcdatamodeld/V2"

  /// Photos, of which the next model has no data.
  init() throws {
    folder = try TemporaryFolder()
    session = TestSession(in: folder)
    try PhotoStore.write([1, 2], to: folder.path("Photos.sqlite"))
    let title = "<attribute name=\"title\" optional=\"YES\" attributeType=\"String\"/>"
    try folder.write(
      "<model><entity name=\"Photo\">\(title)</entity></model>",
      to: "X.xcdatamodeld/V2.xcdatamodel/contents")
    let data =
      "<attribute name=\"data\" optional=\"YES\" attributeType=\"Binary\" allowsExternalBinaryDataStorage=\"YES\"/>"
    try folder.write(
      "<model><entity name=\"Photo\">\(title)\(data)</entity></model>",
      to: "X.xcdatamodeld/V1.xcdatamodel/contents")
    try folder.write(
      "<model><entity name=\"Photo\">\(title)\(data)<attribute name=\"new\" optional=\"YES\" attributeType=\"String\"/></entity></model>",
      to: "X.xcdatamodeld/V3.xcdatamodel/contents")
  }

  private var external: String { folder.path(".Photos_SUPPORT/_EXTERNAL_DATA") }

  private func aside() throws -> String {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    return try #require(names.first { $0.hasPrefix("Photos.sqlite.before-") })
  }

  private static let images = [1, 2].map { AttributeValue.bytes(PhotoStore.image($0)) }

  @Test(
    "a kept store finds its binary data, whatever the name of the store",
    arguments: [
      "My.before-summer.sqlite", "My.sqlite (1)", "a.b.before-c.d.store", "plain",
    ])
  func names(name: String) throws {
    try PhotoStore.write([1, 2], to: folder.path(name))
    session("infer X.xcdatamodeld/V1 X.xcdatamodeld/V3 --write M.mapping")
    let byPasses = "--to X.xcdatamodeld/V3 --strategy custom --mapping M.mapping"
    for options in ["--to X.xcdatamodeld/V3 --keep-old always", byPasses] {
      let answer = session("migrate '\(name)' \(options)")
      #expect(answer.status == .done, "\(answer)")
      let kept = "\(name).before-V1"
      #expect(try PhotoStore.read(folder.path(kept)) == Self.images)
      for place in ["'\(kept)'", "'\(name)'", "."] {
        let doctor = session("doctor \(place)")
        #expect(doctor.status == .done, "\(doctor)")
      }
      try FileManager.default.removeItem(atPath: folder.path(name))
      let restored = session("doctor . --fix")
      #expect(restored.output.contains("renamed it to \(name)"), "\(restored)")
      #expect(try PhotoStore.read(folder.path(name)) == Self.images)
    }
  }

  @Test("the copy has its own files: it is intact after an app has deleted those of the store")
  func ownFiles() throws {
    #expect(session(Self.line).status == .done)
    let aside = try aside()
    #expect(try PhotoStore.read(folder.path(aside)) == Self.images)
    try FileManager.default.removeItem(atPath: folder.path(".Photos_SUPPORT"))
    #expect(try PhotoStore.read(folder.path(aside)) == Self.images)
    let discarded = session("doctor Photos.sqlite --discard-old")
    #expect(discarded.status == .done, "\(discarded)")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    #expect(Set(names) == ["Photos.sqlite", "X.xcdatamodeld"])
  }

  @Test("a staged migration with a script is rehearsed as it runs, with the files of the original")
  func rehearsedScript() throws {
    try folder.write("insert store Photo title=new\n", to: "Fill.strata")
    try folder.write(
      "stage custom V1 -> V3\n  did: run Fill.strata\n", to: "a.stages")
    let line = "migrate Photos.sqlite --to X.xcdatamodeld/V3 --strategy staged --stages a.stages"
    for options in [" --dry-run", " --proof --dry-run", ""] {
      let answer = session(line + options)
      #expect(answer.status == .done, "\(options): \(answer)")
    }
    #expect(session("count Photos.sqlite Photo").output == "3\n")
  }

  @Test("the store can be recreated beside the copy, which stays intact")
  func createdAnew() throws {
    #expect(session(Self.line).status == .done)
    let aside = try aside()
    let line = "create Photos.sqlite --model X.xcdatamodeld/V1 --rows 1 --force"
    // A copy whose files stayed where they were needs that folder.
    let own = folder.path(".\(aside)_SUPPORT")
    try FileManager.default.moveItem(atPath: own, toPath: folder.path("own"))
    #expect(session(line).diagnostics.contains("[store.sharedExternalData]"))
    try FileManager.default.moveItem(atPath: folder.path("own"), toPath: own)
    let created = session(line)
    #expect(created.status == .done, "\(created)")
    #expect(try PhotoStore.read(folder.path(aside)) == Self.images)
  }

  @Test("`doctor` restores the name and the files of the store")
  func restored() throws {
    #expect(session(Self.line).status == .done)
    for name in ["Photos.sqlite", ".Photos_SUPPORT"] {
      try FileManager.default.removeItem(atPath: folder.path(name))
    }
    let fixed = session("doctor . --fix")
    #expect(fixed.output.contains("fixed: "), "\(fixed)")
    #expect(try PhotoStore.read(folder.path("Photos.sqlite")) == Self.images)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    #expect(Set(names) == ["Photos.sqlite", ".Photos_SUPPORT", "X.xcdatamodeld"])
  }

  @Test("if there is no disk space for the copy, none of its files is left")
  func noRoom() throws {
    let state = try folder.state()
    session.session.diskSpace = DiskSpace { _ in 10 }
    #expect(session(Self.line).status == .failed)
    #expect(try folder.state() == state)
  }

  @Test(
    "a store with missing files can be migrated and rehearsed, with the same warning",
    arguments: ["V2", "V3"], [1, 2])
  func missing(version: String, count: Int) throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: external).prefix(count) {
      try FileManager.default.removeItem(atPath: "\(external)/\(name)")
    }
    if count == 2 { try FileManager.default.removeItem(atPath: folder.path(".Photos_SUPPORT")) }
    var warnings: Set<String> = []
    for options in ["--dry-run", ""] {
      let answer = session("migrate Photos.sqlite --to X.xcdatamodeld/\(version) \(options)")
      #expect(answer.status == .done, "\(answer)")
      #expect(
        answer.diagnostics.contains(
          "\(count) \(count == 1 ? "file" : "files") of binary data"), "\(answer)")
      warnings.insert(
        answer.diagnostics.split(separator: "\n").filter { $0.contains("binary data") }
          .joined())
    }
    #expect(warnings.count == 1)
  }

  @Test("--output creates the file also if the hashes are equal, with its own binary data")
  func output() throws {
    let line = "migrate Photos.sqlite --to X.xcdatamodeld/V1 --output Copy.sqlite"
    let state = try folder.state()
    let copied = session(line)
    #expect(copied.status == .done, "\(copied)")
    #expect(try PhotoStore.read(folder.path("Copy.sqlite")) == Self.images)
    for file in state { #expect(try folder.state()[file.key] == file.value) }
    // The copy needs nothing of the store.
    try FileManager.default.removeItem(atPath: folder.path(".Photos_SUPPORT"))
    #expect(try PhotoStore.read(folder.path("Copy.sqlite")) == Self.images)
    #expect(session(line).diagnostics.contains("[file.exists]"))
    #expect(session("\(line) --force").status == .done)
    let json = session("\(line) --force --json")
    #expect(json.output.contains("\"outcome\" : \"copied\""), "\(json)")
  }
}
