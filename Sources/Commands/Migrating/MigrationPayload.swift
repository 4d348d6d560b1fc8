internal import StrataBase
internal import StrataMigration
internal import StrataObjectModel
internal import StrataRendering

/// The JSON shape of `migrate`.
struct MigrationPayload: Encodable, Sendable {
  struct Entity: Encodable, Sendable {
    var mapping: String
    var source: Int
    /// `nil` if the migration is refused.
    var created: Int?
    var joined: Int
    var skipped: Int
    var lost: Int
    /// The number of source objects from which an earlier entity mapping created an object of the same entity;
    /// omitted if 0.
    var createdTwice: Int?
    /// Whether object URIs are kept, changed or renamed; omitted if no object comes from the source.
    var keys: Receipt.ObjectKeys?
  }

  struct Problem: Encodable, Sendable {
    var entity: String
    var property: String
    var reason: String
    var objects: Int
    /// The keys of at most the first thousand objects.
    var keys: [Int64]
    /// The keys in the new store of objects that have no source object.
    var newKeys: [Int64]
    var stopsMigration: Bool
  }

  struct UnmappedObjects: Encodable, Sendable {
    var entity: String
    var objects: Int
    var firstKey: Int64
    /// With --append: the number of objects of the entity that the destination had before.
    var present: Int?
  }

  struct Hop: Encodable, Sendable {
    var from: String
    var to: String
    var means: MigrationPlan.Means
    var mapping: String
    var entities: [Entity]
    /// The objects that no entity mapping reads: lost, or with --append left to other mapping models.
    var unmapped: [UnmappedObjects]
    /// Whether they are left to other mapping models; omitted if they are lost.
    var isPart: Bool?
    /// The validation errors of the destination model.
    var problems: [Problem]
    /// The change of every attribute and relationship.
    var properties: [PropertyFatePayload]
    /// The number of rows with an entity number that is not in the source model: they are not copied.
    var strayRows: Int
    /// The number of such rows that stay in their tables.
    var keptStrayRows: Int
    /// The warnings that follow from the models.
    var warnings: [FindingPayload]
    /// The content of the store outside its objects that the migration cannot keep.
    var extras: [String]
    /// The number of statements in place.
    var statements: Int?
    /// `nil` if the migration would not fail.
    var failure: CoreDataError?
    /// With --proof: the properties that were compared in all objects, and the others with the reason.
    var compared: [String]?
    var notCompared: [String: String]?
    /// Only if the session has a clock: recorded sessions are reproducible byte for byte.
    var seconds: Double?

    enum CodingKeys: String, CodingKey {
      case from, to, means, mapping, entities
      case unmapped = "untaken"
      case isPart, problems, properties, strayRows, keptStrayRows, warnings, extras, statements
      case failure, compared, notCompared, seconds
    }

    init(_ result: HopResult) {
      let (hop, report) = (result.hop, result.report)
      means = result.means
      from = hop.from.name
      to = hop.to.name
      mapping = hop.mappingName
      unmapped = report.unmapped.map {
        UnmappedObjects(
          entity: $0.entity, objects: $0.count, firstKey: $0.firstKey, present: $0.present)
      }
      isPart = report.isPart ? true : nil
      entities = report.receipt.objects.map {
        Entity(
          mapping: $0.mapping, source: $0.source, created: $0.created, joined: $0.joined,
          skipped: $0.skipped, lost: $0.lost,
          createdTwice: $0.repeated == 0 ? nil : $0.repeated, keys: $0.keys)
      }
      properties = report.receipt.properties.map { PropertyFatePayload($0) }
      problems = report.problems.map {
        Problem(
          entity: $0.entity, property: $0.property, reason: $0.reason, objects: $0.count,
          keys: $0.keys, newKeys: $0.newKeys, stopsMigration: $0.stopsMigration)
      }
      strayRows = report.strayRows
      keptStrayRows = report.keptStrayRows
      warnings = result.warnings.payload
      extras = report.extras
      statements = report.statements
      failure = report.stopsMigration ? .migration : nil
      if result.isProof, let witnessed = report.witnessed {
        compared = witnessed.compared.sorted()
        notCompared = witnessed.notPredicted
      }
      seconds = result.seconds
    }
  }

  /// The result of comparing a migration in place with one in passes.
  struct Proof: Encodable, Sendable {
    enum Methods: String, Encodable, Sendable {
      case same, one
    }

    var methods: Methods
    /// The number of equal objects.
    var objects: Int?
    /// The reason why only one method is possible.
    var reason: String?

    enum CodingKeys: String, CodingKey {
      case methods = "ways"
      case objects, reason
    }

    init(_ proof: MethodComparison) {
      switch proof {
      case .same(let count): (methods, objects) = (.same, count)
      case .oneMethod(let why): (methods, reason) = (.one, why)
      }
    }
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

  /// A number of losses that `--strict` refuses.
  struct Refused: Encodable, Sendable {
    var category: String
    var unit: String
    var count: Int

    init(_ amount: (unit: LossCounts.Unit, count: Int)) {
      (category, unit) = (amount.unit.category.rawValue, amount.unit.rawValue)
      count = amount.count
    }
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
  var refused: [Refused]?
  /// With --proof.
  var proof: Proof?

  init(
    outcome: Outcome, dryRun: Bool, results: [HopResult] = [], store: String, reason: String? = nil,
    aside: String? = nil, proof: MethodComparison? = nil
  ) {
    (self.outcome, self.dryRun, self.store) = (outcome, dryRun, store)
    (self.reason, self.aside) = (reason, aside)
    hops = results.map(Hop.init)
    losses = results.losses
    lost = losses.objects
    refused = results.last.flatMap { $0.isRefused ? $0.refusedAmounts.map(Refused.init) : nil }
    self.proof = proof.map { Proof($0) }
  }

  /// A store that is at the model already, and is or would be copied.
  init(copying store: String, dryRun: Bool, _ conversion: ConversionLosses) {
    self.init(outcome: .copied, dryRun: dryRun, store: store)
    (lost, losses.objects) = (conversion.rowCount, conversion.rowCount)
    leftOut = conversion.notes.isEmpty ? nil : conversion.notes
  }
}

extension [HopResult] {
  /// The losses of all hops.
  var losses: Receipt.Losses { reduce(Receipt.Losses()) { $0 + $1.report.losses } }
}
