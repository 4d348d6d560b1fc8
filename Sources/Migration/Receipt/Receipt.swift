package import StrataBase
internal import StrataMapping

/// The fate of every object and property of a store in one hop: counts and object keys, never values.
///
/// A rehearsal and a migration create equal receipts; `compare --rows` creates one of two stores.
///
/// ```swift
/// for property in report.receipt.properties where property.lost.count > 0 {
///   print(property.sources[0], property.lost.count)  // Topic.presenterName 3
/// }
/// ```
package struct Receipt: Sendable, Hashable {
  /// The entities, in the order of the entity mappings; empty if two stores are compared.
  package var objects: [ObjectFate] = []
  /// Source objects that no entity mapping reads, by entity: they are lost, unless the hop is a part.
  package var unmapped: [MigrationReport.UnmappedObjects] = []
  /// Whether other mapping models migrate the remaining objects, so objects that this one does not read are not
  /// lost.
  package var isPart = false
  /// The properties, sorted by entity and name in the destination or, for lost ones, in the source.
  package var properties: [PropertyFate] = []

  /// An attribute or a relationship of one of the models.
  package typealias Property = PropertyID

  /// A number of objects, and the keys of the first ones.
  package struct Affected: Sendable, Hashable {
    package var count = 0
    package var keys: [Int64] = []

    mutating func add(_ other: Affected) {
      count += other.count
      keys += other.keys.prefix(max(0, Self.keyLimit - keys.count))
    }

    /// Adds one, with the key of its object.
    mutating func add(_ key: Int64) {
      count += 1
      if keys.count < Self.keyLimit { keys.append(key) }
    }

    static let keyLimit = Loss.keyLimit
  }

  /// The fate of some attributes, or of a relationship with its inverse.
  ///
  /// Usually one property continues another. If entities or properties are merged or divided, all related ones
  /// have one fate, since counts cannot distinguish their values.
  package struct PropertyFate: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable {
      case kept, renamed, converted, computed, lost, new
      /// A policy may read it, so its fate is unknown.
      case unknown
    }

    package var kind: Kind
    package var isRelationship = false
    /// The properties of the source model.
    package var sources: [Property]
    /// The properties of the destination model.
    package var destinations: [Property]
    /// The types of the first converted attributes.
    package var conversion: Conversion?
    /// The policy that sets the values.
    package var policy: String?
    /// The number of values before: non-nil attributes, or links; `nil` for a new property.
    package var before: Int?
    /// The number of values after; `nil` for a lost property and before the migration.
    package var after: Int?
    /// The number of truncated values.
    package var truncated = Affected()
    /// The number of rounded values.
    package var rounded = Affected()
    /// The number of values out of range; for a Boolean, of those stored as true.
    package var unfitting = Affected()
    /// The lost values of migrated objects; for a Boolean, also those stored as true. The keys are known if no
    /// entity mapping reads the property.
    package var lost = Affected()
    /// The number of values of lost objects.
    package var inLostObjects = 0
    /// The number of values of objects that other mapping models migrate.
    package var left = 0
    /// The number of values of merged objects.
    package var joined = 0
    /// The number of values of objects that exist twice in one entity.
    package var repeated = 0
    /// The number of values that objects of several entities have of one object, beyond the first.
    package var copied = 0
    /// The number of default values that replace missing values.
    package var filled = 0
    /// The number of values of objects that a policy or a stage creates, in a property that also continues others.
    package var inNewObjects = 0
    /// Whether all objects of the entity are lost.
    package var isLostWithObjects = false
    /// The number of links to objects that do not exist.
    package var dangling = 0
    /// The relationships of the destination model that are no longer ordered: of two ends, each may be one.
    package var unordered: [UnorderedEnd] = []
    /// Whether a stage sets the links, or values that it does not compute from the sources, before or after the
    /// migration.
    package var isSetByStage = false
    /// Whether the choice of lost links depends on an unverified rule.
    package var isChoice = false
    /// For a part: whether other mapping models migrate some of the objects, so lost links are not counted.
    package var isPartial = false

    /// The number of links that the source does not have.
    package var added: Int {
      guard isRelationship, kind == .kept || kind == .renamed, let before, let after else {
        return 0
      }
      return max(0, after - before)
    }

    /// Whether all values are kept under the same name.
    package var isPlain: Bool {
      let counts = [
        joined, repeated, copied, filled, inNewObjects, dangling, inLostObjects, left, added,
      ]
      return kind == .kept && !isLossy && !isPartial && counts.allSatisfy { $0 == 0 }
    }

    package var isLossy: Bool {
      lost.count > 0 || truncated.count > 0 || rounded.count > 0
        || unfitting.count > 0 || !unordered.isEmpty
    }

    /// The first destination or, for a lost property, the first source.
    var sortKey: String { (destinations.first ?? sources.first)?.description ?? "" }
  }

  /// A relationship that is no longer ordered.
  package struct UnorderedEnd: Sendable, Hashable {
    package var relationship: Property
    /// The objects with several destinations.
    package var objects: Affected
  }

  package struct Conversion: Sendable, Hashable {
    package var from: AttributeType
    package var to: AttributeType
  }

  /// The results of an entity mapping for the objects of its source entity.
  package struct ObjectFate: Sendable, Hashable {
    /// The index of the part of the hop, from 0.
    package var part: Int
    package var mapping: String
    package var sourceEntity: String?
    package var destinationEntity: String?
    /// The number of objects that the entity mapping reads.
    package var source: Int
    /// The number of created objects; `nil` before the migration.
    package var created: Int?
    /// The number of source objects that are merged into an existing object.
    package var joined: Int
    /// The number of source objects that another entity mapping migrates.
    package var skipped: Int
    /// The number of source objects that no entity mapping migrates; each is counted once.
    package var lost: Int
    /// The number of source objects from which an earlier entity mapping created an object of the same entity.
    package var repeated = 0
    /// `nil` if no object has a source object.
    package var keys: ObjectKeys?
  }

  /// Whether an object URI, `x-coredata://UUID/Entity/p1`, refers to the same object afterwards.
  package enum ObjectKeys: String, Sendable, Hashable {
    case kept
    case changed
    /// The key is kept, but the URI contains the name of the old entity.
    case entityRenamed
  }
}

extension Receipt {
  /// All losses; values and links of lost entities are not counted again.
  package struct Losses: Sendable, Hashable {
    package var objects = 0
    package var values = 0
    package var truncated = 0
    package var rounded = 0
    package var links = 0
    /// The number of relationships that are no longer ordered.
    package var orders = 0

    package init(
      objects: Int = 0, values: Int = 0, truncated: Int = 0, rounded: Int = 0, links: Int = 0,
      orders: Int = 0
    ) {
      (self.objects, self.values, self.truncated) = (objects, values, truncated)
      (self.rounded, self.links, self.orders) = (rounded, links, orders)
    }

    package var isEmpty: Bool { self == Losses() }

    package static func + (a: Losses, b: Losses) -> Losses {
      Losses(
        objects: a.objects + b.objects, values: a.values + b.values,
        truncated: a.truncated + b.truncated, rounded: a.rounded + b.rounded,
        links: a.links + b.links,
        orders: a.orders + b.orders)
    }
  }

  package var losses: Losses {
    let unread = isPart ? 0 : unmapped.reduce(0) { $0 + $1.count }
    var losses = Losses(objects: objects.reduce(unread) { $0 + $1.lost })
    for fate in properties where !fate.isLostWithObjects {
      losses.truncated += fate.truncated.count
      losses.rounded += fate.rounded.count
      if fate.isRelationship {
        losses.links += fate.lost.count
        losses.orders += fate.unordered.count
      } else {
        losses.values += fate.lost.count
      }
    }
    return losses
  }
}
