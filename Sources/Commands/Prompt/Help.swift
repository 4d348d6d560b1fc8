internal import ArgumentParser
internal import StrataBase
internal import StrataExpressions
internal import StrataRendering

/// `help [COMMAND | TOPIC | RULE | ID]`
struct Help: StrataCommand {
  static let configuration = CommandConfiguration(
    commandName: "help",
    abstract: "Lists the commands, or explains a command, a topic, a rule or the id of an error.")
  static let effect = CommandEffect.reads
  static let examples = [
    CommandExample("a command", "help hash"),
    CommandExample("the rule of a finding", "help inference.missingDefault"),
    CommandExample("the id of an error", "help session.pathRefused"),
  ]

  @Argument(
    help: "The command, topic, rule or id to show.", completion: .list(CommandTable.names))
  var command: String?
  @Argument(help: ArgumentHelp("After `rules`: the rule to show.", valueName: "rule"))
  var rule: String?
  @OptionGroup var output: OutputOptions

  var isRecorded: Bool { false }

  private static let topics = [
    "references", "stores", "expressions", "documents", "policies", "stages", "stepping", "rules",
    "status", "budgets",
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
    guard rule == nil || command == "rules" else {
      throw ValidationError(
        "help explains one thing at a time: only `help rules <rule>` takes two words")
    }
  }

  mutating func run(in session: Session) throws -> Outcome {
    guard let command else { return session.isStepping ? Self.stepping : Self.overview }
    if command == "references" { return Self.references }
    if command == "stores" { return Self.stores }
    if command == "expressions" { return Self.expressions }
    if command == "documents" { return Self.documents }
    if command == "policies" { return Self.policies }
    if command == "stages" { return Self.stages }
    if command == "stepping" { return Self.stepping }
    if command == "status" { return StatusPage.outcome }
    if command == "budgets" { return Self.budgets }
    if command == "rules" { return try rule.map(RuleBook.page(named:)) ?? RuleBook.list }
    if let page = RuleBook.page(of: command) ?? ErrorBook.page(of: command) { return page }
    guard let type = CommandTable.named(command) else {
      throw Diagnostic(
        id: "command.unknown", what: "there is no command \(command)",
        fix: (NearestName.of(command, in: CommandTable.names + Self.topics)
          ?? NearestName.of(command, in: RuleBook.pages.map(\.id) + ErrorBook.ids))
          .map(NearestName.question)
          ?? "`help` lists the commands")
    }
    return Self.page(type)
  }

  private static var overview: Outcome {
    let rows: [[StyledText]] = CommandTable.general.map {
      [
        StyledText($0.configuration.commandName ?? "", .name),
        StyledText($0.configuration.abstract),
      ]
    }
    return Outcome(
      .stack([
        .table(Table(rows: rows)),
        .line(""),
        .line(
          "`help <command>` shows its options and examples, `help references` how things are named,"
        ),
        .line(
          "`help stores` which stores are read, written and refused,"
        ),
        .line(
          "`help expressions` what predicates may say, `help documents` how sessions are written,"),
        .line(
          "`help policies` what a policy file may do, `help stages` how a staged migration is written,"
        ),
        .line(
          "`help stepping` what can be done in the stepper, which `debug` begins, `help rules` what findings mean,"
        ),
        .line("`help status` the exit statuses, `help budgets` what a command may use up."),
        .line("Start with: load sample:Topics"),
      ]),
      payload: CommandListPayload(
        commands: CommandTable.all.map { CommandPayload($0) }, topics: topics))
  }

  private static var references: Outcome {
    let rows: [[StyledText]] = [
      ["Model1", "a version of a loaded bundle, where only one bundle has it"],
      ["Topics", "a loaded bundle: its current version"],
      ["Topics@current", "the same, also where a version has the bundle's name"],
      ["Topics/Model1", "a version of it"],
      ["phone", "a loaded store; where a model is wanted, the model it keeps"],
      ["sample:Topics/Model1", "a version of a built-in sample"],
      ["try:Model1", "the copy of a model that `try` has edited"],
      ["Topics.xcdatamodeld/Model1", "a version of a bundle by its path; ./x is always a file"],
      ["Model1.Topic.content", "an entity of a model, or a property of an entity"],
      ["A+B", "several models merged into one"],
      ["'Moody 2'", "names with spaces are quoted"],
    ]
    return Outcome(
      .table(Table(rows: rows.map { [StyledText($0[0].text, .name), $0[1]] })),
      payload: Dictionary(rows.map { ($0[0].text, $0[1].text) }, uniquingKeysWith: { $1 }))
  }

  /// How scripts and notebooks are written: the form in a script, in a notebook, and what it means.
  static let documentForms: [(script: String, notebook: String, meaning: String)] = [
    ("command", "> command", "in a notebook inside a block that begins ```strata"),
    ("#| text", "text", "what it answered, when it was recorded"),
    ("#? 1", "? 1", "its exit status, where that is not 0; alone: whatever is said with it"),
    ("#? 0", "? 0", "nothing is said, and it is done"),
    ("# text", "text outside of blocks", "prose"),
    ("\\ at the end", "\\ at the end", "the command goes on in the next line"),
    ("#| ...", "...", "any lines of an answer"),
    ("[..]", "[..]", "anything in a line of an answer"),
    ("\\... \\[..]", "\\... \\[..]", "these themselves"),
    ("", "\\> text, \\? 1", "a line of an answer that looks like a command or a status"),
    ("", "```strata fresh", "a block that begins a session of its own"),
    ("#= words", "<!-- strata answers", "fingerprints of the data behind the answers: leave them"),
  ]

  /// What a policy file may say, the call of `NSEntityMigrationPolicy` in which it is done, and what it
  /// means.
  private static let policyVerbs: [(form: String, call: String, meaning: String)] = [
    ("policy NAME", "", "the class that a mapping model names; what it does is moved in"),
    (
      "policy NAME for MAPPING in MODEL from VERSION to VERSION", "",
      "the same for one entity mapping, mapping model or hop alone; each part may be left out"
    ),
    (
      "skip when PREDICATE", "createDestinationInstances", "nothing is made of such a source object"
    ),
    (
      "one destination for each EXPRESSION", "createDestinationInstances",
      "source objects with the same value become one"
    ),
    ("set NAME = EXPRESSION", "createDestinationInstances", "an attribute gets a value"),
    (
      "split EXPRESSION at ' ' into NAME, NAME", "createDestinationInstances",
      "the parts of a text; the last gets the rest"
    ),
    (
      "join EXPRESSION, EXPRESSION with ' ' into NAME", "createDestinationInstances",
      "several texts become one"
    ),
    (
      "set NAME = find ENTITY where NAME == EXPRESSION", "createRelationships",
      "a relationship leads to the object with this value"
    ),
    (
      "set NAME = find or create ENTITY where …", "createRelationships",
      "where there is none it is made, … with NAME = EXPRESSION, …"
    ),
    (
      "set NAME = create ENTITY with …", "createRelationships",
      "a new object each time, with NAME = EXPRESSION, …"
    ),
    (
      "keep first [of NAME] by KEY [descending]", "createRelationships",
      "which one stays where a to-many becomes a to-one"
    ),
    (
      "require PREDICATE, \"text with \\(KEY)\"", "performCustomValidation",
      "every object that is not so is listed, and the migration stops"
    ),
    ("in relationships: set …", "createRelationships", "an attribute after the relationships"),
    (
      "create ENTITY with …", "begin",
      "an object, once; also find or create ENTITY where …"
    ),
    ("in end of creation: …", "endInstanceCreation", "set, split, join, create, delete, require"),
    (
      "delete when PREDICATE", "endRelationshipCreation",
      "such objects of the entity mapping are deleted, and count as lost"
    ),
    ("in end of relationships: …", "endRelationshipCreation", "set, split, join, create, delete"),
    ("in end: …", "end", "the same after the validation of the policy"),
    (
      "method join:$a with:$b = EXPRESSION", "",
      "what FUNCTION($entityPolicy, \"join:with:\", a, b) gives"
    ),
  ]

  private static var policies: Outcome {
    Outcome(
      .sections([
        .table(
          Table(
            columns: [.init("statement"), .init("done in"), .init("")],
            rows: policyVerbs.map {
              [StyledText($0.form, .name), StyledText($0.call, .faint), StyledText($0.meaning)]
            })),
        .lines([
          "$source is the source object, a key alone one of the new object. A line that is moved in further",
          "goes on with the one above; # begins a comment. $manager, $entityMapping and $destination are there too.",
        ]),
      ]),
      payload: policyVerbs.map {
        ["form": $0.form, "call": $0.call, "meaning": $0.meaning]
      })
  }

  private static let stageForms: [(form: String, meaning: String)] = [
    (
      "stage lightweight VERSION, VERSION",
      "versions that a store may have; it is inferred to where the next custom stage begins, or to the target"
    ),
    (
      "stage custom VERSION -> VERSION", "one inferred hop, with work of one's own before and after"
    ),
    ("  will: …", "before: the store is at the old version"),
    ("  did: …", "after: the store is at the new version"),
    (
      "  … ENTITY: STATEMENT [when PREDICATE]",
      "set, split, join, skip when or require, as in a policy, for each object itself; in will, create and find too"
    ),
    ("  … policy NAME on ENTITY", "such statements of a policy file"),
    ("  … run FILE", "a script of commands, in which the store is loaded as store"),
  ]

  private static var stages: Outcome {
    Outcome(
      .sections([
        .table(
          Table(
            columns: [.init("line"), .init("")],
            rows: stageForms.map { [StyledText($0.form, .name), StyledText($0.meaning)] })),
        .lines([
          "A version is called by its name or its checksum. A store goes through every custom stage that follows its",
          "version, unless one of them ends at the target. A stage with its statements is one transaction; scripts",
          "run before and after it. An interrupted migration continues where it was, with the whole of a script:",
          "write it so that it may run twice. Old values are there in will, and removed in did.",
        ]),
      ]),
      payload: stageForms.map { ["form": $0.form, "meaning": $0.meaning] })
  }

  private static var stepping: Outcome {
    let rows: [[StyledText]] = CommandTable.stepping.map {
      [
        StyledText($0.configuration.commandName ?? "", .name),
        StyledText($0.configuration.abstract),
      ]
    }
    return Outcome(
      .sections([
        .table(Table(rows: rows)),
        .lines([
          "`debug <store> --to <model>` begins. The migration happens in a private folder; the store is only read.",
          "`sql source 'SELECT …'` and `sql destination 'SELECT …'` ask the tables of either side as they are.",
          "`trace migration 2` and `trace sql 2` show more of what each step does; `save` keeps the session.",
          "A script that ends in the stepper abandons. All other commands work here too: `help <command>`.",
        ]),
      ]),
      payload: CommandListPayload(
        commands: CommandTable.stepping.map { CommandPayload($0) }, topics: topics))
  }

  private static var documents: Outcome {
    Outcome(
      .table(
        Table(
          columns: [.init("script (.strata)"), .init("notebook (.md)"), .init("")],
          rows: documentForms.map {
            [StyledText($0.script, .name), StyledText($0.notebook, .name), StyledText($0.meaning)]
          })),
      payload: documentForms.map {
        ["script": $0.script, "notebook": $0.notebook, "meaning": $0.meaning]
      })
  }

  private static var expressions: Outcome {
    let forms: [[StyledText]] = [
      ["== != < <= > >=", "numbers, dates, texts; == nil and != nil ask for nothing"],
      ["AND OR NOT ( )", "also && || !"],
      ["BETWEEN {1, 5}, IN {1, 2}", "lists; text IN text asks for a part"],
      [
        "BEGINSWITH ENDSWITH CONTAINS",
        "[c] takes capitals for small letters, [d] leaves marks out",
      ],
      ["LIKE 'a*b?'", "* for any letters, ? for one"],
      ["MATCHES '[a-h].*'", "a regular expression for the whole text; \\d is written '\\\\d'"],
      ["box.name, tags.@count", "key paths; @sum @avg @min @max of a to-many: tags.@sum.rank"],
      ["ANY tags.rank > 1", "ANY (SOME), ALL or NONE of a to-many; ALL is true of an empty one"],
      ["SUBQUERY(tags, $t, $t.rank > 1).@count", "the elements of which something is true"],
      ["TERNARY(a > 1, b, c)", "one of two values"],
      ["'2024-01-31T12:00:00Z'", "a date, where it is compared with one"],
      ["box == 'p17', SELF == 'p1'", "an object by its key, as rows shows it"],
      ["SELF YES NO nil", "the object itself, 1, 0, nothing; also TRUEPREDICATE, FALSEPREDICATE"],
      ["#like", "a property that is called like a word of the language"],
      ["uppercase:(name) == 'A'", "a function, with its colon:"],
    ]
    let functions = ExpressionFunction.all.map { function in
      [StyledText(function.name, .name), StyledText(function.summary)]
    }
    return Outcome(
      .sections([
        .table(Table(rows: forms.map { [StyledText($0[0].text, .name), $0[1]] })),
        .table(Table(rows: functions)),
      ]),
      payload: Dictionary(
        forms.map { ($0[0].text, $0[1].text) }
          + ExpressionFunction.all.map { ($0.name, $0.summary) }, uniquingKeysWith: { $1 }))
  }

  private static func page(_ type: any StrataCommand.Type) -> Outcome {
    let text = OptionalValues.corrected(usage: Root.helpMessage(for: type, columns: 80))
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map {
      StyledText(String($0))
    }
    while lines.last?.isEmpty == true { lines.removeLast() }
    var views: [View] = [.lines(lines)]
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
    return Outcome(.sections(views), payload: CommandPayload(type))
  }
}
