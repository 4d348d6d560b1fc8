import Foundation
import StrataBase
import StrataCommands
import TestSupport
import Testing

/// What Core Data does with the mapping models of a hop, by hand from Apple's documents, and what each command
/// says of it: the rows of `Docs/MAPPING-CHOICE.md`.
@Suite("The choice of mapping models")
struct MappingChoiceTests {
  private static let library: TemporaryProject.Version = [
    "Book": ["title": "String"], "User": ["name": "String", "nick": "String"],
  ]
  private static let library2: TemporaryProject.Version = [
    "Book": ["title": "String", "pages": "Integer 32"], "User": ["name": "String"],
  ]
  private static let library3: TemporaryProject.Version = [
    "Book": ["title": "String", "pages": "Integer 32", "isbn": "String"],
    "User": ["name": "String"],
  ]
  private static let retyped: TemporaryProject.Version = [
    "Book": ["title": "Binary"], "User": ["name": "String"],
  ]
  private static let books = "BookToBook: Book -> Book"
  private static let users = "UserToUser: User -> User"

  private static func project(
    _ second: TemporaryProject.Version = library2
  ) throws -> TemporaryProject {
    let project = try TemporaryProject([("M1", library), ("M2", second), ("M3", library3)])
    project.session("create s.sqlite --model M1 --rows 3")
    return project
  }

  /// What Core Data does, row by row.
  enum Row: String, CaseIterable, Sendable {
    case none, refused, one, dropped, byEntity, byPredicate, alternatives, text, brokenText
    case staleDestination, staleSource, staleAndRefused, partAlone, copies
  }

  private static func make(_ row: Row) throws -> (TemporaryProject, Answer) {
    switch row {
    case .none: return (try project(), Answer(isInferred: true))
    case .refused: return (try project(retyped), Answer())
    case .one:
      let project = try project()
      try project.map("Anything", "M1", "M2", [books, users])
      return (project, Answer(fitting: ["Anything"], parts: ["Anything"]))
    case .dropped:
      // An entity that the destination lacks needs no entity mapping.
      let project = try project(["Book": ["title": "String", "pages": "Integer 32"]])
      try project.map("Anything", "M1", "M2", [books])
      return (project, Answer(fitting: ["Anything"], parts: ["Anything"]))
    case .byEntity:
      let project = try project()
      try project.map("Library", "M1", "M2", [books])
      try project.map("Library_User", "M1", "M2", [users])
      return (project, Answer(parts: ["Library", "Library_User"], isInferred: true))
    case .byPredicate:
      let project = try project()
      for (name, sign) in [("First", "<"), ("Second", ">=")] {
        try project.map(
          name, "M1", "M2",
          [books, "  where title \(sign) 'm'", users, "  where name \(sign) 'm'"])
      }
      return (project, Answer(fitting: ["First", "Second"], parts: ["First", "Second"]))
    case .alternatives:
      let project = try project()
      try project.map("Old", "M1", "M2", [books, users])
      try project.map("New", "M1", "M2", [books, "  pages = 1", users])
      return (project, Answer(fitting: ["New", "Old"]))
    case .copies:
      let project = try project()
      try project.map("Anything", "M1", "M2", [books, users])
      try project.map("Copy", "M1", "M2", [users, books])
      try FileManager.default.copyItem(
        atPath: project.folder.path("Anything.xcmappingmodel"),
        toPath: project.folder.path("Equal.xcmappingmodel"))
      return (
        project, Answer(fitting: ["Anything"], parts: ["Anything"], copies: ["Copy", "Equal"])
      )
    case .text:
      let project = try project()
      try project.text("Mine", "M1", "M2", [books, users])
      return (project, Answer(isInferred: true, warning: "migration.textMapping"))
    case .brokenText:
      let project = try project()
      try project.folder.write(
        "mapping from Gone/M1 to Gone/M2\n\nBooks: Book -> Book\n", to: "Mine.mapping")
      return (project, Answer(isInferred: true))
    case .staleDestination:
      let project = try project()
      try project.map("Anything", "M1", "M2", [books, users])
      var edited = library2
      edited["Book"]?["author"] = "String"
      try project.write(edited, "M2")
      return (project, Answer(isInferred: true, warning: "migration.staleMapping"))
    case .staleSource:
      let project = try project()
      try project.map("Anything", "M1", "M2", [books, users])
      var edited = library
      edited["Book"]?["author"] = "String"
      try project.write(edited, "M1")
      project.session("create s2.sqlite --model M1 --rows 3")
      return (
        project, Answer(isInferred: true, store: "s2.sqlite", warning: "migration.staleMapping")
      )
    case .staleAndRefused:
      let project = try project(retyped)
      try project.map("Anything", "M1", "M2", [books, "  title = nil", users])
      var edited = retyped
      edited["Book"]?["author"] = "String"
      try project.write(edited, "M2")
      return (project, Answer(warning: "migration.staleMapping"))
    case .partAlone:
      let project = try project()
      try project.map("Library", "M1", "M2", [books])
      return (project, Answer(isInferred: true))
    }
  }

  /// What Core Data does from M1 to M2.
  private struct Answer {
    /// Those that fit; it uses the only one.
    var fitting: [String] = []
    /// What an app that runs mapping models itself runs.
    var parts: [String] = []
    /// Those with the content of another one.
    var copies: [String] = []
    var isInferred = false
    var store = "s.sqlite"
    /// What is said about mapping models that are not used.
    var warning: String?

    var mapping: String? { fitting.count == 1 ? fitting[0] : isInferred ? "inferred" : nil }
  }

  private struct Plan: Decodable {
    struct Hop: Decodable { var from, to, mapping: String }
    struct Choice: Decodable { var mapping: String }
    var hops: [Hop]
    var choices: [Choice]
  }

  private struct Search: Decodable { var found, fitting, parts: [String] }
  private struct Fits: Decodable {
    struct Pair: Decodable {
      var from, to: String
      var unmapped: [String]
    }
    var pairs: [Pair]
  }

  private static func decode<Value: Decodable>(_ answer: Evaluation) throws -> Value {
    try JSONDecoder().decode(Value.self, from: Data(answer.output.utf8))
  }

  @Test("every command shows Core Data's choice for a hop", arguments: Row.allCases)
  func row(_ row: Row) throws {
    let (project, expected) = try Self.make(row)
    let session = project.session
    let planned = session("plan \(expected.store) --to M2 --json")
    let plan: Plan = try Self.decode(planned)
    #expect(plan.hops.map(\.mapping) == expected.mapping.map { [$0] } ?? [], "\(planned)")
    #expect(planned.status == (expected.mapping == nil ? .no : .done))
    let undefined = expected.fitting.count > 1 ? expected.fitting : []
    #expect(plan.choices.map(\.mapping) == undefined)

    let found: Search = try Self.decode(session("mapping find M1 M2 --json"))
    #expect(found.fitting == expected.fitting && found.parts == expected.parts)
    #expect(found.found == (expected.fitting.count == 1 ? expected.fitting : []))

    let names = try FileManager.default.contentsOfDirectory(atPath: project.folder.url.path)
      .filter { $0.hasSuffix(".xcmappingmodel") }
    for file in names {
      let name = String(file.dropLast(".xcmappingmodel".count))
      let fits: Fits = try Self.decode(session("mapping fits \(file) M1 M2 --json"))
      let whole = fits.pairs.filter(\.unmapped.isEmpty)
      #expect(!whole.isEmpty == (expected.fitting + expected.copies).contains(name), "\(name)")
      #expect(!fits.pairs.isEmpty || !expected.parts.contains(name))
      let lint = session("mapping lint \(file)")
      #expect(lint.status == .done, "\(lint)")
      let isStale = expected.warning == "migration.staleMapping"
      #expect(lint.diagnostics.contains("migration.staleMapping") == isStale, "\(lint)")
    }
    if !names.isEmpty {
      let lint = session("mapping lint \(names.joined(separator: " "))")
      #expect(lint.status == .done)
      #expect(lint.diagnostics.contains("mapping.equalContent") == !expected.copies.isEmpty)
      if !expected.copies.isEmpty { #expect(!lint.output.contains("mapping.overlap"), "\(lint)") }
    }

    let rehearsed = session("migrate \(expected.store) --to M2 --dry-run")
    // Without a path a rehearsal answers no; where the choice is undefined, it is refused.
    let isUndefined = !undefined.isEmpty
    #expect(
      rehearsed.status == (expected.mapping != nil ? .done : isUndefined ? .failed : .no),
      "\(rehearsed)")
    if let mapping = expected.mapping {
      #expect(rehearsed.output.contains(mapping), "\(rehearsed)")
    }
    if let warning = expected.warning {
      #expect(planned.diagnostics.contains(warning), "\(planned)")
      if expected.mapping != nil {
        #expect(rehearsed.diagnostics.contains(warning), "\(rehearsed)")
      }
    }
    let custom = session("migrate \(expected.store) --to M2 --dry-run --strategy custom")
    #expect(
      custom.status == (!expected.parts.isEmpty ? .done : isUndefined ? .failed : .no), "\(custom)")
    for part in expected.parts { #expect(custom.output.contains(part)) }
    let infer = session("infer M1 M2")
    #expect(infer.diagnostics.contains("would not infer") == !expected.fitting.isEmpty)
    let debug = session("debug \(expected.store) --to M2")
    #expect((debug.status == .failed) == (expected.mapping == nil), "\(debug)")
    session("abandon")
  }

  @Test("a stale mapping model is reported with the edit, and with the losses of inference")
  func edits() throws {
    let (project, _) = try Self.make(.staleDestination)
    let said = project.session("plan M1 --to M2").diagnostics
    #expect(said.contains("Anything is stale: it fits M1 and not M2, whose Book"))
    #expect(said.contains("Book: + attribute author: String, optional"))
    #expect(said.contains("User.nick"))
    // A name that says where it leads is followed by hybrid migration, and refused with the edit.
    let (named, _) = try Self.make(.staleDestination)
    try FileManager.default.moveItem(
      atPath: named.folder.path("Anything.xcmappingmodel"),
      toPath: named.folder.path("M1ToM2.xcmappingmodel"))
    let hybrid = named.session("plan M1 --to M3 --strategy hybrid")
    #expect(
      hybrid.status == .failed && hybrid.diagnostics.contains("attribute author"), "\(hybrid)")
    let (refused, _) = try Self.make(.staleAndRefused)
    let failed = refused.session("migrate s.sqlite --to M2")
    #expect(failed.status == .failed)
    #expect(failed.diagnostics.contains("Anything is stale"), "\(failed)")
  }

  @Test("a named part drops the entities that it does not map, counted and named")
  func explicitPart() throws {
    let (project, _) = try Self.make(.partAlone)
    let session = project.session
    let plan = session("plan s.sqlite --to M2 --mapping Library")
    #expect(plan.status == .done && plan.diagnostics.contains("migration.droppedEntity"), "\(plan)")
    let strict = session("migrate s.sqlite --to M2 --mapping Library --strict")
    #expect(strict.status == .failed && strict.output.contains("refused by --strict"), "\(strict)")
    let done = session("migrate s.sqlite --to M2 --mapping Library")
    #expect(done.status == .done, "\(done)")
    #expect(
      done.output.contains("User 3 objects are lost: no entity mapping reads them"), "\(done)")
    #expect(session("count s.sqlite Book").output == "3\n")
    #expect(session("count s.sqlite User").output == "0\n")
  }

  @Test("the parts of a divided mapping model migrate every object once")
  func divided() throws {
    for row in [Row.byEntity, .byPredicate] {
      let (project, _) = try Self.make(row)
      let session = project.session
      // The generated values are nil in some objects, which no filter accepts.
      session("create s.sqlite --model M1 --force")
      for letter in ["a", "m", "z"] {
        session("insert s.sqlite Book title=\(letter)")
        session("insert s.sqlite User name=\(letter)")
      }
      let done = session("migrate s.sqlite --to M2 --strategy custom")
      #expect(done.status == .done, "\(done)")
      for entity in ["Book", "User"] {
        #expect(session("count s.sqlite \(entity)").output == "3\n", "\(row) \(entity)")
      }
    }
  }

  @Test("hybrid migration finds mapping models by their hashes, independent of their names")
  func hybrid() throws {
    let project = try Self.project()
    try project.map("Whatever", "M1", "M2", [Self.books, Self.users])
    let plan: Plan = try Self.decode(project.session("plan M1 --to M3 --strategy hybrid --json"))
    #expect(plan.hops.map(\.mapping) == ["Whatever", "inferred"])
    #expect(plan.hops.map(\.to) == ["M2", "M3"])
    try project.map("Another", "M1", "M2", [Self.books, "  pages = 2", Self.users])
    let undefined = project.session("plan M1 --to M3 --strategy hybrid")
    #expect(undefined.status == .no && undefined.output.contains("undefined"), "\(undefined)")
  }

  @Test("lint groups files by the two versions that they belong to")
  func groups() throws {
    let project = try Self.project()
    try project.map("Library", "M1", "M2", [Self.books])
    try project.map("Library_User", "M1", "M2", [Self.users])
    try project.map("Next", "M2", "M3", [Self.books, Self.users])
    let lint = project.session(
      "mapping lint Library.xcmappingmodel Next.xcmappingmodel Library_User.xcmappingmodel")
    #expect(lint.status == .done, "\(lint)")
    #expect(lint.output.contains("Library and Library_User  from M1 to M2"), "\(lint)")
    #expect(lint.output.contains("Next  from M2 to M3"), "\(lint)")
  }

  @Test("a written text works from the shell, in another folder and after a rename")
  func writtenText() throws {
    let project = try Self.project()
    #expect(project.session("infer M1 M2 --write Mine.mapping").status == .done)
    let shell = TestSession(in: project.folder)
    #expect(shell("mapping lint Mine.mapping").status == .done)
    let migrated = shell(
      "migrate s.sqlite --to App.xcdatamodeld/M2 --mapping Mine.mapping --dry-run")
    #expect(migrated.status == .done, "\(migrated)")
    // In another folder, beside no model.
    try FileManager.default.createDirectory(
      atPath: project.folder.path("notes"), withIntermediateDirectories: true)
    try FileManager.default.moveItem(
      atPath: project.folder.path("Mine.mapping"), toPath: project.folder.path("notes/Mine.mapping")
    )
    let moved = shell(
      "migrate s.sqlite --to App.xcdatamodeld/M2 --mapping notes/Mine.mapping --dry-run")
    #expect(moved.status == .done && moved.output.contains("Mine"), "\(moved)")
    // After a rename of the version.
    try FileManager.default.moveItem(
      atPath: project.folder.path("App.xcdatamodeld/M2.xcdatamodel"),
      toPath: project.folder.path("App.xcdatamodeld/Second.xcdatamodel"))
    let fresh = TestSession(in: project.folder)
    fresh("load App.xcdatamodeld")
    let renamed = fresh("mapping fits notes/Mine.mapping")
    #expect(renamed.output == "Mine  fits: from M1 to Second\n", "\(renamed)")
  }

  @Test("inference is refused if Strata cannot read a mapping model that Core Data would read")
  func unreadable() throws {
    let project = try Self.project()
    try project.folder.write("<broken", to: "Bad.xcmappingmodel/xcmapping.xml")
    for line in ["plan M1 --to M2", "migrate s.sqlite --to M2 --dry-run", "debug s.sqlite --to M2"]
    {
      let refused = project.session(line)
      #expect(refused.status == .failed, "\(refused)")
      #expect(refused.diagnostics.contains("cannot be read: "), "\(refused)")
    }
    #expect(
      project.session("migrate s.sqlite --to M2 --dry-run --strategy lightweight").status == .done)
  }

  @Test("if the default strategy has no path, plan lists other paths")
  func otherPaths() throws {
    let project = try Self.project(Self.retyped)
    try project.map("Convert", "M1", "M2", [Self.books, "  title = nil", Self.users], in: ".")
    let mappings = project.folder.path("Migrations")
    try FileManager.default.createDirectory(atPath: mappings, withIntermediateDirectories: true)
    let retyped3: TemporaryProject.Version = ["Book": ["title": "Binary", "isbn": "String"]]
    try project.write(retyped3, "M3")
    let beside = project.session("plan M1 --to M3")
    #expect(beside.status == .no)
    #expect(beside.output.contains("--strategy hybrid"), "\(beside)")
    #expect(beside.output.contains("2 hops"), "\(beside)")
    try FileManager.default.moveItem(
      atPath: project.folder.path("Convert.xcmappingmodel"),
      toPath: mappings + "/Convert.xcmappingmodel")
    let elsewhere = project.session("plan M1 --to M2")
    #expect(elsewhere.status == .no)
    #expect(elsewhere.output.contains("--mappings Migrations"), "\(elsewhere)")
    #expect(project.session("plan M1 --to M2 --mappings Migrations").status == .done)
  }

  @Test("a project is one table of its versions, mapping models and stores")
  func projectTable() throws {
    let (project, _) = try Self.make(.byEntity)
    try project.folder.write(
      """
      <?xml version="1.0" encoding="UTF-8"?><!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd"><plist version="1.0"><dict><key>_XCCurrentVersionName</key><string>M2.xcdatamodel</string></dict></plist>
      """, to: "App.xcdatamodeld/.xccurrentversion")
    let shell = TestSession(in: project.folder)
    let table = shell("project")
    #expect(table.status == .done, "\(table)")
    for text in [
      "App.xcdatamodeld", "3 versions, current M2", "inferred, 1 warning",
      "M1 -> M2, a part without User", "s.sqlite", "--strategy custom: Library and Library_User",
    ] {
      #expect(table.output.contains(text), "\(text) in \(table.output)")
    }
    let loaded = shell("load .")
    #expect(loaded.status == .done && loaded.output.contains("loaded 4 items"), "\(loaded)")
    #expect(shell("plan s --to M2").status == .done)
  }
}
