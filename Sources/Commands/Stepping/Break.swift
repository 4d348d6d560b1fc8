internal import ArgumentParser
internal import StrataBase
internal import StrataExpressions
internal import StrataMapping
internal import StrataMigration
internal import StrataObjectModel
internal import StrataRendering
internal import StrataStepping
internal import StrataStore

/// `break [WHERE] [--when PREDICATE]`
struct Break: StrataCommand {
  static let configuration = CommandConfiguration.command(
    "break", abstract: "Sets a breakpoint, or lists them.",
    discussion: """
      WHERE is an entity mapping (TopicToTopic), `pass`, `pass 2`, an object of the source (Topic/p3), a \
      property of the destination (Topic.timeBudget), `sql 'INSERT INTO ZTOPIC*'`, `policy`, `policy \
      ChefToChef`, `policy ChefToChef createRelationships`, `error` or `warning` (an object has no \
      destination object, a number does not fit). With --when, an entity mapping, a property or a policy stops at each object that \
      matches the predicate, which can use $source and $destination. The stepper stops before the step; \
      `error` stops after an object that is invalid in the new model, and a condition on the object that a \
      step creates stops after that step.
      """)
  static let examples = [
    CommandExample.stepping(
      "before some objects", "break TopicToTopic --when '$source.content.length > 3'", "continue",
      "break")
  ]

  @Argument(
    help: ArgumentHelp("The location; without it, lists all breakpoints.", valueName: "where"))
  var arguments: [String] = []
  @Option(.predicate, "Stop only if the objects match this predicate.", parsing: .unconditional)
  var when: String?
  @Option(help: ArgumentHelp("Ignore the first n hits.", valueName: "n")) var ignore = 0
  @Flag(help: "Delete the breakpoint after its first hit.") var once = false
  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp(.breakpoint, "Delete breakpoints and watchpoints."))
  var delete: [Int] = []
  @OptionGroup var output: OutputOptions

  static func candidates(after arguments: [String], in session: Session) -> [String]? {
    switch arguments.first {
    case nil: session.stepping?.stepper.places ?? []
    case "pass": (1...3).map(String.init)
    case "policy":
      arguments.count == 1
        ? session.stepping?.stepper.policyNames ?? []
        : Breakpoint.PolicyCall.allCases.map(\.rawValue)
    default: []
    }
  }

  static func conditionScope(after arguments: [String], in session: Session) -> ConditionScope? {
    guard let stepper = session.stepping?.stepper, let place = arguments.first else { return nil }
    let entity = String(place.prefix { $0 != "." && $0 != "/" })
    return stepper.conditionScope { mapping in
      place == "policy"
        ? mapping.policyName.map(arguments.contains) ?? false
        : mapping.name == place
          || [mapping.destinationName, mapping.sourceName].contains(entity)
    }
  }

  mutating func validate() throws {
    guard delete.isEmpty || arguments.isEmpty && when == nil else {
      throw ValidationError("--delete cannot be combined with a new breakpoint")
    }
    guard !arguments.isEmpty || when == nil && ignore == 0 && !once else {
      throw ValidationError(
        "name a location: an entity mapping, pass, sql, policy, error, warning …")
    }
    guard (0...1_000_000_000).contains(ignore) else {
      throw ValidationError("--ignore is between 0 and 1000000000")
    }
  }

  func run(in session: Session) throws -> Outcome {
    let stepper = try session.steppingSession().stepper
    guard delete.isEmpty else {
      let known = (stepper.breakpoints.map(\.number) + stepper.watchpoints.map(\.number))
      if let unknown = delete.first(where: { !known.contains($0) }) {
        throw Diagnostic(
          id: "step.unknownBreakpoint", what: "there is no breakpoint \(unknown)",
          fix: "`break` lists them")
      }
      for number in delete { stepper.remove(number) }
      return Outcome(
        .lines(delete.map { StyledText("breakpoint \($0) deleted") }),
        json: stepper.pointJSON)
    }
    guard !arguments.isEmpty else {
      return Outcome(stepper.pointView, json: stepper.pointJSON)
    }
    var breakpoint = Breakpoint(try kind(stepper), ignoring: ignore, once: once)
    breakpoint.condition = try condition(of: breakpoint.kind, stepper)
    let added = stepper.add(breakpoint)
    return Outcome(
      .line(StyledText("breakpoint \(added.number)", .heading) + ": \(added.text)"),
      json: stepper.pointJSON,
      warnings: added.isOfObjects && stepper.isAlwaysInPlace
        ? [Self.noObjects] : try missingObject(added.kind, stepper))
  }

  // MARK: Parsing

  private func kind(_ stepper: Stepper) throws -> Breakpoint.Kind {
    let first = arguments[0]
    switch first {
    case "pass":
      guard arguments.count < 2 || ["1", "2", "3"].contains(arguments[1]) else {
        throw Self.usage("there is no pass \(arguments[1])", "the passes are 1, 2 and 3")
      }
      try check(count: 2)
      return .pass(arguments.count > 1 ? Int(arguments[1]).flatMap(Pass.init(rawValue:)) : nil)
    case "sql":
      guard arguments.count == 2 else {
        throw Self.usage(
          "a pattern is missing, or is not quoted", "break sql 'INSERT INTO ZTOPIC*'")
      }
      return .sql(arguments[1])
    case "policy": return try policy(stepper)
    case "error", "warning":
      try check(count: 1)
      return first == "error" ? .error : .warning
    case "clear", "delete", "remove":
      throw Self.usage("break has no \(first)", "`break --delete 1` deletes a breakpoint")
    default:
      try check(count: 1)
      return try element(first, stepper)
    }
  }

  private func check(count: Int) throws {
    guard arguments.count > count else { return }
    throw Self.usage(
      "too many arguments: \(arguments[count])", "write a predicate after --when, in quotes")
  }

  private func policy(_ stepper: Stepper) throws -> Breakpoint.Kind {
    let names = arguments.dropFirst()
    var (name, call): (String?, Breakpoint.PolicyCall?) = (nil, nil)
    for word in names {
      if let found = Breakpoint.PolicyCall(rawValue: word) {
        call = found
      } else if stepper.policyNames.contains(word), name == nil {
        name = word
      } else {
        let known = stepper.policyNames + Breakpoint.PolicyCall.allCases.map(\.rawValue)
        throw Diagnostic(
          id: "step.unknownPolicy",
          what: "\(word) is neither a policy of an entity mapping nor a call",
          fix: NearestName.of(word, in: known).map(NearestName.question)
            ?? "known: \(Phrase.list(known))")
      }
    }
    return .policy(name, call: call)
  }

  /// An entity mapping, an object of the source or a property of the destination.
  private func element(_ word: String, _ stepper: Stepper) throws -> Breakpoint.Kind {
    if stepper.mappingNames.contains(word) { return .entityMapping(word) }
    if let object = ObjectRef(word), stepper.sourceEntities.contains(object.entity) {
      return .object(object)
    }
    let parts = word.split(separator: ".", maxSplits: 1).map(String.init)
    if parts.count == 2, stepper.hasProperty(parts[1], of: parts[0]) {
      return .property(PropertyID(entity: parts[0], name: parts[1]))
    }
    throw Diagnostic(
      id: "step.unknownPlace",
      what: "\(word) is not an entity mapping, object or property of this migration",
      fix: NearestName.of(word, in: stepper.places).map(NearestName.question)
        ?? (stepper.isAlwaysInPlace
          ? "in place, `break \(stepper.exampleProperty)` stops before the statements of a column, "
            + "`break sql 'INSERT INTO*'` before others"
          : "entity mappings are \(Phrase.list(stepper.mappingNames)); an object is written "
            + "\(stepper.sourceEntities.first ?? "Entity")/p1, a property \(stepper.exampleProperty)")
    )
  }

  /// A warning that the old store does not have an object; in a later hop, objects have other keys.
  private func missingObject(_ kind: Breakpoint.Kind, _ stepper: Stepper) throws -> [Diagnostic] {
    guard case .object(let object) = kind, stepper.hops.count == 1,
      try !stepper.sourceObjects().isThere(object.key, entity: object.entity)
    else { return [] }
    return [
      Diagnostic(
        id: "step.noObjects", severity: .warning,
        what: "the old store has no object \(object), so this breakpoint is never hit",
        fix: "`source \(object.entity)` lists the objects")
    ]
  }

  private func condition(of kind: Breakpoint.Kind, _ stepper: Stepper) throws -> Predicate? {
    guard let when else { return nil }
    switch kind {
    case .policy(_, nil), .policy(_, .createDestinationInstances),
      .policy(_, .createRelationships), .entityMapping, .property, .object:
      break
    case .pass, .sql, .error, .warning, .policy:
      throw Self.usage(
        "--when requires objects, but this breakpoint has none",
        "use it with an entity mapping, a property, an object, or a policy's call for each object")
    }
    do throws(ExpressionError) {
      let predicate = try Predicate(parsing: when)
      let unknown = predicate.variables.subtracting(["source", "destination"])
      if let name = unknown.min() {
        throw ExpressionError(.unknownVariable(name, known: ["destination", "source"]))
      }
      try stepper.check(predicate, of: kind)
      return predicate
    } catch {
      throw error.located(in: when)
    }
  }

  private static let noObjects = Diagnostic(
    id: "step.noObjects", severity: .warning,
    what:
      "this migration is in place: statements run for all objects, so this breakpoint is never hit",
    fix:
      "`break sql 'INSERT INTO*'` stops before such statements, `break Entity.property` before those of its column"
  )

  private static func usage(_ what: String, _ fix: String) -> Diagnostic {
    Diagnostic(id: "command.usage", what: what, fix: fix)
  }
}

extension ObjectRef {
  /// `Topic/p3`
  init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].hasPrefix("p"), let key = Int64(parts[1].dropFirst()) else {
      return nil
    }
    self.init(entity: String(parts[0]), key: key)
  }
}

extension Breakpoint {
  /// Whether only a migration by entity mappings can hit it.
  fileprivate var isOfObjects: Bool {
    switch kind {
    case .pass, .entityMapping, .object, .policy: true
    case .property: condition != nil
    case .sql, .error, .warning: false
    }
  }

  /// The breakpoint as typed.
  var text: String {
    let target =
      switch kind {
      case .pass(let pass): pass.map { "pass \($0.rawValue)" } ?? "pass"
      case .entityMapping(let name): name
      case .object(let object): object.description
      case .property(let property): property.description
      case .sql(let pattern): "sql \(CommandLineLexer.quoted(pattern))"
      case .policy(let name, let call):
        (["policy"] + [name, call?.rawValue].compactMap(\.self)).joined(separator: " ")
      case .error: "error"
      case .warning: "warning"
      }
    return target + (condition.map { " --when \(CommandLineLexer.quoted($0.text))" } ?? "")
      + (ignoreCount > 0 ? " --ignore \(ignoreCount)" : "") + (isOnce ? " --once" : "")
  }
}

extension Stepper {
  /// The entity mappings of all hops, in order.
  var mappingNames: [String] { hops.flatMap(\.entityMappings).map(\.name).uniqued }

  /// What a breakpoint can name besides objects and properties.
  fileprivate var places: [String] {
    (isAlwaysInPlace ? [] : mappingNames + ["pass", "policy"]) + ["sql", "error", "warning"]
  }

  fileprivate var isAlwaysInPlace: Bool { hops.indices.allSatisfy(isInPlace) }

  var policyNames: [String] {
    Set(hops.flatMap(\.entityMappings).compactMap(\.policyName)).sorted()
  }

  var sourceEntities: [String] { Set(hops.flatMap(\.from.model.entityNames)).sorted() }

  /// A property of the new model, as an example in advice.
  var exampleProperty: PropertyID {
    let found = hops.flatMap(\.to.model.entities).lazy.compactMap { entity in
      entity.attributes.first.map { PropertyID(entity: entity.name, name: $0.name) }
    }
    return found.first ?? PropertyID(entity: "Entity", name: "property")
  }

  func hasProperty(_ name: String, of entity: String) -> Bool {
    hops.contains { $0.to.model.hasProperty(name, of: entity) }
  }

  /// Breakpoints and watchpoints as a table.
  var pointView: View {
    let rows =
      breakpoints.map { ($0.number, "breakpoint", $0.text, $0.hits) }
      + watchpoints.map { ($0.number, "watchpoint", $0.subject.text, $0.hits) }
    guard !rows.isEmpty else {
      return .line(StyledText("no breakpoints: `break <where>` sets one", .faint))
    }
    return .table(
      columns: [.init("", .right), .init(""), .init(""), .init("hits", .right)],
      rows: rows.sorted { $0.0 < $1.0 }.map {
        [
          StyledText(String($0.0), .name), StyledText($0.1), StyledText($0.2),
          StyledText(String($0.3)),
        ]
      })
  }

  var pointJSON: JSONValue {
    [
      "breakpoints": breakpoints.json {
        ["number": $0.number, "where": $0.text, "met": $0.hits]
      },
      "watchpoints": watchpoints.json {
        ["number": $0.number, "where": $0.subject.text, "met": $0.hits]
      },
    ]
  }
}
