internal import Foundation
internal import StrataDiagnostics
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
    guard let last = hops.last, hops.contains(where: \.mayGoByPasses) else {
      self = .oneWay(
        hops.contains(where: \.isInferred)
          ? "a stage happens in place" : "a mapping model works in passes")
      return
    }
    guard !runner.session.isXMLStore(path) else {
      self = .oneWay("an XML store is migrated by passes")
      return
    }
    var quiet = runner
    quiet.isHeard = false
    let first = try Workspace()
    let second = try Workspace()
    let inPlace = try quiet.migrate(path, by: hops, after: pending, in: first)
    let byPasses = try quiet.migrate(path, by: hops, after: pending, in: second, byPasses: true)
    guard let made = inPlace.made, let other = byPasses.made, !inPlace.stops, !byPasses.stops else {
      guard inPlace.stops == byPasses.stops else {
        throw Self.difference([
          "\(inPlace.stops ? "in place" : "by passes") the migration fails, "
            + "\(inPlace.stops ? "by passes" : "in place") it does not"
        ])
      }
      self = .oneWay("the migration fails")
      return
    }
    self = .same(objects: try Self.sameObjects(made, other, last.to.model))
  }

  /// - Returns: How many objects two stores have, which are the same.
  static func sameObjects(
    _ made: String, _ other: String, _ model: ObjectModel
  ) throws -> Int {
    let difference = try StoreDifference(
      between: StoreReader(SQLiteStore(reading: made), model: model),
      and: StoreReader(SQLiteStore(reading: other), model: model))
    guard difference.isEmpty else { throw Self.difference(Self.notes(difference)) }
    return difference.entities.reduce(0) { $0 + $1.same }
  }

  private static func difference(_ notes: [String]) -> Diagnostic {
    Diagnostic(
      id: "migration.waysDiffer",
      what:
        "a migration in place and one by passes would give different objects: nothing was migrated",
      mend: "report it with both models; without --proof the store is migrated in the usual way",
      notes: notes)
  }

  private static func notes(_ difference: StoreDifference) -> [String] {
    let all = difference.entities.flatMap { entity in
      entity.changed.map { "\(entity.entity) p\($0.first.key): \($0.words)" }
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
    guard let receipt else { return [] }
    let all = StyledText(
      "  compared with the source: \(Words.count(receipt.compared.count, "property", "properties")) in all objects"
    )
    return [all]
      + receipt.notForetold.sorted { $0.key < $1.key }.map { name, reason in
        StyledText("  \(name)", .name)
          + StyledText("  checked for consistency only: \(reason)", .warning)
      }
  }
}
