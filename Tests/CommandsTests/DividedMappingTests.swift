import Foundation
import StrataBase
import StrataCommands
import TestSupport
import Testing

/// Several mapping models for one hop, and several entity mappings for one entity: every command says the same.
@Suite("Divided mapping models")
struct DividedMappingTests {
  private let folder: TemporaryFolder
  private let session: TestSession

  private static func version(_ more: String) -> String {
    let (attribute, relationship, entity) = (
      { RuleCases.attribute($0, $1) }, RuleCases.relationship, RuleCases.entity
    )
    return RuleScene.model(
      entity(
        "Book",
        attribute("title", "String") + attribute("n", "Integer 32") + more
          + relationship("owner", "User", "books", "\(RuleCases.optional) maxCount='1'"), "")
        + entity(
          "User",
          attribute("name", "String")
            + relationship("books", "Book", "owner", "\(RuleCases.optional) toMany='YES'"), ""))
  }

  init() throws {
    folder = try TemporaryFolder()
    session = TestSession(in: folder)
    for (name, more) in [("M1", ""), ("M2", RuleCases.attribute("pages"))] {
      try folder.write(
        Self.version(more), to: "App.xcdatamodeld/\(name).xcdatamodel/contents")
    }
    session("load App.xcdatamodeld")
    session("create s.sqlite --model M1")
    for name in ["ann", "bob"] { session("insert s.sqlite User name=\(name)") }
    for (title, owner) in [("a", 1), ("m", 2), ("z", 2)] {
      session("insert s.sqlite Book title=\(title) n=\(owner) owner=p\(owner)")
    }
  }

  private func map(_ name: String, _ lines: String) throws {
    try folder.write("mapping from App/M1 to App/M2\n\n\(lines)\n", to: "text/\(name).mapping")
    let written = session("mapping write text/\(name).mapping \(name).xcmappingmodel --force")
    try #require(written.status == .done, "\(written)")
  }

  private static let books = "BookToBook: Book -> Book"
  private static let users = "UserToUser: User -> User"

  @Test(
    "lint, find, plan and the rehearsal of two parts give the same findings",
    arguments: [
      (
        books, users, "loss.acrossParts", "3 links lost",
        "its destination objects, of User, are created by Two"
      ),
      (
        users, books, "loss.acrossParts", "3 links lost",
        "its destination objects, of User, are created by One"
      ),
      (
        "\(books)\n  where title < 'n' OR title == nil\n\(users)",
        "\(books)\n  where title >= 'm'", "mapping.overlap", "1 object is created twice",
        "BookToBook of One and BookToBook of Two both accept an object with title \"m\""
      ),
      (
        "\(books)\n  where title < 'm'\n\(users)", "\(books)\n  where title >= 'm'", "mapping.gap",
        "kept as they are", "no entity mapping accepts an object with no title"
      ),
    ])
  func parts(first: String, second: String, rule: String, receipt: String, message: String) throws {
    try map("One", first)
    try map("Two", second)
    let options = "--mapping One --mapping Two"
    let lint = session("mapping lint One.xcmappingmodel Two.xcmappingmodel")
    let plan = session("plan s.sqlite --to M2 \(options)")
    for answer in [lint, plan] {
      #expect(answer.status == .done && answer.output.contains(message), "\(answer)")
      #expect(answer.output.contains("[\(rule)]"), "\(answer)")
    }
    #expect(plan.output.contains("  One\n    "), "\(plan)")
    // What fits by itself is no part for find: it judges what Core Data would use.
    let find = session("mapping find M1 M2")
    if find.output.contains("One and Two") {
      #expect(find.output.contains("[\(rule)]"), "\(find)")
      for strategy in ["custom", "hybrid"] {
        let other = session("plan s.sqlite --to M2 --strategy \(strategy)")
        #expect(other.output.contains("[\(rule)]"), "\(other)")
      }
    }
    let rehearsed = session("migrate s.sqlite --to M2 \(options) --dry-run")
    #expect(rehearsed.status == .done && rehearsed.output.contains(receipt), "\(rehearsed)")
  }

  private struct Plan: Decodable {
    struct Mapping: Decodable, Equatable {
      var name, type: String
      var source, destination, filter, policy: String?
    }
    struct Part: Decodable {
      var mapping: String
      var entityMappings: [Mapping]
    }
    struct Hop: Decodable { var parts: [Part] }
    var hops: [Hop]
  }

  @Test("plan shows the parts, and the type, filter and policy of each entity mapping")
  func planned() throws {
    try map("One", "\(Self.books)\n  where title < 'm'\n  policy Paging")
    try map("Two", "\(Self.users)\nBook: -> Book")
    let answer = session("plan M1 --to M2 --mapping One --mapping Two --json")
    let plan = try JSONDecoder().decode(Plan.self, from: Data(answer.output.utf8))
    let parts = try #require(plan.hops.first).parts
    #expect(parts.map(\.mapping) == ["One", "Two"])
    #expect(
      parts[0].entityMappings == [
        .init(
          name: "BookToBook", type: "custom", source: "Book", destination: "Book",
          filter: "title < 'm'", policy: "Paging")
      ])
    #expect(parts[1].entityMappings.map(\.type) == ["copy", "add"], "\(answer)")
  }

  @Test("objects that two entity mappings create are counted as created twice, by both executors")
  func twice() throws {
    try folder.write(
      "\(Self.books)\nAgain: Book -> Book\n  where title < 'n'\n\(Self.users)\n", to: "T.mapping")
    for level in [0, 2] {
      session("trace migration \(level)")
      let done = session(
        "migrate s.sqlite --to M2 --mapping T.mapping --output \(level).sqlite --force")
      #expect(done.status == .done, "\(done)")
      #expect(done.output.contains("Again 2 objects are created twice"), "\(done)")
      #expect(done.output.contains("kept; 2 of objects created twice"), "\(done)")
      #expect(!done.output.contains("filled with the default"), "\(done)")
    }
  }

  @Test("objects that two entity mappings create are refused by --strict=duplicates")
  func refusedTwice() throws {
    try folder.write(
      "\(Self.books)\nAgain: Book -> Book\n  where title < 'n'\n\(Self.users)\n", to: "T.mapping")
    let line = "migrate s.sqlite --to M2 --mapping T.mapping"
    for (option, isRefused) in [
      (" --strict", true), (" --strict=duplicates", true), ("", false),
      (" --strict=rows,values,links,valid,extras", false),
    ] {
      let rehearsed = session("\(line) --dry-run\(option)")
      #expect(rehearsed.status == (isRefused ? .no : .done), "\(option): \(rehearsed)")
      #expect(
        rehearsed.output.contains("refused by --strict: 2 objects would be created twice")
          == isRefused, "\(rehearsed)")
      #expect(rehearsed.output.contains("Again 2 objects are created twice"), "\(rehearsed)")
    }
    #expect(session("\(line) --strict").status == .failed)
    #expect(session("count s.sqlite Book --model M1").output == "3\n")
  }

  @Test("a mapping model that is found or named twice is run once, in every command")
  func copies() throws {
    for (number, sign) in [(1, "<"), (2, ">=")] {
      try map(
        "M1ToM2-\(number)",
        "\(Self.books)\n  where title \(sign) 'm'\n\(Self.users)\n  where name \(sign) 'm'")
    }
    for name in ["M1ToM2-1", "M1ToM2-2"] {
      try FileManager.default.createDirectory(
        atPath: folder.path("other"), withIntermediateDirectories: true)
      try FileManager.default.copyItem(
        atPath: folder.path("\(name).xcmappingmodel"),
        toPath: folder.path("other/\(name).xcmappingmodel"))
    }
    let named = "--mapping M1ToM2-1 --mapping other/M1ToM2-1.xcmappingmodel --mapping M1ToM2-2"
    for option in [
      "--strategy custom --mappings other", "--strategy hybrid --mappings other", named,
    ] {
      let plan = session("plan s.sqlite --to M2 \(option)")
      #expect(!plan.output.contains("mapping.overlap"), "\(plan)")
      #expect(plan.output.contains("mapping models M1ToM2-1 and M1ToM2-2"), "\(plan)")
      let done = session("migrate s.sqlite --to M2 \(option) --output new.sqlite --force")
      #expect(done.status == .done, "\(done)")
      #expect(session("count new.sqlite Book").output == "3\n", "\(done)")
      #expect(session("count new.sqlite User").output == "2\n", "\(done)")
      for answer in [plan, done] {
        #expect(
          answer.diagnostics.contains("mapping.equalContent") == (option == named), "\(answer)")
      }
      let stepped = session("debug s.sqlite --to M2 \(option)")
      #expect(stepped.output.contains("part 1 of 2"), "\(stepped)")
      session("abandon")
    }
    let lint = session(
      "mapping lint M1ToM2-1.xcmappingmodel other/M1ToM2-1.xcmappingmodel M1ToM2-2.xcmappingmodel")
    #expect(!lint.output.contains("mapping.overlap"), "\(lint)")
    #expect(
      lint.diagnostics.contains(
        "other/M1ToM2-1.xcmappingmodel has the same content as M1ToM2-1.xcmappingmodel"),
      "\(lint)")
    try FileManager.default.copyItem(
      atPath: folder.path("M1ToM2-1.xcmappingmodel"), toPath: folder.path("Other.xcmappingmodel"))
    try folder.write(
      "[[bundle]]\npath = \"App.xcdatamodeld\"\nstrategy = \"hybrid\"\n", to: "strata.toml")
    let check = session("check .")
    #expect(
      check.output.contains("Other  has the same content as M1ToM2-1, which counts instead"),
      "\(check)")
    #expect(!check.output.contains("both accept"), "\(check)")
    let twice = session("plan s.sqlite --to M2 --mapping M1ToM2-1 --mapping M1ToM2-1")
    #expect(
      twice.diagnostics.contains("M1ToM2-1.xcmappingmodel is named several times"), "\(twice)")
  }

  @Test("a part that is appended loses nothing that other parts create")
  func appended() throws {
    try map("One", Self.books)
    try map("Two", Self.users)
    session("migrate s.sqlite --to M2 --mapping Two --output new.sqlite")
    let part = session(
      "migrate s.sqlite --to M2 --mapping One --output new.sqlite --append --strict=rows,values")
    #expect(part.status == .done, "\(part)")
    #expect(
      part.output.contains(
        "User 2 objects are left to other mapping models; the destination had 2 objects of this entity"
      ),
      "\(part)")
    #expect(part.output.contains("migrated: 3 links lost;"), "\(part)")
    #expect(!part.diagnostics.contains("droppedEntity"), "\(part)")
    #expect(session("count new.sqlite Book").output == "3\n")
    // Which links objects of other parts have is not known.
    try map("Half", "\(Self.books)\n  where title < 'b'\n\(Self.users)")
    try FileManager.default.removeItem(atPath: folder.path("new.sqlite"))
    session("migrate s.sqlite --to M2 --mapping Two --output new.sqlite")
    let half = session(
      "migrate s.sqlite --to M2 --mapping Half --output new.sqlite --append --strict")
    #expect(half.status == .done, "\(half)")
    #expect(half.output.contains("2 of objects left to other mapping models"), "\(half)")
    #expect(half.output.contains("links to objects of other mapping models are not counted"))
  }

  @Test(
    "a relationship mapping that names the wrong entity mapping is a warning, and the inverse sets the links",
    arguments: [
      ("books <- $source.books through UserToUser", 3), ("owner <- $source.owner through Books", 3),
      ("both", 0),
    ])
  func wrongMapping(line: String, links: Int) throws {
    let lines = [
      "owner <- $source.owner through Books", "books <- $source.books through UserToUser",
    ]
    let (own, other) = (
      line == "both" || line == lines[0] ? lines[0] : "",
      line == "both" || line == lines[1] ? lines[1] : ""
    )
    try folder.write(
      "Books: Book -> Book\n  \(own)\n\(Self.users)\n  \(other)\n", to: "W.mapping")
    let lint = session("mapping lint W.mapping --from M1 --to M2")
    let plan = session("plan s.sqlite --to M2 --mapping W.mapping")
    for answer in [lint, plan] {
      #expect(answer.status == .done, "\(answer)")
      #expect(
        answer.output.contains("warning:") && answer.output.contains("[mapping.wrongMapping]"))
      #expect(answer.output.contains("the inverse sets the links") == (line != "both"), "\(answer)")
    }
    for level in [0, 2] {
      session("trace migration \(level)")
      let done = session(
        "migrate s.sqlite --to M2 --mapping W.mapping --output w.sqlite --force")
      #expect(done.status == .done, "\(done)")
      #expect(
        session("count w.sqlite Book --where 'owner.name != nil'").output == "\(links)\n",
        "\(level): \(done)")
    }
  }

  @Test(
    "compare reports no difference for values computed by a mapping model or its policy",
    arguments: [
      ("\(books)\n  n = $source.n * 2\n\(users)", "", "computed"),
      (
        "\(books)\n  where n < 2\n  n = 7\nOthers: Book -> Book\n  where n >= 2\n\(users)", "",
        "computed"
      ),
      ("\(users)\n\(books)\nPages: Book -> User\n  name = $source.title", "", "User"),
      (
        "\(books)\n  policy Loud\n\(users)", "policy Loud\n  set title = 'x'\n",
        "computed by policy"
      ),
      ("\(books)\n  policy Loud\n\(users)", "unknown", "policy Loud may set any property"),
    ])
  func compared(lines: String, policy: String, message: String) throws {
    try folder.write(lines + "\n", to: "C.mapping")
    let known = policy.hasPrefix("policy") ? "--policies C.policies" : ""
    try folder.write(policy.hasPrefix("policy") ? policy : "", to: "C.policies")
    let done = session(
      "migrate s.sqlite --to M2 --mapping C.mapping --output c.sqlite \(known.isEmpty ? "--without-policy" : known)"
    )
    try #require(done.status == .done, "\(done)")
    let compared = session("compare s.sqlite c.sqlite --rows --mapping C.mapping \(known)")
    #expect(!compared.output.contains("differs"), "\(compared)")
    #expect(
      !compared.output.contains("changed,") && compared.output.contains(message), "\(compared)")
  }

  @Test("compare completes a mapping model of text, and knows that a policy joins objects")
  func joined() throws {
    try folder.writeBundle(brief: [
      "V1": "Item\n  name String", "V2": "Item versionHashModifier=2\n  name String",
    ])
    try folder.write("Item: Item -> Item\n  policy P\n", to: "J.mapping")
    try folder.write("policy P\n  one destination for each $source.name\n", to: "J.policies")
    for line in [
      "load X.xcdatamodeld", "create j.sqlite --model X/V1", "insert j.sqlite Item name=a",
      "insert j.sqlite Item name=a", "insert j.sqlite Item name=b",
    ] { try #require(session(line).status == .done, "\(line)") }
    let options = "--mapping J.mapping --policies J.policies"
    #expect(session("migrate j.sqlite --to V2 --output k.sqlite \(options)").status == .done)
    let compared = session("compare j.sqlite k.sqlite --rows \(options)")
    #expect(
      compared.status == .done
        && compared.output == """
          equal as far as compared: 2 objects; 1 property not compared
          not compared: Item: policy P may have joined its objects
          property   before  after  fate
          Item.name       3      2  kept; 1 of joined objects

          """,
      "\(compared)")
    // Without the policy, the object is missing.
    try folder.write("Item: Item -> Item\n", to: "J.mapping")
    let plain = session("compare j.sqlite k.sqlite --rows --mapping J.mapping")
    #expect(plain.status == .no && plain.output.contains("kept; 1 of lost objects"), "\(plain)")
  }
}
