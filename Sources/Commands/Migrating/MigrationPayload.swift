internal import StrataBase
internal import StrataMigration
internal import StrataObjectModel
internal import StrataRendering

/// The JSON shape of `migrate`.
struct MigrationPayload: Encodable, Sendable {
  struct Entity: Encodable, Sendable {
    var mapping: String
    var source: Int
    /// Nothing where the migration is refused.
    var created: Int?
    var joined: Int
    var skipped: Int
    var lost: Int
    /// Source objects from which an earlier entity mapping created an object of the same entity; nothing for 0.
    var createdTwice: Int?
    /// Whether object URIs lead to the same objects; nothing where no object comes from the source.
    var keys: Receipt.ObjectKeys?
  }

  struct Problem: Encodable, Sendable {
    var entity: String
    var property: String
    var reason: String
    var objects: Int
    /// Of the first thousand.
    var keys: [Int64]
    /// In the new store, of the objects that come from none of the source.
    var newKeys: [Int64]
    var stopsMigration: Bool
  }

  struct Untaken: Encodable, Sendable {
    var entity: String
    var objects: Int
    var firstKey: Int64
    /// Of --append: objects of the entity that the destination had before.
    var present: Int?
  }

  struct Hop: Encodable, Sendable {
    var from: String
    var to: String
    var means: MigrationPlan.Means
    var mapping: String
    var entities: [Entity]
    /// Objects that no entity mapping takes: they are lost, but with --append left to other mapping models.
    var untaken: [Untaken]
    /// Whether that is so; nothing where they are lost.
    var isPart: Bool?
    /// What the destination model does not allow.
    var problems: [Problem]
    /// What becomes of every attribute and relationship.
    var properties: [PropertyFatePayload]
    /// Rows of an entity number that the source model does not have: they are not copied.
    var strayRows: Int
    /// Such rows that stay in their tables.
    var keptStrayRows: Int
    /// What the models say will be lost or may not be meant.
    var warnings: [FindingPayload]
    /// What an app keeps in the store besides its objects and the migration cannot keep.
    var extras: [String]
    /// How many statements it takes in place.
    var statements: Int?
    /// `nil` where the migration would not fail.
    var failure: CoreDataError?
    /// What was compared in all objects, and what could not be, with the reason: with --proof.
    var compared: [String]?
    var notCompared: [String: String]?
    /// Only where the session has a clock: recorded sessions repeat to the byte.
    var seconds: Double?

    init(_ result: HopResult) {
      let (hop, report) = (result.hop, result.report)
      means = result.means
      from = hop.from.name
      to = hop.to.name
      mapping = hop.mappingName
      untaken = report.untaken.map {
        Untaken(
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
        notCompared = witnessed.notForetold
      }
      seconds = result.seconds
    }
  }

  /// Whether a migration in place and one by passes give the same objects.
  struct Proof: Encodable, Sendable {
    enum Ways: String, Encodable, Sendable {
      case same, one
    }

    var ways: Ways
    /// Objects that are the same.
    var objects: Int?
    /// Why there is one way only.
    var reason: String?

    init(_ proof: RoadProof) {
      switch proof {
      case .same(let count): (ways, objects) = (.same, count)
      case .oneWay(let why): (ways, reason) = (.one, why)
      }
    }
  }

  enum Outcome: String, Encodable, Sendable {
    case migrated
    case rehearsed
    /// The store is at the model already, and the new one is a copy.
    case copied
    /// The new model does not allow what is in the store, or --strict what is lost.
    case refused
    case nothingToDo
    /// A rehearsal has found no path to the model.
    case noPath
  }

  /// An amount that --strict refuses to lose.
  struct Refused: Encodable, Sendable {
    var category: String
    var unit: String
    var count: Int
  }

  var outcome: Outcome
  var dryRun: Bool
  var hops: [Hop]
  /// The store that is, or would be, at the new model.
  var store: String
  /// Why there is no path.
  var reason: String?
  /// The name under which the old store is kept, or would be.
  var aside: String?
  /// What is lost, in all hops; `lost` are its objects.
  var losses: Receipt.Losses
  var lost: Int
  /// What --strict refuses; `nil` where it does not.
  var refused: [Refused]?
  /// With --proof.
  var proof: Proof?

  init(
    outcome: Outcome, dryRun: Bool, results: [HopResult] = [], store: String, reason: String? = nil,
    aside: String? = nil, proof: RoadProof? = nil
  ) {
    (self.outcome, self.dryRun, self.store) = (outcome, dryRun, store)
    (self.reason, self.aside) = (reason, aside)
    hops = results.map(Hop.init)
    losses = results.losses
    lost = losses.objects
    refused = results.last.flatMap { result in
      result.isRefused
        ? result.refusedAmounts.map {
          Refused(category: $0.unit.category.rawValue, unit: $0.unit.rawValue, count: $0.count)
        } : nil
    }
    self.proof = proof.map { Proof($0) }
  }
}

extension [HopResult] {
  /// What is lost in all hops.
  var losses: Receipt.Losses { reduce(Receipt.Losses()) { $0 + $1.report.losses } }
}
