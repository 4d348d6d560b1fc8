internal import StrataMigration
internal import StrataObjectModel
internal import StrataRendering

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
    /// In the new store, of the objects that come from none of the source.
    var newKeys: [Int64]
    var stopsMigration: Bool
  }

  struct Untaken: Encodable, Sendable {
    var entity: String
    var objects: Int
    var firstKey: Int64
  }

  /// A relationship of the source with its inverse, some of whose links end with the migration.
  struct Link: Encodable, Sendable {
    var relationship: String
    /// Links of which both objects exist.
    var links: Int
    var lost: Int
    /// Links to objects that do not exist: not copied.
    var dangling: Int
    /// Whether which links are lost follows from no proven rule.
    var unproven: Bool
  }

  struct Loss: Encodable, Sendable {
    enum Kind: String, Encodable, Sendable {
      case letGo, cut, outside, narrowed, unordered
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
        case .unordered: .unordered
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
    /// Numbers that do not fit or are truncated, values of removed attributes, and links of narrowed
    /// relationships or their order.
    var losses: [Loss]
    /// Relationships that lose links.
    var links: [Link]
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
      untaken = report.untaken.map {
        Untaken(entity: $0.entity, objects: $0.count, firstKey: $0.firstKey)
      }
      entities = report.entities.map {
        Entity(mapping: $0.mapping, source: $0.source, created: $0.created, dropped: $0.dropped)
      }
      problems = report.problems.map {
        Problem(
          entity: $0.entity, property: $0.property, reason: $0.reason, objects: $0.count,
          keys: $0.keys, newKeys: $0.newKeys, stopsMigration: $0.stopsMigration)
      }
      losses = (report.numbers + result.losses).map { Loss($0) }
      links = report.links.filter { $0.lost > 0 || $0.dangling > 0 }.map {
        Link(
          relationship: $0.relationship, links: $0.count, lost: $0.lost, dangling: $0.dangling,
          unproven: $0.lost > 0 && $0.isChoice)
      }
      strayRows = report.strayRows
      keptStrayRows = report.keptStrayRows
      warnings = result.warnings.payload
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
    /// The store is at the model already, and the new one is a copy.
    case copied
    /// The new model does not allow what is in the store.
    case refused
    case nothingToDo
  }

  var outcome: Outcome
  var dryRun: Bool
  var hops: [Hop]
  /// The store that is, or would be, at the new model.
  var store: String
  /// The name under which the old store is kept, or would be by a migration in place.
  var aside: String?
  /// Objects that are let go, in all hops.
  var lost = 0
  /// With --proof.
  var proof: Proof?
  /// By entity, the store as it would be beside the store as it is: in a rehearsal.
  var afterwards: [String: RowComparisonPayload.Entity]?
}
