public import StrataBase
internal import StrataMapping

/// What becomes of every object and property of a store in one hop: counts and object keys, never values.
///
/// A rehearsal and a migration create the same receipt; `compare --rows` creates one of two stores.
///
/// ```swift
/// run.report.receipt.properties  // Topic.title: renamed from content, 3 values before, 3 after
/// ```
public struct Receipt: Sendable, Hashable {
  /// In the order of the entity mappings; none where two stores are compared.
  public var objects: [ObjectFate] = []
  /// Source objects that no entity mapping reads, by entity: they are lost, but for those of a part.
  public var untaken: [MigrationReport.Untaken] = []
  /// Whether other mapping models create the rest: what this one does not read is not lost.
  public var isPart = false
  /// By entity and name, of the destination where it has the property.
  public var properties: [PropertyFate] = []

  /// An attribute or a relationship of one of the models.
  public typealias Property = PropertyID

  /// A number of objects, and the keys of the first of them.
  public struct Affected: Sendable, Hashable {
    public var count = 0
    public var keys: [Int64] = []

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
  public struct PropertyFate: Sendable, Hashable {
    public enum Kind: String, Sendable, Hashable, Codable {
      case kept, renamed, converted, computed, lost, new
      /// A policy may read it: what becomes of it is not known.
      case unknown
    }

    public var kind: Kind
    public var isRelationship = false
    /// Of the source model.
    public var sources: [Property]
    /// Of the destination model.
    public var destinations: [Property]
    /// The types of the first attributes that are converted.
    public var conversion: Conversion?
    /// The policy that decides.
    public var policy: String?
    /// Values before: attributes that are not nil, or links; `nil` for what is new.
    public var before: Int?
    /// Values after; `nil` for what is lost, and as long as the migration has not run.
    public var after: Int?
    /// Numbers that lose their fractions.
    public var truncated = Affected()
    /// Numbers that lose digits.
    public var rounded = Affected()
    /// Numbers that do not fit; of a Boolean, those that are stored as true.
    public var unfitting = Affected()
    /// Values that are no longer there although their objects are; of a Boolean, also what is stored as true.
    /// The keys are known where no entity mapping reads the property.
    public var lost = Affected()
    /// Values of objects that are lost.
    public var inLostObjects = 0
    /// Values of objects that are left to other mapping models.
    public var left = 0
    /// Values of objects that were joined with others.
    public var joined = 0
    /// Values of objects that are there twice.
    public var repeated = 0
    /// Default values that objects without a value have now.
    public var filled = 0
    /// Whether the objects of the entity are lost as a whole.
    public var isLostWithObjects = false
    /// Links to objects that do not exist.
    public var dangling = 0
    /// Objects of a relationship that is no longer ordered, with several others.
    public var unordered = Affected()
    /// Whether which links are lost follows from no proven rule.
    public var isChoice = false
    /// Of a part: whether other mapping models have some of the objects, so that lost links are not counted.
    public var isPartial = false

    /// Whether all values go on under the same name.
    public var isPlain: Bool {
      kind == .kept && !isLossy && joined == 0 && repeated == 0 && filled == 0 && dangling == 0
        && inLostObjects == 0 && left == 0 && !isPartial
    }

    public var isLossy: Bool {
      lost.count > 0 || truncated.count > 0 || rounded.count > 0
        || unfitting.count > 0 || unordered.count > 0
    }

    /// The first destination, or the first source of what is lost.
    var sortKey: String { (destinations.first ?? sources.first)?.description ?? "" }
  }

  public struct Conversion: Sendable, Hashable {
    public var from: AttributeType
    public var to: AttributeType
  }

  /// What an entity mapping does with the objects of its source entity.
  public struct ObjectFate: Sendable, Hashable {
    /// The part of the hop, counted from 0.
    public var part: Int
    public var mapping: String
    public var sourceEntity: String?
    public var destinationEntity: String?
    /// Objects that the entity mapping reads.
    public var source: Int
    /// Objects that it creates; `nil` as long as the migration has not run.
    public var created: Int?
    /// Source objects that become part of an object which is there already.
    public var joined: Int
    /// Source objects that it leaves to another entity mapping.
    public var skipped: Int
    /// Source objects that no entity mapping creates anything from; each is counted once.
    public var lost: Int
    /// Source objects from which an earlier entity mapping created an object of the same entity.
    public var repeated = 0
    /// `nil` where no object comes from one of the source.
    public var keys: ObjectKeys?
  }

  /// Whether an object URI, `x-coredata://UUID/Entity/p1`, leads to the same object afterwards.
  public enum ObjectKeys: String, Sendable, Hashable, Codable {
    case kept
    case changed
    /// The key is kept, and the URI has the name of the old entity.
    case entityRenamed
  }
}

extension Receipt {
  /// What is lost, all in all; values and links of entities that are lost as a whole are not counted again.
  public struct Losses: Sendable, Hashable, Encodable {
    public var objects = 0
    public var values = 0
    public var truncated = 0
    public var rounded = 0
    public var links = 0
    /// Relationships that are no longer ordered.
    public var orders = 0

    public init(
      objects: Int = 0, values: Int = 0, truncated: Int = 0, rounded: Int = 0, links: Int = 0,
      orders: Int = 0
    ) {
      (self.objects, self.values, self.truncated) = (objects, values, truncated)
      (self.rounded, self.links, self.orders) = (rounded, links, orders)
    }

    public var isEmpty: Bool { self == Losses() }

    public static func + (a: Losses, b: Losses) -> Losses {
      Losses(
        objects: a.objects + b.objects, values: a.values + b.values,
        truncated: a.truncated + b.truncated, rounded: a.rounded + b.rounded,
        links: a.links + b.links,
        orders: a.orders + b.orders)
    }
  }

  public var losses: Losses {
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
