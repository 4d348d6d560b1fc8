internal import ArgumentParser
internal import StrataBase
internal import StrataMigration
internal import StrataRendering
internal import StrataStepping

/// `associations [MAPPING]`
struct AssociationsCommand: StrataCommand {
  static let configuration = CommandConfiguration(
    commandName: "associations",
    abstract: "Shows the association tables: pairs of source and destination objects.",
    discussion: """
      Pass 1 fills them; pass 2 uses them to find the destination objects of relationships.
      """)
  static let effect = CommandEffect.reads
  static let examples: [CommandExample] = []

  @Argument(help: ArgumentHelp(.entityMapping, "An entity mapping; by default all."))
  var mapping: String?
  @Option(help: ArgumentHelp("Maximum number of pairs per table.", valueName: "n")) var limit = 10
  @OptionGroup var output: OutputOptions

  mutating func validate() throws {
    guard (1...1_000_000).contains(limit) else {
      throw ValidationError("--limit is between 1 and 1000000")
    }
  }

  struct Payload: Encodable, Sendable {
    struct Pair: Encodable, Sendable {
      var source: String
      var destination: String
    }

    var mapping: String
    var count: Int
    var pairs: [Pair]
  }

  func run(in session: Session) throws -> Outcome {
    let stepper = try session.steppingSession().stepper
    var tables = try stepper.associations(limit: limit)
    if let mapping {
      guard tables.contains(where: { $0.mapping == mapping }) || tables.isEmpty else {
        throw Diagnostic(
          id: "step.unknownPlace", what: "this hop has no entity mapping \(mapping)",
          fix: NearestName.of(mapping, in: tables.map(\.mapping)).map(NearestName.question)
            ?? "it has \(Phrase.list(tables.map(\.mapping)))")
      }
      tables = tables.filter { $0.mapping == mapping }
    }
    guard !tables.isEmpty else {
      return Outcome(
        .line("in place there are no association tables: each object keeps its row"),
        payload: [Payload]())
    }
    let lines = tables.flatMap { table -> [StyledText] in
      let head =
        StyledText(table.mapping, .name)
        + StyledText(
          "  \(Phrase.count(table.count, "pair", "pairs"))", table.count == 0 ? .faint : .plain)
      let rest = table.count - table.pairs.count
      return [head]
        + table.pairs.map { StyledText("  \($0.source) -> \($0.destination)") }
        + (rest > 0 ? [StyledText("  … \(rest) more: --limit \(limit * 10)", .faint)] : [])
    }
    return Outcome(
      .lines(lines),
      payload: tables.map { table in
        Payload(
          mapping: table.mapping, count: table.count,
          pairs: table.pairs.map {
            Payload.Pair(source: $0.source.description, destination: $0.destination.description)
          })
      })
  }
}
