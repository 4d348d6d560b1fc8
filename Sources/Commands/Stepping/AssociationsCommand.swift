internal import ArgumentParser
internal import StrataBase
internal import StrataMigration
internal import StrataObjectModel
internal import StrataRendering
internal import StrataStepping

/// `associations [MAPPING|OBJECT]`
struct AssociationsCommand: StrataCommand {
  static let configuration = CommandConfiguration.command(
    "associations",
    abstract: "Shows the association tables: pairs of source and destination objects.",
    discussion: """
      Pass 1 fills them; pass 2 uses them to find the destination objects of relationships. For an object \
      (Recipe/p2), the answer has both directions: what it became as a source object, and what it comes from \
      as a destination object.
      """)
  static let examples = [
    CommandExample.stepping(
      "what an object became", "pass", "associations", "associations Topic/p2")
  ]

  @Argument(.entityMapping, "An entity mapping or an object; by default all tables.")
  var subject: String?
  @Option(help: ArgumentHelp("Maximum number of pairs per table.", valueName: "n")) var limit = 10
  @OptionGroup var output: OutputOptions

  mutating func validate() throws {
    guard (1...1_000_000).contains(limit) else {
      throw ValidationError("--limit is between 1 and 1000000")
    }
  }

  func run(in session: Session) throws -> Outcome {
    let stepper = try session.steppingSession().stepper
    let tables = try stepper.associations(limit: limit)
    guard !tables.isEmpty else {
      return Outcome(
        .line("in place there are no association tables: each object keeps its row"),
        json: [])
    }
    guard let subject else { return outcome(tables) }
    let found = tables.filter { $0.mapping == subject }
    if found.isEmpty, let object = ObjectRef(subject) { return try outcome(object, stepper) }
    guard !found.isEmpty else {
      throw Diagnostic(
        id: "step.unknownPlace", what: "this hop has no entity mapping \(subject)",
        fix: NearestName.of(subject, in: tables.map(\.mapping)).map(NearestName.question)
          ?? "it has \(Phrase.list(tables.map(\.mapping)))")
    }
    return outcome(found)
  }

  private func outcome(_ tables: [PassesRun.Associations]) -> Outcome {
    Outcome(.lines(tables.flatMap(lines)), json: tables.json(Self.json))
  }

  private func lines(_ table: PassesRun.Associations) -> [StyledText] {
    let head =
      StyledText(table.mapping, .name)
      + StyledText(
        "  \(Phrase.count(table.count, "pair"))", table.count == 0 ? .faint : .plain)
    let shown = table.pairs.prefix(limit)
    let rest = table.count - shown.count
    return [head] + shown.map { StyledText("  \($0.source) -> \($0.destination)") }
      + (rest > 0 ? [StyledText("  … \(rest) more: --limit \(limit * 10)", .faint)] : [])
  }

  // MARK: One object

  private func outcome(_ object: ObjectRef, _ stepper: Stepper) throws -> Outcome {
    let hop = stepper.hops[stepper.position.hop]
    let (old, new) = (hop.from.model[object.entity], hop.to.model[object.entity])
    guard old != nil || new != nil else {
      throw Diagnostic(
        id: "step.unknownEntity", what: "neither model has an entity \(object.entity)",
        fix: NearestName.of(
          object.entity, in: hop.from.model.entityNames + hop.to.model.entityNames
        ).map(NearestName.question) ?? "the source has \(Phrase.list(hop.from.model.entityNames))")
    }
    let became = old == nil ? [] : try stepper.associations(of: object, side: .source)
    let origins = new == nil ? [] : try stepper.associations(of: object, side: .destination)
    return Outcome(
      .lines(
        section("the source object", object, became, isKnown: old != nil)
          + section("the destination object", object, origins, isKnown: new != nil)),
      json: [
        "object": object.description, "asSource": became.json(Self.json),
        "asDestination": origins.json(Self.json),
      ])
  }

  private func section(
    _ side: String, _ object: ObjectRef, _ tables: [PassesRun.Associations], isKnown: Bool
  ) -> [StyledText] {
    guard isKnown else { return [] }
    return [
      StyledText("\(side) \(object)", .heading)
        + StyledText(tables.isEmpty ? ": no association table has it" : "", .faint)
    ] + tables.flatMap(lines).map { "  " + $0 }
  }

  private static func json(_ table: PassesRun.Associations) -> JSONValue {
    [
      "mapping": table.mapping, "count": table.count,
      "pairs": table.pairs.json {
        ["source": $0.source.description, "destination": $0.destination.description]
      },
    ]
  }
}
