internal import StrataBase
internal import StrataMapping
internal import StrataMigration
internal import StrataObjectModel
internal import StrataRendering

/// The result of `plan` without a path: the reason, and the other paths.
struct PathlessPlan {
  private let source: NamedModel
  private let target: NamedModel
  private let setup: PlannerSetup
  private let error: MigrationError
  /// The two models as the user typed them.
  private let typed: (source: String, destination: String)
  /// The versions between them in a command, by name.
  private let typedVersions: [String: String]
  private let paths: [OtherPath]
  private let warnings: [Diagnostic]

  init(
    _ error: MigrationError, from source: NamedModel, to target: NamedModel,
    typed: (source: String, destination: String), by options: StrategyOptions,
    _ setup: PlannerSetup,
    in session: Session
  ) throws {
    (self.error, self.source, self.target) = (error, source, target)
    let references = [typed.source, typed.destination]
    self.setup = setup
    typedVersions = Dictionary(
      first: setup.planner.versions.map { ($0.name, session.typed($0, references: references)) })
    self.typed = (
      Self.version(of: typed.source, source, references, in: session) ?? typed.source,
      typed.destination
    )
    let search = try PathSearch(
      from: source, to: target, besides: options, references, in: session)
    paths = search.paths
    let stale = session.staleMappings(
      among: options.mappings.isEmpty ? setup.planner.mappings : [], from: source, to: target,
      references: references)
    warnings =
      setup.problems + search.problems
      + stale.map { session.warning(of: $0, from: source, to: target, references) }
  }

  /// The version that wrote a store, as a user types it: it has what the store's cached model lacks.
  private static func version(
    of typed: String, _ model: NamedModel, _ references: [String], in session: Session
  ) -> String? {
    guard case .store? = try? session.resolve(typed) else { return nil }
    let version = session.typed(model, references: references)
    return (try? session.model(version)) == nil ? nil : version
  }

  var outcome: Outcome {
    switch error {
    case .notInferable(let from, let to, let obstacles):
      let known = [source, target] + setup.planner.versions
      let ends = (
        source: from == source.name ? typed.source : typedVersions[from] ?? from,
        destination: to == target.name ? typed.destination : typedVersions[to] ?? to
      )
      let report = InferenceReport(
        obstacles, from: known.first { $0.name == from } ?? source,
        to: known.first { $0.name == to } ?? target, typed: ends)
      return answer(
        "no path", "no mapping model can be inferred from \(from) to \(to)", report.view,
        obstacles: report.json)
    case .undefinedChoice(let from, let to, let fitting, _):
      let choices = fitting.map { ($0, losses(of: $0, from: from, to: to)) }
      return answer(
        "no defined path",
        "\(fitting.count) mapping models fit from \(from) to \(to), and which one Core Data uses is undefined",
        .stack(choices.map { Self.view(of: $0, losing: $1) }),
        choices: choices.map { ["mapping": $0, "losses": $1.map { $0.json() }] })
    case .missingMappingModel(let from, let to, let rejected):
      return answer(
        "no path",
        "there is no mapping model from \(from) to \(to)"
          + (setup.planner.infers ? "" : ", and inference is turned off"),
        .lines(rejected.map { StyledText("  \($0)") }))
    default: preconditionFailure("only where there is no path")
    }
  }

  private func answer(
    _ verdict: String, _ why: String, _ view: View, obstacles: [JSONValue] = [],
    choices: [JSONValue] = []
  ) -> Outcome {
    Outcome(
      .stack([
        .line(
          StyledText(verdict + (error.diagnostic.code.map { " (\($0))" } ?? ""), .error)
            + StyledText(": \(why)")), view,
        .table(rows: paths.map(\.row)),
      ]),
      json: Self.json(
        reason: why, code: error.diagnostic.code, obstacles: obstacles, choices: choices, paths),
      status: .no, warnings: warnings)
  }

  /// - Parameter choices: The mapping models that fit, if Core Data's choice is undefined.
  static func json(
    reason: String, code: CoreDataError?, obstacles: [JSONValue] = [], choices: [JSONValue] = [],
    _ paths: [OtherPath] = []
  ) -> JSONValue {
    .object(withoutNull: [
      "outcome": "noPath", "code": code?.rawValue, "reason": reason, "hops": [] as JSONValue,
      "obstacles": obstacles,
      "choices": choices, "otherPaths": paths.map(\.json),
    ])
  }

  /// The losses of a mapping model according to the models.
  private func losses(of name: String, from: String, to: String) -> [Finding] {
    let known = [source, target] + setup.planner.versions
    guard let mapping = setup.planner.mappings.first(where: { $0.name == name }),
      let first = known.first(where: { $0.name == from }),
      let second = known.first(where: { $0.name == to })
    else { return [] }
    return MappingLint(
      [mapping.mapping], named: [name], from: MatchableModel(first.model),
      to: MatchableModel(second.model)
    ).findings.filter(\.isLoss)
  }

  private static func view(of name: String, losing losses: [Finding]) -> View {
    .lines(
      [
        StyledText("  \(name)", .name)
          + StyledText(
            losses.isEmpty ? "  loses nothing according to the models" : "  would lose:")
      ]
        + losses.map {
          StyledText(
            "    \([$0.location.description, $0.message].filter { !$0.isEmpty }.joined(separator: "  "))"
          )
        })
  }
}

extension Finding {
  /// Whether a finding about a mapping model means that something in the source is lost.
  fileprivate var isLoss: Bool {
    if rule is LossRule { return true }
    return switch rule as? MappingRule {
    case .unmappedSource, .leftBehind, .gap, .diverted, .severalForOne: true
    default: false
    }
  }
}
