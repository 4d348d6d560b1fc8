internal import ArgumentParser
internal import StrataBase
internal import StrataExpressions
internal import StrataRendering

/// The command `help [COMMAND | TOPIC | RULE | ID]`.
struct Help: RawArgumentsCommand {
  static let configuration = CommandConfiguration.command(
    "help",
    abstract: "Lists the commands, or explains a command, a topic, a rule or the id of an error.")
  static let examples = [
    CommandExample("a command", "help hash"),
    CommandExample("the rule of a finding", "help inference.missingDefault"),
    CommandExample("the id of an error", "help session.pathRefused"),
  ]

  @Argument(
    help: ArgumentHelp(
      "A command, topic, term, rule, id, error code, or call of Core Data.", valueName: "word"),
    completion: .list(CommandTable.names))
  var arguments: [String] = []
  @Option(
    name: .long,
    help: ArgumentHelp("List the pages that contain a text.", valueName: "text"))
  var search: String?
  @OptionGroup var output: OutputOptions

  static let prototype = try? Help.parse(["help"])

  var isRecorded: Bool { false }

  private static let topicPages: [(name: String, page: @Sendable () -> Outcome)] = [
    ("commands", { commands }), ("prompt", { prompt }), ("references", { references }),
    ("stores", { stores }),
    ("expressions", { expressions }),
    ("documents", { documents }), ("policies", { policies }), ("stages", { stages }),
    ("stepping", { stepping }), ("rules", { RuleBook.list }), ("status", { StatusPage.outcome }),
    ("budgets", { budgets }),
  ]

  static let topics = topicPages.map(\.name)

  /// What `help NAME` accepts besides commands and topics, by kind.
  private static let otherNames = [
    Glossary.terms.map(\.name), RuleBook.pages.map(\.id), ErrorBook.ids,
    CoreDataBook.errors.map { String($0.code) }, CoreDataBook.calls.map(\.name),
  ]

  static func candidates(after arguments: [String], in session: Session) -> [String]? {
    switch arguments {
    case []:
      CommandTable.names + topics + RuleBook.pages.map(\.id)
    case ["rules"]: RuleBook.pages.map(\.id)
    default: []
    }
  }

  func validate() throws {
    guard search == nil || arguments.isEmpty else {
      throw ValidationError("help --search takes no other argument; quote a text of several words")
    }
    guard search?.contains(where: { !$0.isWhitespace }) ?? true else {
      throw ValidationError("--search needs a text")
    }
  }

  mutating func run(in session: Session) throws -> Outcome {
    if let search {
      let names = CommandTable.names + Self.topics + Self.otherNames.joined()
      return HelpSearch(
        for: search,
        in: names.compactMap { name in
          Self.page(of: name).map { (name, $0) }
        }
      ).outcome(for: search)
    }
    if arguments.isEmpty {
      return Self.overview(
        session.isStepping ? CommandTable.steppingGroups : CommandTable.groups, in: session)
    }
    if arguments.first == "rules", arguments.count > 1 {
      return try RuleBook.page(named: arguments.dropFirst().joined(separator: " "))
    }
    return try Self.page(named: arguments.joined(separator: " "))
  }

  /// - Throws: ``Diagnostic`` if nothing has this name.
  static func page(named name: String) throws(Diagnostic) -> Outcome {
    if let page = Self.page(of: name) { return page }
    // A misspelled call of Core Data is compared with the calls first. No other error code is suggested for an
    // unknown one.
    let calls = Self.otherNames.suffix(1)
    let others =
      name.allSatisfy(\.isNumber)
      ? [] : name.hasPrefix("NS") ? calls + Self.otherNames : Self.otherNames
    throw Diagnostic(
      id: "command.unknown", what: "help has no page \(name)",
      fix: ([CommandTable.names + Self.topics] + others).lazy
        .compactMap { NearestName.of(name, in: $0) }.first.map(NearestName.question)
        ?? "`help` lists the commands, `help --search TEXT` finds pages")
  }

  /// - Returns: `nil` if nothing has this name.
  static func page(of name: String) -> Outcome? {
    if let topic = topicPages.first(where: { $0.name == name }) { return topic.page() }
    if let type = CommandTable.named(name) { return page(type) }
    return RuleBook.page(of: name) ?? ErrorBook.page(of: name)
      ?? Glossary.term(name).map(Glossary.outcome)
      ?? CoreDataBook.error(name).map(CoreDataBook.outcome)
      ?? CoreDataBook.call(name).map(CoreDataBook.outcome)
  }

  private static var references: Outcome {
    let rows: [[StyledText]] = [
      ["Model1", "a version of a loaded bundle, if only one bundle has it"],
      ["Topics", "a loaded bundle: its current version"],
      ["Topics@current", "its current version, even if another version has the bundle's name"],
      ["Topics/Model1", "a version of it"],
      ["phone", "a loaded store; where a model is required, its cached model"],
      ["sample:Topics/Model1", "a version of a built-in sample"],
      ["try:Model1", "the copy of a model that `try` has edited"],
      ["Topics.xcdatamodeld/Model1", "a version of a bundle by its path; ./x is always a file"],
      ["Model1.Topic.content", "an entity of a model, or a property of an entity"],
      ["A+B", "several models merged into one"],
      ["'Moody 2'", "names with spaces are quoted"],
    ]
    return Outcome(
      .table(rows: rows.map { [StyledText($0[0].text, .name), $0[1]] }),
      json: .object(.init(rows.map { ($0[0].text, $0[1].text) })))
  }

  /// The syntax of scripts and notebooks: the form in a script, the form in a notebook, and the meaning.
  static let documentForms: [(script: String, notebook: String, meaning: String)] = [
    ("command", "> command", "in a notebook inside a block that begins ```strata"),
    ("#| text", "text", "its recorded answer"),
    ("#? 1", "? 1", "its exit status if not 0; alone: the output is not compared"),
    ("#? 0", "? 0", "exit status 0 without output"),
    ("# text", "text outside of blocks", "prose"),
    ("\\ at the end", "\\ at the end", "the command continues on the next line"),
    ("#| ...", "...", "any number of lines of an answer"),
    ("[..]", "[..]", "any characters in a line of an answer"),
    ("\\... \\[..]", "\\... \\[..]", "literal ... and [..]"),
    ("", "\\> text, \\? 1", "a line of an answer that looks like a command or a status"),
    ("", "```strata fresh", "a block that starts a new session"),
    ("#= words", "<!-- strata answers", "fingerprints of the data behind the answers: do not edit"),
  ]

  /// The statements of a policy file, the method of `NSEntityMigrationPolicy` in which each runs, and the
  /// meaning.
  private static let policyVerbs: [(form: String, call: String, meaning: String)] = [
    ("policy NAME", "", "the policy class of an entity mapping; its statements are indented"),
    (
      "policy NAME for MAPPING in MODEL from VERSION to VERSION", "",
      "a policy for one entity mapping, mapping model or hop only; each part is optional"
    ),
    (
      "skip when PREDICATE", "createDestinationInstances",
      "creates no object from a matching source object"
    ),
    (
      "one destination for each EXPRESSION", "createDestinationInstances",
      "merges source objects with the same value"
    ),
    ("set NAME = EXPRESSION", "createDestinationInstances", "sets an attribute"),
    (
      "split EXPRESSION at ' ' into NAME, NAME", "createDestinationInstances",
      "splits a string; the last attribute gets the rest"
    ),
    (
      "join EXPRESSION, EXPRESSION with ' ' into NAME", "createDestinationInstances",
      "joins strings"
    ),
    (
      "set NAME = find ENTITY where NAME == EXPRESSION", "createRelationships",
      "connects the object with this value"
    ),
    (
      "set NAME = find or create ENTITY where …", "createRelationships",
      "creates it if there is none, … with NAME = EXPRESSION, …"
    ),
    (
      "set NAME = create ENTITY with …", "createRelationships",
      "creates a new object each time, with NAME = EXPRESSION, …"
    ),
    (
      "keep first [of NAME] by KEY [descending]", "createRelationships",
      "selects the object to keep when a to-many becomes a to-one"
    ),
    (
      "require PREDICATE, \"text with \\(KEY)\"", "performCustomValidation",
      "lists every object that does not match, and stops the migration"
    ),
    ("in relationships: set …", "createRelationships", "sets an attribute after the relationships"),
    (
      "create ENTITY with …", "begin",
      "creates one object; also find or create ENTITY where …"
    ),
    ("in end of creation: …", "endInstanceCreation", "set, split, join, create, delete, require"),
    (
      "delete when PREDICATE", "endRelationshipCreation",
      "deletes matching objects of the entity mapping"
    ),
    ("in end of relationships: …", "endRelationshipCreation", "set, split, join, create, delete"),
    ("in end: …", "end", "set, split, join, create, delete after the validation"),
    (
      "method join:$a with:$b = EXPRESSION", "",
      "the result of FUNCTION($entityPolicy, \"join:with:\", a, b)"
    ),
  ]

  private static var policies: Outcome {
    Outcome(
      .sections([
        .table(
          columns: [.init("statement"), .init("runs in"), .init("")],
          rows: policyVerbs.map {
            [StyledText($0.form, .name), StyledText($0.call, .faint), StyledText($0.meaning)]
          }),
        .lines([
          "$source is the source object. A key without a variable belongs to the new object; in `skip when` and `one",
          "destination for each`, which run before there is one, to the source object. A line indented further continues",
          "the one above; # begins a comment. $manager, $entityMapping and $destination are also available.",
        ]),
      ]),
      json: policyVerbs.json {
        ["form": $0.form, "call": $0.call, "meaning": $0.meaning]
      })
  }

  private static let stageForms: [(form: String, meaning: String)] = [
    (
      "stage lightweight VERSION, VERSION",
      "versions that a store may have; inferred migration to the start of the next custom stage, or to the target"
    ),
    (
      "stage custom VERSION -> VERSION", "one inferred hop, with custom statements before and after"
    ),
    ("  will: …", "before: the store is at the old version"),
    ("  did: …", "after: the store is at the new version"),
    (
      "  … ENTITY: STATEMENT [when PREDICATE]",
      "set, split, join or require, as in a policy, on each object; in will also create and find"
    ),
    ("  … policy NAME on ENTITY", "runs such statements of a policy file"),
    ("  … run FILE", "runs a script, in which the store is loaded as store"),
  ]

  private static var stages: Outcome {
    Outcome(
      .sections([
        .table(
          columns: [.init("line"), .init("")],
          rows: stageForms.map { [StyledText($0.form, .name), StyledText($0.meaning)] }),
        .lines([
          "A version is named by its name or checksum. A store passes through every custom stage that follows its",
          "version, until it reaches the target. A stage with its statements is one transaction; scripts",
          "run before and after it. An interrupted migration continues where it stopped, but repeats a whole script:",
          "write scripts so that they can run twice. Old values exist in will and are removed in did.",
        ]),
      ]),
      json: stageForms.json { ["form": $0.form, "meaning": $0.meaning] })
  }

  private static var documents: Outcome {
    Outcome(
      .table(
        columns: [.init("script (.strata)"), .init("notebook (.md)"), .init("")],
        rows: documentForms.map {
          [StyledText($0.script, .name), StyledText($0.notebook, .name), StyledText($0.meaning)]
        }),
      json: documentForms.json {
        ["script": $0.script, "notebook": $0.notebook, "meaning": $0.meaning]
      })
  }

  private static var expressions: Outcome {
    let forms: [[StyledText]] = [
      ["== != < <= > >=", "numbers, dates, strings; == nil and != nil test for a missing value"],
      ["AND OR NOT ( )", "also && || !"],
      ["BETWEEN {1, 5}, IN {1, 2}", "lists; string IN string tests for a substring"],
      [
        "BEGINSWITH ENDSWITH CONTAINS",
        "[c] is case-insensitive, [d] is diacritic-insensitive",
      ],
      ["LIKE 'a*b?'", "* matches any characters, ? matches one"],
      ["MATCHES '[a-h].*'", "a regular expression for the whole string; \\d is written '\\\\d'"],
      ["box.name, tags.@count", "key paths; @sum @avg @min @max of a to-many: tags.@sum.rank"],
      ["ANY tags.rank > 1", "ANY (SOME), ALL or NONE of a to-many; ALL is true for an empty one"],
      ["SUBQUERY(tags, $t, $t.rank > 1).@count", "the elements that match a predicate"],
      ["TERNARY(a > 1, b, c)", "b if a > 1, otherwise c"],
      ["'2024-01-31T12:00:00Z'", "a date, if compared with a date"],
      ["box == 'p17', SELF == 'p1'", "an object by its key, as shown by rows"],
      ["SELF YES NO nil", "the object itself, 1, 0, null; also TRUEPREDICATE, FALSEPREDICATE"],
      ["#like", "a property whose name is a reserved word"],
      ["uppercase:(name) == 'A'", "a function, with its colon:"],
    ]
    let functions = ExpressionFunction.all.map { function in
      [StyledText(function.name, .name), StyledText(function.summary)]
    }
    return Outcome(
      .sections([
        .table(rows: forms.map { [StyledText($0[0].text, .name), $0[1]] }),
        .table(rows: functions),
      ]),
      json: .object(
        .init(
          forms.map { ($0[0].text, $0[1].text) }
            + ExpressionFunction.all.map { ($0.name, $0.summary) })))
  }

  private static func page(_ type: any StrataCommand.Type) -> Outcome {
    let text = OptionalValues.corrected(usage: Root.helpMessage(for: type, columns: 80))
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map {
      StyledText(String($0))
    }
    while lines.last?.isEmpty == true { lines.removeLast() }
    let usage = lines.firstIndex { $0.text.hasPrefix("USAGE: ") } ?? 0
    var views: [View] = [.stack([.prose(Array(lines[..<usage])), .lines(Array(lines[usage...]))])]
    if !type.examples.isEmpty {
      views.append(
        .stack([
          .line("EXAMPLES:"),
          .lines(
            type.examples.flatMap { example in
              [StyledText("  \(example.shows):", .faint)]
                + example.lines.map { StyledText("    \($0)") }
            }),
        ]))
    }
    return Outcome(.sections(views), json: type.json)
  }
}
