internal import Foundation
internal import StrataBase
internal import StrataMigration
internal import StrataObjectModel
internal import StrataRendering
internal import StrataStore

/// Whether a migration in place and one by passes give the same objects: what `migrate --proof` asks before
/// anything happens.
enum RoadProof: Equatable {
  /// Both give the same objects, so many.
  case same(objects: Int)
  /// There is one way only, and why.
  case oneWay(String)

  /// Objects that are named where the two ways differ.
  private static let limit = 5

  /// - Throws: `migration.waysDiffer`, with the first objects that differ, and what either way throws.
  init(
    of path: String, by hops: [MigrationPlan.Hop], after pending: MigrationStage?,
    _ runner: HopRunner
  ) throws {
    guard hops.contains(where: \.mayGoByPasses) else {
      self = .oneWay(
        hops.contains(where: \.isInferred)
          ? "a stage happens in place" : "a mapping model works in passes")
      return
    }
    guard !runner.session.isAtomicStore(path) else {
      self = .oneWay("an XML or binary store is migrated by passes")
      return
    }
    var quiet = runner
    quiet.isHeard = false
    var count = 0
    /// Each hop begins where the one before has ended in place: keys may decide, and passes give new ones.
    var stores: [Place] = []
    for (number, hop) in hops.enumerated() {
      let (pending, before) = (number == 0 ? pending : nil, stores.last?.made)
      let (usual, other) = (try Place(), try Place())
      // The scripts of an interrupted migration run in place.
      let isCompared = hop.mayGoByPasses && pending == nil
      if isCompared {
        other.chain = try quiet.migrate(
          path, by: [hop], in: other.workspace, from: before, byPasses: true)
      }
      usual.chain = try quiet.migrate(
        path, by: [hop], after: pending, in: usual.workspace, from: before)
      guard let made = usual.made, !usual.chain.stops else {
        guard !isCompared || other.chain.stops else {
          throw Self.difference(["in place the migration fails, by passes it does not"])
        }
        self = .oneWay("the migration fails")
        return
      }
      if isCompared {
        guard let byPasses = other.made, !other.chain.stops else {
          throw Self.difference(["by passes the migration fails, in place it does not"])
        }
        count = try Self.sameObjects(
          made, byPasses, hop.to.model, revealing: runner.isRevealing)
      }
      stores.append(usual)
    }
    self = .same(objects: count)
  }

  /// Where a hop makes its store.
  private final class Place {
    let workspace: Workspace
    var chain = HopRunner.Chain()

    init() throws { workspace = try Workspace() }

    var made: String? { chain.made }
  }

  /// - Returns: How many objects two stores have, which are the same.
  static func sameObjects(
    _ made: String, _ other: String, _ model: ObjectModel, revealing isRevealing: Bool = false
  ) throws -> Int {
    let difference = try StoreDifference(
      between: StoreReader(SQLiteStore(reading: made), model: model),
      and: StoreReader(SQLiteStore(reading: other), model: model))
    guard difference.isEmpty else { throw Self.difference(Self.notes(difference, isRevealing)) }
    return difference.entities.reduce(0) { $0 + $1.same }
  }

  private static func difference(_ notes: [String]) -> Diagnostic {
    Diagnostic(
      id: "migration.waysDiffer",
      what:
        "a migration in place and one by passes would give different objects: nothing was migrated",
      fix: "report it with both models; without --proof the store is migrated in the usual way",
      notes: notes)
  }

  private static func notes(_ difference: StoreDifference, _ isRevealing: Bool) -> [String] {
    let all = difference.entities.flatMap { entity in
      entity.changed.map {
        "\(entity.entity) p\($0.first.key): \($0.words(revealing: isRevealing))"
      }
        + entity.onlyInFirst.map { "\(entity.entity) p\($0.key) is made in place only" }
        + entity.onlyInSecond.map { "\(entity.entity) p\($0.key) is made by passes only" }
    }
    return all.prefix(limit) + (all.count > limit ? ["and \(all.count - limit) more"] : [])
  }

  var line: StyledText {
    switch self {
    case .same(let count):
      StyledText("in place and by passes: ", .name)
        + StyledText("the same \(Words.count(count, "object", "objects"))", .good)
    case .oneWay(let reason):
      StyledText("in place and by passes: ", .name)
        + StyledText("not compared, there is one way only: \(reason)")
    }
  }
}

extension MigrationPlan.Hop {
  /// Whether passes could do what happens in place.
  var mayGoByPasses: Bool { isInferred && stage == nil }
}

extension MigrationReport {
  /// What was compared with what the source foretells.
  var proofLines: [StyledText] {
    guard let witnessed else { return [] }
    let all = StyledText(
      "  compared with the source: \(Words.count(witnessed.compared.count, "property", "properties")) in all objects"
    )
    return [all]
      + witnessed.notForetold.sorted { $0.key < $1.key }.map { name, reason in
        StyledText("  \(name)", .name)
          + StyledText("  checked for consistency only: \(reason)", .warning)
      }
  }
}
