internal import StrataBase
internal import StrataEssentials
internal import StrataMigration
internal import StrataObjectModel
internal import StrataRendering
internal import StrataStore

/// The comparison of a migration in place with one in passes, which `migrate --proof` makes before
/// the migration.
enum MethodComparison: Equatable {
  /// Both give equal objects; the associated value is their number.
  case same(objects: Int)
  /// Only one method is possible, with the reason.
  case oneMethod(String)

  /// The maximum number of objects listed if the results differ.
  private static let limit = 5

  /// - Throws: `migration.waysDiffer` with the first objects that differ, and the errors of both migrations.
  init(
    of path: String, by hops: [MigrationPlan.Hop], after pending: MigrationStage?,
    _ runner: HopRunner
  ) throws {
    guard hops.contains(where: \.mayUsePasses) else {
      self = .oneMethod(
        hops.contains(where: \.isInferred)
          ? "a stage is migrated in place" : "a mapping model is run in passes")
      return
    }
    guard !runner.session.isAtomicStore(path) else {
      self = .oneMethod("an XML or binary store is migrated in passes")
      return
    }
    var quiet = runner
    quiet.isObserved = false
    var count = 0
    /// Each hop starts from the result of the previous one in place: results can depend on keys, and passes give new
    /// keys.
    var stores: [HopWorkspace] = []
    for (number, hop) in hops.enumerated() {
      let (pending, before) = (number == 0 ? pending : nil, stores.last?.output)
      let (usual, other) = (try HopWorkspace(), try HopWorkspace())
      // The pending scripts of an interrupted migration run in place.
      let isCompared = hop.mayUsePasses && pending == nil
      if isCompared {
        other.chain = try quiet.migrate(
          path, by: [hop], in: other.workspace, from: before, byPasses: true)
      }
      usual.chain = try quiet.migrate(
        path, by: [hop], after: pending, in: usual.workspace, from: before)
      guard let output = usual.output, !usual.chain.stops else {
        guard !isCompared || other.chain.stops else {
          throw Self.difference(["the migration fails in place but not in passes"])
        }
        self = .oneMethod("the migration fails")
        return
      }
      if isCompared {
        guard let byPasses = other.output, !other.chain.stops else {
          throw Self.difference(["the migration fails in passes but not in place"])
        }
        count = try Self.sameObjects(
          output, byPasses, hop.to.model, revealing: runner.isRevealing)
      }
      stores.append(usual)
    }
    self = .same(objects: count)
  }

  /// The workspace of a hop.
  private final class HopWorkspace {
    let workspace: Workspace
    var chain = HopRunner.Chain()

    init() throws { workspace = try Workspace() }

    var output: String? { chain.output }
  }

  /// - Returns: The number of objects of two stores, if all are equal.
  static func sameObjects(
    _ output: String, _ other: String, _ model: ObjectModel, revealing isRevealing: Bool = false
  ) throws -> Int {
    // Statements keep the keys of objects that do not exist, passes do not copy them.
    let difference = try StoreDifference(
      between: StoreReader(SQLiteStore(reading: output), model: model),
      and: StoreReader(SQLiteStore(reading: other), model: model), ignoringDangling: true)
    guard difference.isEmpty else { throw Self.difference(Self.notes(difference, isRevealing)) }
    return difference.entities.reduce(0) { $0 + $1.same }
  }

  private static func difference(_ notes: [String]) -> Diagnostic {
    Diagnostic(
      id: "migration.waysDiffer",
      what:
        "migrations in place and in passes would give different objects: nothing was migrated",
      fix: "report this with both models; without --proof the store is migrated in place",
      notes: notes)
  }

  private static func notes(_ difference: StoreDifference, _ isRevealing: Bool) -> [String] {
    let all = difference.entities.flatMap { entity in
      entity.changed.map {
        "\(entity.entity) p\($0.first.key): \($0.text(revealing: isRevealing))"
      }
        + entity.onlyInFirst.map { "\(entity.entity) p\($0.key) is created only in place" }
        + entity.onlyInSecond.map { "\(entity.entity) p\($0.key) is created only in passes" }
    }
    return Phrase.first(limit, of: all)
  }

  var line: StyledText {
    switch self {
    case .same(let count):
      StyledText("in place and in passes: ", .name)
        + StyledText(Phrase.count(count, "equal object"), .good)
    case .oneMethod(let reason):
      StyledText("in place and in passes: ", .name)
        + StyledText("not compared: \(reason)")
    }
  }
}

extension MigrationPlan.Hop {
  /// Whether a hop in place could also be done in passes.
  var mayUsePasses: Bool { isInferred && stage == nil }
}

extension MigrationReport {
  /// The properties that were compared with the result expected from the source.
  var proofLines: [StyledText] {
    guard let witnessed else { return [] }
    let all = StyledText(
      "  compared with the source: \(Phrase.count(witnessed.compared.count, "property", "properties")) in all objects"
    )
    return [all]
      + witnessed.notPredicted.sorted { $0.key < $1.key }.map { name, reason in
        StyledText("  \(name)", .name)
          + StyledText("  checked for consistency only: \(reason)", .warning)
      }
  }
}
