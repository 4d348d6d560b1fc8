package import StrataBase
internal import StrataMapping

/// What becomes of every object and property of a store in one hop: counts and object keys, never values.
///
/// A rehearsal and a migration create the same receipt; `compare --rows` creates one of two stores.
///
/// ```swift
/// run.report.receipt.properties  // Topic.title: renamed from content, 3 values before, 3 after
/// ```
package struct Receipt: Sendable, Hashable {
  /// In the order of the entity mappings; none where two stores are compared.
  package var objects: [ObjectFate] = []
  /// Source objects that no entity mapping reads, by entity: they are lost, but for those of a part.
  package var untaken: [MigrationReport.Untaken] = []
  /// Whether other mapping models create the rest: what this one does not read is not lost.
  package var isPart = false
  /// By entity and name, of the destination where it has the property.
  package var properties: [PropertyFate] = []

  /// An attribute or a relationship of one of the models.
  package typealias Property = PropertyID

  /// A number of objects, and the keys of the first of them.
  package struct Affected: Sendable, Hashable {
    package var count = 0
    package var keys: [Int64] = []

    mutating func add(_ other: Affected) {
      count += other.count
      keys += other.keys.prefix(max(0, Self.keyLimit - keys.count))
    }

    static let keyLimit = Loss.keyLimit
  }

  /// The fate of some attributes, or of a relationship with its inverse.
  ///
  /// Mostly one property continues another one. Where entities or properties are merged or divided, all that
  /// belong together have one fate, since counts cannot tell their values apart.
  package struct PropertyFate: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable, Codable {
      case kept, renamed, converted, computed, lost, new
      /// A policy may read it: what becomes of it is not known.
      case unknown
    }

    package var kind: Kind
    package var isRelationship = false
    /// Of the source model.
    package var sources: [Property]
    /// Of the destination model.
    package var destinations: [Property]
    /// The types of the first attributes that are converted.
    package var conversion: Conversion?
    /// The policy that decides.
    package var policy: String?
    /// Values before: attributes that are not nil, or links; `nil` for what is new.
    package var before: Int?
    /// Values after; `nil` for what is lost, and as long as the migration has not run.
    package var after: Int?
    /// Numbers that lose their fractions.
    package var truncated = Affected()
    /// Numbers that lose digits.
    package var rounded = Affected()
    /// Numbers that do not fit; of a Boolean, those that are stored as true.
    package var unfitting = Affected()
    /// Values that are no longer there although their objects are; of a Boolean, also what is stored as true.
    /// The keys are known where no entity mapping reads the property.
    package var lost = Affected()
    /// Values of objects that are lost.
    package var inLostObjects = 0
    /// Values of objects that are left to other mapping models.
    package var left = 0
    /// Values of objects that were joined with others.
    package var joined = 0
    /// Values of objects that are there twice.
    package var repeated = 0
    /// Default values that objects without a value have now.
    package var filled = 0
    /// Whether the objects of the entity are lost as a whole.
    package var isLostWithObjects = false
    /// Links to objects that do not exist.
    package var dangling = 0
    /// Objects of a relationship that is no longer ordered, with several others.
    package var unordered = Affected()
    /// Whether which links are lost follows from no proven rule.
    package var isChoice = false
    /// Of a part: whether other mapping models have some of the objects, so that lost links are not counted.
    package var isPartial = false

    /// Whether all values go on under the same name.
    package var isPlain: Bool {
      kind == .kept && !isLossy && joined == 0 && repeated == 0 && filled == 0 && dangling == 0
        && inLostObjects == 0 && left == 0 && !isPartial
    }

    package var isLossy: Bool {
      lost.count > 0 || truncated.count > 0 || rounded.count > 0
        || unfitting.count > 0 || unordered.count > 0
    }

    /// The first destination, or the first source of what is lost.
    var sortKey: String { (destinations.first ?? sources.first)?.description ?? "" }
  }

  package struct Conversion: Sendable, Hashable {
    package var from: AttributeType
    package var to: AttributeType
  }

  /// What an entity mapping does with the objects of its source entity.
  package struct ObjectFate: Sendable, Hashable {
    /// The part of the hop, counted from 0.
    package var part: Int
    package var mapping: String
    package var sourceEntity: String?
    package var destinationEntity: String?
    /// Objects that the entity mapping reads.
    package var source: Int
    /// Objects that it creates; `nil` as long as the migration has not run.
    package var created: Int?
    /// Source objects that become part of an object which is there already.
    package var joined: Int
    /// Source objects that it leaves to another entity mapping.
    package var skipped: Int
    /// Source objects that no entity mapping creates anything from; each is counted once.
    package var lost: Int
    /// Source objects from which an earlier entity mapping created an object of the same entity.
    package var repeated = 0
    /// `nil` where no object comes from one of the source.
    package var keys: ObjectKeys?
  }

  /// Whether an object URI, `x-coredata://UUID/Entity/p1`, leads to the same object afterwards.
  package enum ObjectKeys: String, Sendable, Hashable, Codable {
    case kept
    case changed
    /// The key is kept, and the URI has the name of the old entity.
    case entityRenamed
  }
}

extension Receipt {
  /// What is lost, all in all; values and links of entities that are lost as a whole are not counted again.
  package struct Losses: Sendable, Hashable, Encodable {
    package var objects = 0
    package var values = 0
    package var truncated = 0
    package var rounded = 0
    package var links = 0
    /// Relationships that are no longer ordered.
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
    let unread = isPart ? 0 : untaken.reduce(0) { $0 + $1.count }
    var losses = Losses(objects: objects.reduce(unread) { $0 + $1.lost })
    for fate in properties where !fate.isLostWithObjects {
      losses.truncated += fate.truncated.count
      losses.rounded += fate.rounded.count
      if fate.isRelationship {
        losses.links += fate.lost.count
        if fate.unordered.count > 0 { losses.orders += 1 }
      } else {
        losses.values += fate.lost.count
      }
    }
    return losses
  }
}
