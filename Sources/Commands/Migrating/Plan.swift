internal import ArgumentParser
internal import Foundation
internal import StrataDiagnostics
internal import StrataMapping
internal import StrataMigration
internal import StrataObjectModel
internal import StrataRendering
internal import StrataStore
internal import StrataValues

/// `plan STORE|MODEL --to MODEL`
struct Plan: StrataCommand {
  static let configuration = CommandConfiguration(
    commandName: "plan", abstract: "Shows the hops of a migration, how each is done, and why.",
    discussion: """
      By default the path is Core Data's own: a compatible store is opened, another is \
      migrated straight to the target, by the one mapping model that fits, else by inference. Where several \
      fit, Core Data's choice is undefined. Other strategies: \
      lightweight infers, whatever mapping models there are; custom runs the mapping models that \
      --mapping names, in order, into one destination, else those that together lead there; \
      progressive goes through every version in between; \
      hybrid goes by mapping models as their names say (Model1ToModel2, Model4ToModel5-1 for a part), else \
      by their hashes, and by one inferred leap where there are none; staged goes through the stages of a file \
      (`help stages`). Versions have no order in Core Data: names are compared, \
      with numbers by their value. --compare counts for each strategy the hops from here, the different \
      hops that stores of all earlier versions take, which are the paths to test, and those that are new \
      with the target. Where there is no path, the strategies and mapping models of the project that lead \
      there are listed. --from names the version of the store where its hashes alone do not tell it. Where \
      only the version identifiers or other parts without a hash differ, one hop writes those of the target. \
      Exit status 1 means that there is no path, or no defined one.
      """)
  static let effect = CommandEffect.reads
  static let examples = [
    CommandExample(
      "from version to version", "plan sample:Topics/Model2 --to sample:Topics/Model3"),
    CommandExample(
      "what there is to test", "plan sample:Topics/Model1 --to sample:Topics/Model5 --compare"),
    CommandExample(
      "by mapping models where there are some",
      "plan sample:Topics/Model1 --to sample:Topics/Model5 --strategy hybrid"),
  ]

  @Argument(
    help: ArgumentHelp("A store, or the model that it is at.", valueName: "from"),
    completion: .file())
  var source: String
  @Option(
    name: .customLong("to"), help: ArgumentHelp("The model to migrate to.", valueName: "model"),
    completion: .file())
  var target: String
  @Flag(help: "Compare what each strategy leaves to be tested.") var compare = false
  @OptionGroup var strategy: StrategyOptions
  @OptionGroup var output: OutputOptions

  mutating func run(in session: Session) throws -> Outcome {
    let ends = try session.ends(from: source, to: target, named: strategy.from)
    let (source, target) = (ends.source, ends.target)
    let references = [self.source, self.target]
    let setup = try session.planner(
      by: strategy, from: source, to: target, references: references,
      policies: session.policies(for: references, files: []), needsVersions: compare)
    let planner = setup.planner
    guard !compare else {
      let comparison = StrategyComparison(planner, from: source, to: target)
      let unreadable = setup.unreadableVersions.map(\.reason)
      return Outcome(
        comparison.view(from: source, to: target), payload: comparison.payload,
        status: unreadable.isEmpty && comparison.errors.isEmpty ? .done : .failed,
        warnings: ends.notes + setup.problems + unreadable + comparison.warnings)
    }
    let way = strategy.chosen
    if way == .progressive || way == .hybrid, let gap = setup.gap(between: source, and: target) {
      throw gap
    }
    do {
      let plan = ends.completed(try planner.plan(from: source, to: target, by: way))
      if let doubt = setup.doubt(about: plan, by: way) { throw doubt }
      let counted = try session.losses(of: self.source, in: plan)
      let advice = session.mappingAdvice(on: plan, of: planner, by: way, to: target, references)
      return Outcome(
        plan.view(counted: counted), payload: PlanPayload(plan, counted: counted),
        warnings: ends.notes + setup.problems + advice + plan.keyWarnings)
    } catch let error as MigrationError {
      guard error.leavesNoPath else {
        throw session.explained(error, from: source, to: target, planner, references)
      }
      return try PathlessPlan(
        error, from: source, to: target, typed: (self.source, self.target), by: strategy, setup,
        in: session
      ).outcome
    }
  }
}

extension Session {
  /// What a store loses in the first hop of a plan; `nil` where a model was named instead of a store.
  fileprivate func losses(of text: String, in plan: MigrationPlan) throws -> [CountedLoss]? {
    guard case .store(_, let path) = try resolve(text), let hop = plan.hops.first else {
      return nil
    }
    let reader = try StoreReader(
      open(path, among: [hop.from.model]), model: hop.from.model)
    let counted = try hop.losses(in: reader)
    try reader.store.checkUnchanged()
    return counted
  }
}

extension MigrationPlan.Hop {
  /// What programs read of its mapping model.
  var mappingName: String {
    isInferred ? "inferred" : parts.map(\.name).joined(separator: ", ")
  }

  /// The work of one's own that belongs to it, in the order in which it is done.
  var stageSteps: (before: [String], after: [String]) {
    func run(_ scripts: [String]) -> [String] {
      scripts.map { "run \(URL(fileURLWithPath: $0).lastPathComponent)" }
    }
    guard let stage else { return ([], []) }
    return (
      run(stage.will.scripts) + stage.will.changes.map(\.words),
      stage.did.changes.map(\.words) + run(stage.did.scripts)
    )
  }

  func steps(before isBefore: Bool) -> [StyledText] {
    (isBefore ? stageSteps.before : stageSteps.after).map {
      StyledText(isBefore ? "  will: " : "  did: ", .faint) + StyledText($0)
    }
  }

}

extension MigrationPlan {
  /// Why there is nothing to do.
  static let nothingToDo = "the models are compatible"

  /// - Parameter counted: What the store loses in the first hop; `nil` where only its model is known.
  func view(counted: [CountedLoss]?) -> View {
    guard !hops.isEmpty else { return .line(StyledText("nothing to do: \(Self.nothingToDo)")) }
    return .stack(
      hops.enumerated().map { index, hop in
        let warnings = InferenceReport(hop, counted: index == 0 ? counted : nil)
        let heading =
          StyledText("hop \(index + 1) of \(hops.count)  ", .faint)
          + StyledText("\(hop.from.name) -> \(hop.to.name)", .heading)
          + StyledText(
            hop.isInferred
              ? "  inferred mapping model"
              : "  \(hop.parts.count == 1 ? "mapping model" : "mapping models") \(Words.list(hop.parts.map(\.name)))"
          ) + (warnings.findings.caveat.map { StyledText("; but ", .warning) + $0 } ?? "")
        let rows: [[StyledText]] = hop.entityMappings.map {
          [
            StyledText("  \($0.name)", .name), StyledText($0.kind.name),
            StyledText($0.policyName.map { "policy \($0)" } ?? "", .faint),
          ]
        }
        return .stack([
          .line(heading), .line(StyledText("  why: \(hop.reason)", .faint)),
          .lines(hop.steps(before: true)), .table(Table(rows: rows)),
          .lines(hop.steps(before: false)), warnings.view,
        ])
      })
  }
}

/// The JSON shape of `plan`.
struct PlanPayload: Encodable, Sendable {
  struct Hop: Encodable, Sendable {
    var from: String
    var to: String
    var means: MigrationPlan.Means
    var mapping: String
    var reason: String
    var entityMappings: [String]
    /// Whether objects keep their keys.
    var keepsKeys: Bool
    /// Entities that get another name: object URIs contain it.
    var renamedEntities: [String]
    var warnings: [FindingPayload]
    /// What a stage does before and after.
    var will: [String]
    var did: [String]
  }

  /// A mapping model that fits, among several.
  struct Choice: Encodable, Sendable {
    var mapping: String
    /// What it would lose.
    var losses: [FindingPayload]
  }

  enum Outcome: String, Encodable, Sendable {
    case path
    case nothingToDo
    case noPath
  }

  var outcome: Outcome
  /// Why there is no path, or nothing to do.
  var reason: String?
  var hops: [Hop]
  var obstacles: [FindingPayload]
  /// Where several mapping models fit, so that Core Data's choice is undefined.
  var choices: [Choice]
  /// Where there is no path: what else leads there.
  var otherPaths: [OtherPath]

  init(
    _ outcome: Outcome = .noPath, hops: [Hop] = [], obstacles: [FindingPayload] = [],
    choices: [Choice] = [], otherPaths: [OtherPath] = [], reason: String? = nil
  ) {
    (self.outcome, self.reason) = (outcome, reason)
    (self.hops, self.obstacles) = (hops, obstacles)
    (self.choices, self.otherPaths) = (choices, otherPaths)
  }

  /// - Parameter counted: What the store loses in the first hop; `nil` where only its model is known.
  init(_ plan: MigrationPlan, counted: [CountedLoss]?) {
    self.init(
      plan.hops.isEmpty ? .nothingToDo : .path,
      hops: plan.hops.enumerated().map { index, hop in
        Hop(
          from: hop.from.name, to: hop.to.name, means: hop.means, mapping: hop.mappingName,
          reason: hop.reason, entityMappings: hop.entityMappings.map(\.name),
          keepsKeys: hop.means == .inPlace, renamedEntities: hop.renamedEntities,
          warnings: InferenceReport(hop, counted: index == 0 ? counted : nil).payload,
          will: hop.stageSteps.before, did: hop.stageSteps.after)
      }, reason: plan.hops.isEmpty ? MigrationPlan.nothingToDo : nil)
  }
}
