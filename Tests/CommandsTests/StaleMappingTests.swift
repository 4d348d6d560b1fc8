import Foundation
import StrataBase
import StrataCommands
import TestSupport
import Testing

/// Mapping models that an edit has made stale, and the command that refreshes them.
@Suite("Stale mapping models")
struct StaleMappingTests {
  private static let old: TemporaryProject.Version = [
    "Book": ["title": "String"], "User": ["name": "String"],
  ]
  private static let new: TemporaryProject.Version = [
    "Book": ["title": "String", "pages": "Integer 32"], "User": ["name": "String"],
  ]
  private static let newest: TemporaryProject.Version = [
    "Book": ["title": "String", "pages": "Integer 32", "isbn": "String"],
    "User": ["name": "String"],
  ]
  private static let hand = [
    "BookToBook: Book -> Book", "  pages = $source.pages * 2", "UserToUser: User -> User",
  ]

  /// A mapping model that was written when the new version was still a copy of the old one.
  private static func project() throws -> TemporaryProject {
    let project = try TemporaryProject([("M1", old), ("M2", new), ("M3", new)])
    project.session("create s.sqlite --model M2 --rows 2")
    try project.map("Hand", "M2", "M3", hand)
    try project.write(newest, "M3")
    return project
  }

  @Test("every command reports it as stale, with the command that updates it")
  func stale() throws {
    let project = try Self.project()
    for isLoaded in [true, false] {
      let shell = isLoaded ? project.session : TestSession(in: project.folder)
      let (from, to) =
        isLoaded ? ("M2", "M3") : ("App.xcdatamodeld/M2", "App.xcdatamodeld/M3")
      for line in [
        "mapping lint Hand.xcmappingmodel", "mapping find \(from) \(to)",
        "plan s.sqlite --to \(to)",
        "migrate s.sqlite --to \(to) --dry-run", "infer \(from) \(to)",
      ] {
        let answer = shell(line)
        #expect(answer.diagnostics.contains("Hand is stale"), "\(line): \(answer)")
        #expect(!answer.diagnostics.contains("migration.otherWay"), "\(line): \(answer)")
        #expect(
          answer.diagnostics.contains(
            "`mapping write Hand.xcmappingmodel Hand.xcmappingmodel --from"),
          "\(line): \(answer)")
      }
    }
    // The fix is typed as it is.
    let shell = TestSession(in: project.folder)
    let said = shell("mapping lint Hand.xcmappingmodel").diagnostics
    let start = try #require(said.range(of: "`mapping write"))
    let command = said[start.lowerBound...].dropFirst().prefix { $0 != "`" }
    let written = shell(String(command))
    #expect(written.status == .done, "\(written)")
    #expect(
      written.output.contains("new hashes in BookToBook, BookToBook.isbn is mapped automatically"),
      "\(written)")
    #expect(shell("mapping lint Hand.xcmappingmodel").diagnostics.isEmpty)
    #expect(shell("mapping show Hand.xcmappingmodel").output.contains("$source.pages * 2"))
    let plan = shell("plan s.sqlite --to App.xcdatamodeld/M3")
    #expect(plan.output.contains("mapping model Hand"), "\(plan)")
  }

  @Test("an .xcmappingmodel that is written without its models has no hashes, which is said")
  func withoutModels() throws {
    let project = try TemporaryProject([("M1", Self.old), ("M2", Self.new)])
    try project.folder.write("BookToBook: Book -> Book\n", to: "b.mapping")
    let shell = TestSession(in: project.folder)
    let blind = shell("mapping write b.mapping Blind.xcmappingmodel")
    #expect(blind.status == .done && blind.output.contains("which are not known"), "\(blind)")
    #expect(blind.diagnostics.contains("[mapping.withoutHashes]"))
    #expect(shell("mapping show Blind.xcmappingmodel").status == .done)
    let models = "--from App.xcdatamodeld/M1 --to App.xcdatamodeld/M2"
    let whole = shell("mapping write b.mapping Blind.xcmappingmodel \(models) --force")
    #expect(whole.status == .done && whole.diagnostics.isEmpty, "\(whole)")
    #expect(!whole.output.contains("without the models"), "\(whole)")
  }

  @Test("a mapping model whose models are left out has no hashes, and is not called stale")
  func derived() throws {
    let folder = try TemporaryFolder()
    for (version, added) in [
      ("A", ""), ("B", "<attribute name='n' optional='YES' attributeType='String'/>"),
    ] {
      try folder.write(
        "<model><entity name='E'>\(added)<attribute name='t' optional='YES' attributeType='String'/>"
          + "<attribute name='d' optional='YES' attributeType='String' derived='YES'"
          + " derivationExpression='lowercase:(t)'/>"
          + "</entity></model>", to: "M.xcdatamodeld/\(version).xcdatamodel/contents")
    }
    let shell = TestSession(in: folder)
    let models = "M.xcdatamodeld/A M.xcdatamodeld/B"
    let written = shell("infer \(models) --write m.xcmappingmodel")
    #expect(written.diagnostics.contains("[mapping.withoutHashes]"), "\(written)")
    let lint = shell("mapping lint m.xcmappingmodel --from M.xcdatamodeld/A --to M.xcdatamodeld/B")
    #expect(lint.diagnostics.contains("[mapping.withoutHashes]"), "\(lint)")
    #expect(!lint.diagnostics.contains("stale"), "\(lint)")
  }

  @Test("a text that is written again names its models, whether or not a bundle is loaded")
  func textWithModels() throws {
    let project = try TemporaryProject([("M1", Self.old), ("M2", Self.new)])
    let shell = TestSession(in: project.folder)
    #expect(
      shell("infer App.xcdatamodeld/M1 App.xcdatamodeld/M2 --write m.mapping").status == .done)
    #expect(shell("mapping write m.mapping n.mapping").status == .done)
    let texts = try ["m.mapping", "n.mapping"].map {
      try String(contentsOfFile: project.folder.path($0), encoding: .utf8)
    }
    #expect(texts[0] == texts[1] && texts[0].hasPrefix("mapping from App.xcdatamodeld/M1 to"))
  }

  @Test("a mapping model for an earlier hop is not stale for the next hop")
  func earlierHop() throws {
    var last = Self.newest
    last["User"]?["nick"] = "String"
    let project = try TemporaryProject([("M1", Self.old), ("M2", Self.new), ("M3", last)])
    // Users are the same in the first two versions.
    try project.map("Users", "M1", "M2", ["UserToUser: User -> User"])
    try project.map("First", "M1", "M2", [Self.hand[0], Self.hand[2]])
    let plan = project.session("plan M2 --to M3")
    #expect(!plan.diagnostics.contains("staleMapping"), "\(plan)")
    #expect(!plan.diagnostics.contains("otherWay"), "\(plan)")
    // From M1 the first leads on.
    let leap = project.session("plan M1 --to M3")
    #expect(leap.diagnostics.contains("migration.otherWay"), "\(leap)")
  }

  /// Three versions, and an empty folder for mapping models beside their bundle.
  private static func projectWithFolder() throws -> TemporaryProject {
    let project = try TemporaryProject([("M1", old), ("M2", new), ("M3", newest)])
    try FileManager.default.createDirectory(
      atPath: project.folder.path("Maps"), withIntermediateDirectories: true)
    return project
  }

  @Test("find reports the hops with mapping models, and the folder that contains them")
  func elsewhere() throws {
    let project = try Self.projectWithFolder()
    try project.map("First", "M1", "M2", [Self.hand[0], Self.hand[2]], in: "Maps")
    let at = project.session("mapping find M1 M2")
    #expect(at.diagnostics.contains("--mappings Maps searches there too"), "\(at)")
    let found = project.session("mapping find M1 M3")
    let command = "plan M1 --to M3 --strategy hybrid --mappings Maps"
    #expect(found.diagnostics.contains("`\(command)`"), "\(found)")
    #expect(project.session(command).output.contains("mapping model First"))
    for line in ["plan M1 --to M3", "plan M1 --to M3 --strategy hybrid"] {
      let plan = project.session(line)
      #expect(plan.diagnostics.contains("--strategy hybrid --mappings Maps"), "\(plan)")
    }
  }

  @Test("the hybrid strategy reports a mapping model between later versions in another folder")
  func elsewhereBetweenLaterVersions() throws {
    let project = try Self.projectWithFolder()
    try project.map("Second", "M2", "M3", [Self.hand[0], Self.hand[2]], in: "Maps")
    let plan = project.session("plan M1 --to M3 --strategy hybrid")
    #expect(plan.diagnostics.contains("[migration.mappingElsewhere]"), "\(plan)")
    let wider = project.session("plan M1 --to M3 --strategy hybrid --mappings Maps")
    #expect(wider.output.contains("mapping model Second"), "\(wider)")
    #expect(!wider.diagnostics.contains("mappingElsewhere"), "\(wider)")
  }

  @Test("a policy file that no entity mapping of the plan uses is reported, by every command")
  func unusedPolicies() throws {
    let project = try TemporaryProject([("M1", Self.old), ("M2", Self.new)])
    project.session("create s.sqlite --model M1 --rows 1")
    try project.folder.write("policy P\n  skip when $source.title == nil\n", to: "p.policy")
    for command in ["plan", "migrate"] {
      let end = command == "plan" ? "" : " --dry-run"
      let answer = project.session("\(command) s.sqlite --to M2\(end) --policies p.policy")
      #expect(answer.diagnostics.contains("p.policy is not used"), "\(answer)")
      let without = project.session("\(command) s.sqlite --to M2\(end)")
      #expect(!without.diagnostics.contains("unusedPolicies"), "\(without)")
    }
  }

  @Test(
    "plan counts the objects that violate a uniqueness constraint, as the migration does",
    arguments: [
      (["a", "b"], 0, ""), (["a", "b", "a", "a"], 2, ""), (["a", nil, nil], 0, ""),
      (["a", "b", "a"], 1, "Book: Book -> Book\n"),
      (["a", "b"], 1, "One: Book -> Book\nTwo: Book -> Book\n  where title == 'b'\n"),
      (["a", "a"], 1, "Book: Book -> Book\n  title = uppercase:($source.title)\n"),
    ])
  func unique(titles: [String?], count: Int, mapping: String) throws {
    let folder = try TemporaryFolder()
    let session = TestSession(in: folder)
    let entity = { RuleCases.entity("Book", RuleCases.attribute("title") + $0) }
    let unique = RuleCases.unique.replacing("'x'", with: "'title'")
    for (name, more) in [("M1", ""), ("M2", unique)] {
      try folder.write(
        RuleScene.model(entity(more)), to: "App.xcdatamodeld/\(name).xcdatamodel/contents")
    }
    session("load App.xcdatamodeld")
    session("create s.sqlite --model M1")
    for title in titles {
      session("insert s.sqlite Book \(title.map { "title=\($0)" } ?? "")")
    }
    if !mapping.isEmpty { try folder.write(mapping, to: "U.mapping") }
    let options = mapping.isEmpty ? "" : "--mapping U.mapping"
    let plan = session("plan s.sqlite --to M2 \(options)")
    let rehearsed = session("migrate s.sqlite --to M2 --dry-run \(options)")
    #expect(rehearsed.output.contains("not unique (134111)") == (count > 0), "\(rehearsed)")
    // What is computed or chosen by a filter is known when it is there.
    let isKnown = !mapping.contains("where") && !mapping.contains("uppercase")
    #expect(plan.status == (isKnown && count > 0 ? .no : .done), "\(plan)")
    if isKnown, count > 0 {
      #expect(plan.output.contains("\(count) object"), "\(plan)")
      #expect(rehearsed.output.contains("in \(count) object"), "\(rehearsed)")
    } else {
      #expect(!plan.output.contains("rows share a value: "), "\(plan)")
    }
  }

  @Test(
    "a property without a mapping stays without one, whatever the form and whether the models are loaded"
  )
  func omittedProperties() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      mapping from sample:Topics/Model1 to sample:Topics/Model2
      TopicToTopic: Topic -> Topic
        omit presenterEmail
      TopicListToTopicList: TopicList -> TopicList

      """, to: "a.mapping")
    for load in ["", "load sample:Topics"] {
      let session = TestSession(in: folder)
      if !load.isEmpty { session(load) }
      for line in [
        "mapping write a.mapping b.xcmappingmodel --force",
        "mapping write b.xcmappingmodel c.mapping --force",
      ] {
        #expect(session(line).status == .done, "\(line)")
      }
      let text = try String(contentsOfFile: folder.path("c.mapping"), encoding: .utf8)
      #expect(text.contains("  omit presenterEmail\n"), "\(load) \(text)")
      for mapping in ["a.mapping", "b.xcmappingmodel", "c.mapping"] {
        let answer = session(
          "migrate sample:Phone --to sample:Topics/Model2 --mapping \(mapping) --dry-run")
        #expect(answer.output.contains("7 values would be lost"), "\(load) \(mapping) \(answer)")
      }
    }
  }
}
