internal import StrataBase
internal import StrataMigration
internal import StrataObjectModel
internal import StrataRendering

/// The JSON shape of `migrate`.
struct MigrationPayload: Encodable, Sendable {
  struct Hop: Encodable, Sendable {
    let properties: [Receipt.PropertyFate]
    let problems: [MigrationReport.Problem]
    private let json: JSONValue

    init(_ result: HopResult) {
      let (hop, report) = (result.hop, result.report)
      let witnessed = result.isProof ? report.witnessed : nil
      (properties, problems) = (report.receipt.properties, report.problems)
      json = .object(withoutNull: [
        "from": hop.from.name, "to": hop.to.name, "means": result.means.rawValue,
        "mapping": hop.mappingName, "entities": report.receipt.objects.map(\.json),
        "untaken": report.unmapped.map(\.json), "isPart": report.isPart ? true : nil,
        "problems": problems.map(\.json), "properties": properties.map(\.json),
        "strayRows": report.strayRows, "keptStrayRows": report.keptStrayRows,
        "warnings": result.warnings.json, "extras": report.extras,
        "statements": report.statements,
        "failure": report.stopsMigration ? CoreDataError.migration.rawValue : nil,
        "compared": witnessed?.compared.sorted(),
        "notCompared": witnessed.map { JSONValue($0.notPredicted) }, "seconds": result.seconds,
      ])
    }

    func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
  }

  enum Outcome: String, Encodable, Sendable {
    case migrated
    case rehearsed
    /// The store is already at the model, and the new store is a copy.
    case copied
    /// Objects are invalid in the new model, or `--strict` refuses a loss.
    case refused
    case nothingToDo
    /// A rehearsal found no path to the model.
    case noPath
  }

  var outcome: Outcome
  var dryRun: Bool
  var hops: [Hop]
  /// The store that is, or would be, at the new model.
  var store: String
  /// The reason why there is no path.
  var reason: String?
  /// The name of the kept old store, also in a rehearsal.
  var aside: String?
  /// The losses of all hops; `lost` is the number of lost objects.
  var losses: Receipt.Losses
  var lost: Int
  /// What an XML store does not contain of a store that is copied into it; omitted if there is nothing.
  var leftOut: [String]?
  /// The refused losses; `nil` if `--strict` refuses nothing.
  var refused: JSONValue?
  /// With --proof: the result of comparing a migration in place with one in passes.
  var proof: JSONValue?

  init(
    outcome: Outcome, dryRun: Bool, results: [HopResult] = [], store: String, reason: String? = nil,
    aside: String? = nil, proof: MethodComparison? = nil
  ) {
    (self.outcome, self.dryRun, self.store) = (outcome, dryRun, store)
    (self.reason, self.aside) = (reason, aside)
    hops = results.map(Hop.init)
    losses = results.losses
    lost = losses.objects
    refused = results.last.flatMap { $0.isRefused ? LossCounts.json($0.refusedAmounts) : nil }
    self.proof = proof?.json
  }

  /// A store that is at the model already, and is or would be copied.
  init(copying store: String, dryRun: Bool, _ conversion: ConversionLosses) {
    self.init(outcome: .copied, dryRun: dryRun, store: store)
    (lost, losses.objects) = (conversion.rowCount, conversion.rowCount)
    leftOut = conversion.notes.isEmpty ? nil : conversion.notes
  }
}

extension MethodComparison {
  /// The number of equal objects, or the reason why only one method is possible.
  fileprivate var json: JSONValue {
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
      "newKeys": newKeys, "stopsMigration": stopsMigration,
    ]
  }
}

extension [HopResult] {
  /// The losses of all hops.
  var losses: Receipt.Losses { reduce(Receipt.Losses()) { $0 + $1.report.losses } }
}
