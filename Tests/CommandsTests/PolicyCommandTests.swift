import Foundation
import StrataBase
import StrataCommands
import TestSupport
import Testing

/// A project whose mapping model leaves a conversion to its policy: a text becomes a date.
@Suite("Commands and policies")
struct PolicyCommandTests {
  private static func project(policy: String? = nil) throws -> TemporaryProject {
    let project = try TemporaryProject([
      ("V1", ["Note": ["title": "String", "day": "String", "size": "String"]]),
      ("V2", ["Note": ["title": "String", "day": "Date", "size": "Integer 16"]]),
    ])
    try project.map(
      "V1ToV2", "V1", "V2",
      [
        "NoteToNote: Note -> Note", "  policy App.NotePolicy", "  day = $source.day",
        "  size = $source.size",
      ])
    project.session("create n.sqlite --model App/V1")
    project.session("insert n.sqlite Note title=a day=2024-01-31 size=3")
    project.session("insert n.sqlite Note title=b")
    if let policy { try project.folder.write(policy, to: "Note.policy") }
    return project
  }

  private static let whole = """
    policy NotePolicy
      set day = TERNARY($source.day == nil, nil, CAST($source.day.length, "NSDate"))
      set size = $source.size.integerValue
    """

  @Test(
    "plan warns of values that neither the entity mapping nor its policy file reads",
    arguments: [
      "skip when $source.size == 9", "set size = $source.title.length",
      "one destination for each $source.title",
      "set size = $source.title.integerValue",
    ])
  func losses(statement: String) throws {
    let project = try TemporaryProject([
      ("V1", ["Note": ["title": "String", "size": "Integer 16"]]),
      ("V2", ["Note": ["size": "Integer 16"]]),
    ])
    try project.map(
      "V1ToV2", "V1", "V2",
      ["NoteToNote: Note -> Note", "  policy NotePolicy", "  size = $source.size"])
    try project.folder.write("policy NotePolicy\n  \(statement)\n", to: "Note.policy")
    project.session("create n.sqlite --model App/V1")
    project.session("insert n.sqlite Note title=abc size=3")
    let isRead = statement.contains("integerValue")
    let plan = project.session("plan n.sqlite --to App/V2")
    #expect(plan.output.contains("Note.title  is removed") == !isRead, "\(plan)")
    let rehearsal = project.session("migrate n.sqlite --to App/V2 --dry-run")
    #expect(rehearsal.output.contains("Note.title") == !isRead, "\(rehearsal)")
  }

  private static let commands = [
    "migrate n.sqlite --to App/V2 --output m.sqlite", "migrate n.sqlite --to App/V2 --dry-run",
    "debug n.sqlite --to App/V2",
  ]

  @Test(
    "a default value that does not fit is a warning in every command, and the policy can replace it"
  )
  func warnings() throws {
    let project = try Self.project(policy: "policy NotePolicy\n  skip when title == nil\n")
    let lint = project.session("mapping lint V1ToV2.xcmappingmodel")
    #expect(lint.status == .done)
    #expect(
      lint.output.contains("gets text, but requires a date; the policy App.NotePolicy decides"))
    for command in ["plan n.sqlite --to App/V2"] + Self.commands {
      let answer = project.session(command)
      #expect(answer.diagnostics.contains("[migration.decidedByPolicy]"), "\(command): \(answer)")
      #expect(answer.diagnostics.contains("NoteToNote.day"), "\(command): \(answer)")
      #expect(!answer.diagnostics.contains("badMapping"), "\(command): \(answer)")
      project.session("abandon")
    }
    // The policy gives no date: what the default value gives does not fit then.
    for command in Self.commands.prefix(2) {
      let answer = project.session(command)
      #expect(answer.status == (command.contains("dry") ? .no : .failed))
      #expect(
        answer.output.contains(
          "Note.day gets text, but requires a date; the policy App.NotePolicy sets no other value in 1 object: p1"
        ), "\(answer)")
    }
  }

  @Test("values set by the policy file give no warning and are migrated")
  func decided() throws {
    let project = try Self.project(policy: Self.whole)
    for command in ["plan n.sqlite --to App/V2"] + Self.commands.reversed() {
      let answer = project.session(command)
      #expect(answer.status == .done, "\(command): \(answer)")
      #expect(!answer.diagnostics.contains("decidedByPolicy"), "\(command): \(answer)")
      project.session("abandon")
    }
    let rows = project.session("rows m.sqlite Note")
    #expect(rows.output.contains("2001-01-01T00:00:10Z") && rows.output.contains("3"), "\(rows)")
  }

  @Test("a policy file with line ends of Windows is read, one that is not UTF-8 is refused")
  func encodings() throws {
    let folder = try TemporaryFolder()
    let session = TestSession(in: folder)
    session("load sample:Topics")
    session("create t.sqlite --model Model1 --rows 2")
    try folder.write(
      "mapping from Model1 to Model2\n\nT: Topic -> Topic\n  policy X\n  topicList <- nothing\n\n"
        + "L: TopicList -> TopicList\n", to: "t.mapping")
    func migrate(_ policy: [UInt8]) throws -> Evaluation {
      try Data(policy).write(to: folder.url.appending(path: "x.policy"))
      return session(
        "migrate t.sqlite --to Model2 --mapping t.mapping --policies x.policy --dry-run")
    }
    let good = try migrate(Array("policy X\r\n  set content = 'x'\r\n".utf8))
    #expect(good.status == .done, "\(good)")
    let bad = try migrate(Array("policy X\n  set content = '".utf8) + [0xE9, 0x27, 0x0A])
    #expect(bad.status == .failed && bad.diagnostics.contains("not UTF-8"), "\(bad)")
    // An object of another entity would be read as the object of the right one that has its key.
    let wrong = try migrate(
      Array("policy X\n  set topicList = create Topic with content = 'x'\n".utf8))
    #expect(wrong.status != .done, "\(wrong)")
    #expect(wrong.diagnostics.contains("is TopicList, not Topic"), "\(wrong)")
  }

  @Test("an unreadable policy file beside the model stops only migrations that need it")
  func unreadable() throws {
    let project = try Self.project(policy: "policy Other\n  sett size = 1\n")
    #expect(project.session("migrate n.sqlite --to App/V1 --dry-run").status == .done)
    for command in Self.commands {
      let answer = project.session(command)
      #expect(answer.status == .failed, "\(command): \(answer)")
      #expect(answer.diagnostics.contains("Note.policy:2"), "\(command): \(answer)")
    }
    try project.folder.write(Self.whole, to: "good/Good.policy")
    let command = "migrate n.sqlite --to App/V2 --output m.sqlite --policies good/Good.policy"
    let answer = project.session(command)
    #expect(answer.status == .done && answer.diagnostics.contains("Note.policy:2"), "\(answer)")
  }

  @Test("with --json, plan has the fault of a policy file among its diagnostics")
  func faultInJSON() throws {
    let project = try Self.project(policy: "policy NotePolicy\n  set nothing = 1\n")
    let answer = project.session("plan n.sqlite --to App/V2 --json")
    #expect(answer.status == .no, "\(answer)")
    let plan = try #require(
      JSONSerialization.jsonObject(with: Data(answer.output.utf8)) as? [String: Any])
    let warnings = (plan["diagnostics"] as? [[String: [String: Any]]] ?? []).compactMap {
      $0["warning"]?["id"] as? String
    }
    #expect(warnings.first == "policy.syntax", "\(answer)")
    #expect(answer.diagnostics.contains("[policy.syntax]"))
  }

  @Test("a policy's own value of another kind is refused with object, property and policy")
  func unfitting() throws {
    // Known from the models, also in one branch of a conditional.
    for value in [
      "$source.day", "FUNCTION($source, \"valueForKey:\", \"day\")",
      "TERNARY(1 == 1, nil, $source.day)",
      "TERNARY(1 == 1, nil, TERNARY(1 == 1, nil, $source.day))",
    ] {
      let typed = try Self.project(policy: "policy NotePolicy\n  set day = \(value)\n")
      for command in Self.commands.prefix(2) {
        let answer = typed.session(command)
        #expect(
          answer.status == .failed && answer.diagnostics.contains("Note.policy:2")
            && answer.diagnostics.contains("Note.day gets text, but requires a date"), "\(answer)")
      }
    }
    // Known with the object.
    let project = try Self.project(
      policy:
        "policy NotePolicy\n  set day = first:({$source.day, 1})\n  set size = 1")
    for command in Self.commands.prefix(2) {
      let answer = project.session(command)
      #expect(answer.status == (command.contains("--dry-run") ? .no : .failed), "\(answer)")
      for text in ["App.NotePolicy stopped: Note.day gets text, but requires a date", "Note/p1"] {
        #expect(answer.diagnostics.contains(text), "\(answer)")
      }
    }
  }

  /// Expressions of every kind, and of two kinds.
  static let expressions = [
    "$source.day", "$source.day + 1", "$source.size", "$source.size * 2", "$source.title", "5",
    "\"5\"", "TERNARY($source.size == 3, $source.day + 1, $source.day)", "nil",
    "FUNCTION($source, \"valueForKey:\", \"size\")", "FUNCTION($source, \"valueForKey:\", \"day\")",
    "lowercase:($source.title)", "CAST($source.title, \"NSString\")",
  ]

  @Test(
    "what the mapping check calls unfitting is written into no attribute if the policy sets nothing",
    arguments: expressions)
  func unset(expression: String) throws {
    let types = [
      "Date", "Integer 16", "Double", "Decimal", "Boolean", "String", "URI", "UUID", "Binary",
    ]
    for type in types {
      let project = try TemporaryProject([
        ("V1", ["Note": ["day": "Date", "size": "Integer 16", "title": "String"]]),
        ("V2", ["Note": ["value": type, "title": "String"]]),
      ])
      try project.folder.write(
        "NoteToNote: Note -> Note\n  policy P\n  value = \(expression)\n", to: "P.mapping")
      try project.folder.write("policy P\n  set title = \"new\"\n", to: "P.policy")
      project.session("create n.sqlite --model App/V1")
      project.session("insert n.sqlite Note day=2024-01-31 size=3 title=https://a.b")
      let isUnfitting = project.session("mapping lint P.mapping --from App/V1 --to App/V2").output
        .contains("but requires")
      let answer = project.session(
        "migrate n.sqlite --to App/V2 --output m.sqlite --mapping P.mapping --policies P.policy")
      #expect(answer.status == (isUnfitting ? .failed : .done), "\(type): \(answer)")
      #expect(answer.output.contains("Note.value gets") == isUnfitting, "\(type): \(answer)")
    }
  }

  @Test(
    "names that the models lack are refused with their line before the first object, and also without objects",
    arguments: [
      ("set dya = nil", "Note of V2 has no stored attribute dya", "did you mean day?"),
      ("split $source.title at ' ' into title, rest", "no stored attribute rest", nil),
      ("in end: join $source.title with ' ' into titel", "no stored attribute titel", "title?"),
      (
        "in relationships: set title = create Note with size = 1",
        "Note.title is an attribute, not", "EXPRESSION"
      ),
      (
        "in relationships: set up = 'x'", "Note.up is a relationship, not",
        "set up = find Note where"
      ),
      ("in relationships: set up = find Nota where title == 'a'", "no entity Nota", "Note?"),
      (
        "in relationships: set up = find Note where titl == 'a'", "no stored attribute titl",
        "title?"
      ),
      ("in begin: create Note with siz = 1", "no stored attribute siz", "did you mean size?"),
      ("keep first of title by day", "Note.title is an attribute, not", nil),
      ("skip when titel == nil", "Note of V1 has no property titel", "did you mean title?"),
      ("skip when $source.day == nil", "Note of V1 has no property day", "it has title"),
      ("one destination for each $source.titel", "Note of V1 has no property titel", "title?"),
      ("set title = $source.title + $sorce.title", "variable", "source"),
      ("set title = uppercse:(title)", "uppercse", "uppercase:"),
      ("set title = \"x\" + titel", "Note of V2 has no property titel", "did you mean title?"),
      ("set title = \"x\" + title", "+ requires numbers, not text", nil),
      ("skip when 2 * title == 3", "* requires numbers, not text", nil),
      ("skip when title == 5 AND titel == 1", "Note of V1 has no property titel", "title?"),
      ("skip when down.title == 'a'", "Note of V1 has no property down", nil),
      ("delete when down.title == 'a'", "down.title is to-many", "ANY"),
      ("set day = dya", "Note of V2 has no property dya", "did you mean day?"),
      ("set up = create Note with title = $source.titel", "Note of V1 has no property titel", nil),
      ("require day != dya, 'x'".replacing("'", with: "\""), "Note of V2 has no property dya", nil),
      ("require day != nil, \"\\(dya)\"", "Note of V2 has no property dya", nil),
      ("delete when up.dya == nil", "Note of V2 has no property dya", "did you mean day?"),
      ("in end: create Note with title = $source.title", "undefined variable $", nil),
      ("in begin: create Note with title = titel", "titel reads an object", nil),
      (
        "in relationships: set up = find Note where title == 'a' with day = nil",
        "find creates no object", "find or create"
      ),
      ("method a:$b = $c", "undefined variable $", nil),
      (
        "set title = FUNCTION($entityPolicy, \"short:\", title)", "P has no method short:",
        "method short:$a = EXPRESSION"
      ),
    ])
  func names(statement: String, what: String, fix: String?) throws {
    let text = "<attribute name='title' optional='YES' attributeType='String'/>"
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    for (version, rest) in [
      ("V1", ""),
      (
        "V2",
        """
        <attribute name='day' optional='YES' attributeType='Date'/>
        <attribute name='size' optional='YES' attributeType='Integer 16'/>
        <relationship name='up' optional='YES' maxCount='1' destinationEntity='Note' inverseName='down' inverseEntity='Note'/>
        <relationship name='down' optional='YES' toMany='YES' destinationEntity='Note' inverseName='up' inverseEntity='Note'/>
        """
      ),
    ] {
      try folder.write(
        "<model><entity name='Note'>\(text)\(rest)</entity></model>",
        to: "App.xcdatamodeld/\(version).xcdatamodel/contents")
    }
    try folder.write("N: Note -> Note\n  policy P\n", to: "a.mapping")
    try folder.write("policy P\n  \(statement)\n", to: "a.policy")
    let session = TestSession(in: folder)
    #expect(session("create n.sqlite --model App.xcdatamodeld/V1").status == .done)
    let answer = session(
      "migrate n.sqlite --to App.xcdatamodeld/V2 --mapping a.mapping --policies a.policy")
    #expect(
      answer.status == .failed && answer.diagnostics.contains("[policy.syntax]"), "\(answer)")
    #expect(answer.diagnostics.contains("a.policy:2:"), "\(answer)")
    #expect(answer.diagnostics.contains(what), "\(answer)")
    if let fix { #expect(answer.diagnostics.contains(fix), "\(answer)") }
  }

  @Test("two named files with the same policy are refused, as one of them would be ignored")
  func duplicates() throws {
    let project = try Self.project()
    let other = Self.whole + "\n  skip when $source.title == nil"
    try project.folder.write(Self.whole, to: "a.policy")
    try project.folder.write(other, to: "b.policy")
    try project.folder.write(
      other.replacing("policy NotePolicy", with: "policy NotePolicy to V2"), to: "c.policy")
    let line = "migrate n.sqlite --to App/V2 --dry-run --policies a.policy --policies"
    let answer = project.session("\(line) b.policy")
    #expect(
      answer.status == .failed && answer.diagnostics.contains("[policy.duplicate]"), "\(answer)")
    #expect(project.session("\(line) a.policy").status != .failed)
    #expect(project.session("\(line) c.policy").status != .failed)
  }

  @Test("an unknown policy is refused with the command that writes its skeleton, which can be used")
  func skeleton() throws {
    let project = try Self.project()
    let plan = project.session("plan n.sqlite --to App/V2")
    #expect(
      plan.status == .done && plan.diagnostics.contains("[migration.unknownPolicy]"), "\(plan)")
    for command in Self.commands {
      let answer = project.session(command)
      #expect(answer.status == .failed)
      #expect(
        answer.diagnostics.contains(
          "`mapping write V1ToV2.xcmappingmodel V1ToV2.policy` writes a skeleton for --policies V1ToV2.policy"
        ), "\(answer)")
    }
    let written = project.session("mapping write V1ToV2.xcmappingmodel V1ToV2.policy")
    #expect(written.status == .done, "\(written)")
    // As it is, it does what the mapping model does: the text still fits no date.
    let rehearsal = project.session("migrate n.sqlite --to App/V2 --dry-run")
    #expect(rehearsal.output.contains("Note.day gets text"), "\(rehearsal)")
    project.session("create e.sqlite --model App/V1")
    project.session("insert e.sqlite Note title=b")
    let migrated = project.session("migrate e.sqlite --to App/V2 --output m.sqlite")
    #expect(migrated.status == .done, "\(migrated)")
    #expect(project.session("mapping write V1ToV2.xcmappingmodel V1ToV2.policy").status == .failed)
  }

  @Test("lint names a method that the policy beside the mapping model lacks")
  func methods() throws {
    let project = try Self.project(policy: "policy NotePolicy\n  method loud:$a = uppercase:($a)\n")
    for (selector, isFound) in [("loud:", true), ("lod:", false)] {
      try project.map(
        "V1ToV2", "V1", "V2",
        [
          "NoteToNote: Note -> Note", "  policy App.NotePolicy", "  day = default",
          "  size = default",
          "  title = FUNCTION($entityPolicy, \"\(selector)\", $source.title)",
        ])
      let lint = project.session("mapping lint V1ToV2.xcmappingmodel")
      #expect(lint.output.contains("has no method lod:") != isFound, "\(lint)")
      #expect(lint.output.contains("did you mean loud:?") != isFound, "\(lint)")
    }
  }

  @Test("a mapping model without policies has no skeleton")
  func noPolicies() throws {
    let project = try Self.project()
    let answer = project.session("mapping write sample:Topics/Model1ToModel2 a.policy")
    #expect(answer.diagnostics.contains("[mapping.noPolicies]"))
  }
}
