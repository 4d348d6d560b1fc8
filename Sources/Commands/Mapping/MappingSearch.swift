internal import StrataBase
internal import StrataMapping
internal import StrataMigration
internal import StrataObjectModel
internal import StrataRendering

/// The result of `mapping find`: the mapping model from one model to another, among all known ones.
struct MappingSearch {
  private let source: NamedModel
  private let destination: NamedModel
  private let choice: MappingChoice
  private let count: Int
  private let problems: [Diagnostic]
  /// The findings of the fitting mapping models: unmapped or twice mapped source entities, and errors.
  private let faults: [Finding]

  init(from source: String, to destination: String, folder: String?, in session: Session) throws {
    let ends = try session.ends(from: source, to: destination)
    let (first, second) = (ends.source, ends.target)
    let known = try session.knownMappings(for: [source, destination], folder: folder)
    count = known.mappings.count
    let choice = MappingChoice(from: first, to: second, among: known.forChoice)
    self.choice = choice
    let stale = session.staleMappings(
      among: known.forChoice, from: first, to: second, references: [source, destination])
    let references = [source, destination]
    let elsewhere =
      choice.chosen != nil
      ? []
      : session.projectMappings(for: references).filter { otherFolder, _ in
        folder.map { session.shown($0) } != otherFolder
      }.flatMap { otherFolder, files in
        MappingChoice(
          from: first, to: second, among: session.read(files).forChoice
        ).elsewhere(
          otherFolder, "--mappings \(CommandLineLexer.quoted(otherFolder))", from: first, to: second
        )
      }
    problems =
      known.problems
      + stale.map { session.warning(of: $0, from: first, to: second, references) } + elsewhere
      + (choice.parts.isEmpty && choice.fitting.isEmpty && elsewhere.isEmpty
        ? session.hybridAdvice(
          from: first, to: second, among: known.forChoice, folder: folder, references) : [])
    let hop = MigrationPlan.Hop(from: first, to: second, parts: choice.parts, reason: "")
    faults =
      choice.parts.isEmpty
      ? []
      : hop.faults
        + hop.losses.map(\.finding).filter {
          if case .acrossParts = $0.lossRule { true } else { false }
        }
    (self.source, self.destination) = (first, second)
  }

  var outcome: Outcome {
    let direction = StyledText("\(source.name) -> \(destination.name)  ", .heading)
    let others = Table(
      rows: choice.rejected.map {
        [StyledText("  \($0.name)", .name), StyledText($0.reason, .faint)]
      }
    )
    guard let chosen = choice.chosen else {
      return Outcome(
        .stack([
          .line(direction + answer),
          .table(rows: choice.fitting.map { [StyledText("  \($0.name)", .name), "fits"] }),
          .table(others), faults.view,
        ]), json: json, status: .no, warnings: problems)
    }
    return Outcome(
      .stack([
        .line(direction + StyledText(chosen.name, .good) + StyledText(": \(choice.reason)")),
        .table(others), faults.view,
      ]), json: json, warnings: problems)
  }

  /// Core Data uses the one that is found. If several fit, it is undefined which; the parts are what
  /// `--strategy custom` runs one after the other.
  private var json: JSONValue {
    [
      "found": [choice.chosen].compactMap { $0?.name }, "fitting": choice.fitting.map(\.name),
      "parts": choice.parts.map(\.name), "reason": choice.reason,
      "rejected": choice.rejected.json {
        ["name": $0.name, "reason": $0.reason, "findings": $0.findings.map { $0.json() }]
      },
      "findings": faults.map { $0.json() },
    ]
  }

  /// The conclusion if Core Data does not use exactly one mapping model.
  private var answer: StyledText {
    if choice.isUndefined { return StyledText(choice.reason, .error) + customHint }
    let isInferable = Inference(from: source.model, to: destination.model).isInferable
    let summary = count == 0 ? "no mapping model is known" : "none of \(count) fits"
    return StyledText(choice.parts.isEmpty ? summary : choice.reason, .error) + customHint
      + StyledText(isInferable ? "; one can be inferred" : "; none can be inferred")
  }

  private var customHint: StyledText {
    guard !choice.parts.isEmpty else { return "" }
    return "; --strategy custom runs " + StyledText(Phrase.list(choice.parts.map(\.name)), .name)
  }
}
