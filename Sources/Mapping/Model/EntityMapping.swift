package import StrataExpressions
package import StrataObjectModel

/// How the objects of one entity become those of another.
package struct EntityMapping: Sendable, Hashable {
  /// Numbered as `NSEntityMappingType` is.
  package enum Kind: Int, Sendable, Hashable, CaseIterable {
    case undefined = 0
    case custom = 1
    case add = 2
    case remove = 3
    case copy = 4
    case transform = 5

    package var name: String {
      switch self {
      case .undefined: "undefined"
      case .custom: "custom"
      case .add: "add"
      case .remove: "remove"
      case .copy: "copy"
      case .transform: "transform"
      }
    }
  }

  /// `IEM_Transform_Topic`, or what the mapping model's author called it.
  package var name: String
  package var kind: Kind
  package var sourceName: String?
  package var destinationName: String?
  package var sourceHash: VersionHash?
  package var destinationHash: VersionHash?
  /// The predicate that source objects must fit, as its author wrote it; `nil` takes all.
  package var filter: String?
  /// The source objects to work through, where the mapping model fetches them in another way than by
  /// ``filter``.
  package var customSource: Expression?
  /// The class of its `NSEntityMigrationPolicy`.
  package var policyName: String?
  /// What the author left for the policy.
  package var userInfo: [UserInfoEntry]
  package var attributeMappings: [PropertyMapping]
  package var relationshipMappings: [PropertyMapping]

  package init(
    name: String, kind: Kind, sourceName: String? = nil, destinationName: String? = nil,
    sourceHash: VersionHash? = nil, destinationHash: VersionHash? = nil,
    attributeMappings: [PropertyMapping] = [], relationshipMappings: [PropertyMapping] = []
  ) {
    self.name = name
    self.kind = kind
    self.sourceName = sourceName
    self.destinationName = destinationName
    self.sourceHash = sourceHash
    self.destinationHash = destinationHash
    userInfo = []
    self.attributeMappings = attributeMappings
    self.relationshipMappings = relationshipMappings
  }

  /// What it does, whatever type its file records: an entity mapping with a policy is custom; one copies where both
  /// entities are the same by their hashes and every property is taken as it is, and transforms otherwise.
  ///
  /// Source: Apple's documentation of `NSEntityMappingType`. A compiled mapping model of the corpus records a copy
  /// between different hashes.
  package var effectiveKind: Kind {
    guard sourceName != nil else { return .add }
    guard destinationName != nil else { return .remove }
    guard policyName == nil, kind != .custom else { return .custom }
    // A text without its models tells no hashes.
    guard sourceHash != nil || destinationHash != nil else { return kind }
    let isCopy =
      sourceName == destinationName && sourceHash == destinationHash
      && attributeMappings.allSatisfy { $0.expression == .sourceValue([$0.name]) }
      && relationshipMappings.allSatisfy { mapping in
        mapping.expression.flatMap { RelationshipSource($0) }?.sources
          == .sourceValue([mapping.name])
      }
    return isCopy ? .copy : .transform
  }

  /// What a migration works through: `FETCH(…)` of the source entity with the filter; `nil` where there
  /// is no source.
  package var sourceExpression: Expression? {
    customSource
      ?? sourceName.map { .sources(of: $0, where: filter ?? EntityMapping.everything) }
  }

  /// The filter that lets every object through, as compiled mapping models write it.
  static let everything = "TRUEPREDICATE"
}

/// How one property of the destination gets its value.
package struct PropertyMapping: Sendable, Hashable {
  /// The destination's property.
  package var name: String
  /// `nil` leaves the default value.
  package var expression: Expression?
  package var userInfo: [UserInfoEntry]

  package init(name: String, expression: Expression?) {
    self.name = name
    self.expression = expression
    userInfo = []
  }
}
