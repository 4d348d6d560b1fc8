internal import StrataDiagnostics
internal import StrataMapping
internal import StrataMigration
internal import StrataObjectModel
internal import StrataRendering

/// Which mapping model leads from one model to another, among all that are known.
struct MappingSearch {
  private let source: NamedModel
  private let destination: NamedModel
  private let choice: MappingChoice
  private let count: Int
  private let problems: [Diagnostic]

  init(from source: String, to destination: String, folder: String?, in session: Session) throws {
    self.source = try session.sourceModel(source, target: destination)
    self.destination = try session.model(destination)
    let known = try session.knownMappings(for: [source, destination], folder: folder)
    count = known.mappings.count
    problems = known.problems
    choice = DefaultBootstrapping().mappingModels(
      from: self.source, to: self.destination, among: known.mappings.map(\.forChoice))
  }

  var outcome: Outcome {
    let payload = MappingSearchPayload(choice)
    let direction = StyledText("\(source.name) -> \(destination.name)  ", .heading)
    let others = Table(
      rows: choice.rejected.map {
        [StyledText("  \($0.name)", .name), StyledText($0.reason, .faint)]
      }
    )
    guard !choice.models.isEmpty else {
      let isInferable = Inference(from: source.model, to: destination.model).isInferable
      let looked = count == 0 ? "no mapping model is known" : "none of \(count) fits"
      return Outcome(
        .stack([
          .line(
            direction + StyledText(looked, .error)
              + StyledText(isInferable ? "; it can be inferred" : "; it cannot be inferred")),
          .table(others),
        ]), payload: payload, status: .no, warnings: problems)
    }
    return Outcome(
      .stack([
        .line(
          direction + StyledText(Words.list(choice.models.map(\.name)), .good)
            + StyledText(": \(choice.reason)")), .table(others),
      ]), payload: payload, warnings: problems)
  }
}

/// The JSON shape of `mapping find`.
struct MappingSearchPayload: Encodable, Sendable {
  struct Rejection: Encodable, Sendable {
    var name: String
    var reason: String
    var findings: [FindingPayload]
  }

  var found: [String]
  var reason: String
  var rejected: [Rejection]

  init(_ choice: MappingChoice) {
    found = choice.models.map(\.name)
    reason = choice.reason
    rejected = choice.rejected.map {
      Rejection(name: $0.name, reason: $0.reason, findings: $0.findings.map { FindingPayload($0) })
    }
  }
}
