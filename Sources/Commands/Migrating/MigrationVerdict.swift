internal import StrataBase
internal import StrataMigration
internal import StrataObjectModel
internal import StrataRendering

/// What `migrate` did.
enum MigrationVerdict: String {
  case migrated
  case rehearsed
  /// The store is already at the model, and the new store is a copy.
  case copied
  /// Objects are invalid in the new model, or `--strict` refuses a loss.
  case refused
  case nothingToDo
  /// A rehearsal found no path to the model.
  case noPath

  /// The answer of `migrate`, with the number of lost objects.
  ///
  /// - Parameters:
  ///   - store: The store that is, or would be, at the new model.
  ///   - losses: The losses; `nil` for those of all hops.
  ///   - others: Members that only some answers have.
  func json(
    dryRun: Bool, store: String, hops: [HopResult] = [], losses: Receipt.Losses? = nil,
    _ others: JSONValue.Members = [:]
  ) -> JSONValue {
    let losses = losses ?? hops.losses
    let refused: JSONValue? = hops.last.flatMap {
      $0.isRefused ? LossCounts.json($0.refusedAmounts) : nil
    }
    let members: JSONValue.Members = [
      "outcome": rawValue, "dryRun": dryRun, "hops": hops.map(\.json), "store": store,
      "losses": losses.json, "lost": losses.objects, "refused": refused,
    ]
    return .object(withoutNull: members + others)
  }
}

extension HopResult {
  fileprivate var json: JSONValue {
    let witnessed = isProof ? report.witnessed : nil
    return .object(withoutNull: [
      "from": hop.from.name, "to": hop.to.name, "means": means.rawValue,
      "mapping": hop.mappingName, "entities": report.receipt.objects.map(\.json),
      "untaken": report.unmapped.map(\.json), "isPart": report.isPart ? true : nil,
      "deleted": report.deleted.isEmpty
        ? nil : report.deleted.json { ["entity": $0.entity, "affected": $0.affected.json] },
      "problems": report.problems.map(\.json),
      "properties": report.receipt.properties.map(\.json),
      "strayRows": report.strayRows, "keptStrayRows": report.keptStrayRows,
      "warnings": warnings.json, "extras": report.extras, "statements": report.statements,
      "failure": report.stopsMigration ? CoreDataError.migration.rawValue : nil,
      "compared": witnessed?.compared.sorted(),
      "notCompared": witnessed.map { JSONValue($0.notPredicted) }, "seconds": seconds,
    ])
  }
}

extension Receipt.Losses {
  fileprivate var json: JSONValue {
    [
      "objects": objects, "values": values, "truncated": truncated, "rounded": rounded,
      "links": links, "orders": orders,
    ]
  }
}

extension MethodComparison {
  /// The number of equal objects, or the reason why only one method is possible.
  var json: JSONValue {
    switch self {
    case .same(let count): ["ways": "same", "objects": count]
    case .oneMethod(let why): ["ways": "one", "reason": why]
    }
  }
}

extension LossCounts {
  static func json(_ amounts: [(unit: LossCounts.Unit, count: Int)]) -> JSONValue {
    amounts.json {
      ["category": $0.unit.category.rawValue, "unit": $0.unit.rawValue, "count": $0.count]
    }
  }
}

extension MigrationReport.UnmappedObjects {
  /// Objects that no entity mapping reads: lost, or with --append left to other mapping models.
  fileprivate var json: JSONValue {
    .object(withoutNull: [
      "entity": entity, "objects": count, "firstKey": firstKey, "present": present,
    ])
  }
}

extension MigrationReport.Problem {
  /// The keys of at most the first thousand objects.
  fileprivate var json: JSONValue {
    [
      "entity": entity, "property": property, "reason": reason, "objects": count, "keys": keys,
      "newKeys": newKeys, "stopsMigration": stopsMigration, "fix": fix,
    ]
  }
}

extension [HopResult] {
  /// The losses of all hops.
  var losses: Receipt.Losses { reduce(Receipt.Losses()) { $0 + $1.report.losses } }
}
