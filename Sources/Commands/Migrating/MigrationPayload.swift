internal import StrataMigration
internal import StrataObjectModel

/// The JSON shape of `migrate`.
struct MigrationPayload: Encodable, Sendable {
  struct Entity: Encodable, Sendable {
    var mapping: String
    var source: Int
    var created: Int
    var dropped: Int
  }

  struct Problem: Encodable, Sendable {
    var entity: String
    var property: String
    var reason: String
    var objects: Int
    /// Of the first thousand.
    var keys: [Int64]
    var stopsMigration: Bool
  }

  struct Untaken: Encodable, Sendable {
    var entity: String
    var objects: Int
  }

  struct Loss: Encodable, Sendable {
    enum Kind: String, Encodable, Sendable {
      case letGo, cut, outside, narrowed
    }

    var entity: String
    var property: String
    var kind: Kind
    var objects: Int
    /// Of the first.
    var keys: [Int64]

    init(_ loss: ValueLoss) {
      entity = loss.entity
      property = loss.property
      kind =
        switch loss.kind {
        case .letGo: .letGo
        case .cut: .cut
        case .outside: .outside
        case .narrowed: .narrowed
        }
      objects = loss.count
      keys = loss.samples.map(\.key)
    }
  }

  struct Hop: Encodable, Sendable {
    var from: String
    var to: String
    var means: MigrationPlan.Means
    var mapping: String
    var entities: [Entity]
    /// Objects that no entity mapping takes.
    var untaken: [Untaken]
    /// What the destination model does not allow.
    var problems: [Problem]
    /// Values that it would let go or cut: in a rehearsal.
    var losses: [Loss]
    /// What an app keeps in the store besides its objects and the migration cannot keep.
    var extras: [String]
    /// How many statements it takes in place.
    var statements: Int?
    /// 134110 where the migration would fail.
    var failure: Int?
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
      untaken = report.untaken.map { Untaken(entity: $0.entity, objects: $0.count) }
      entities = report.entities.map {
        Entity(mapping: $0.mapping, source: $0.source, created: $0.created, dropped: $0.dropped)
      }
      problems = report.problems.map {
        Problem(
          entity: $0.entity, property: $0.property, reason: $0.reason, objects: $0.count,
          keys: $0.keys, stopsMigration: $0.stopsMigration)
      }
      losses = result.losses.map { Loss($0) }
      extras = report.extras
      statements = report.statements
      failure = report.stopsMigration ? 134110 : nil
      if result.isProof, let receipt = report.receipt {
        compared = receipt.compared.sorted()
        notCompared = receipt.notForetold
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
    /// The new model does not allow what is in the store.
    case refused
    case nothingToDo
  }

  var outcome: Outcome
  var dryRun: Bool
  var hops: [Hop]
  /// The store that is, or would be, at the new model.
  var store: String
  /// The name under which the old store is kept.
  var aside: String?
  /// Objects that are let go, in all hops.
  var lost = 0
  /// With --proof.
  var proof: Proof?
  /// By entity, the store as it would be beside the store as it is: in a rehearsal.
  var afterwards: [String: RowComparisonPayload.Entity]?
}
