package import StrataExpressions
package import StrataObjectModel

/// An entity mapping: how the objects of one entity are migrated to another entity.
package struct EntityMapping: Sendable, Hashable {
  /// The type, with the raw values of `NSEntityMappingType`.
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

  /// The name: `IEM_Transform_Topic`, or one chosen by the author of the mapping model.
  package var name: String
  package var kind: Kind
  package var sourceName: String?
  package var destinationName: String?
  package var sourceHash: VersionHash?
  package var destinationHash: VersionHash?
  /// The predicate that source objects must match, as written by the author; `nil` accepts all.
  package var filter: String?
  /// The source expression, if it is not a fetch with ``filter``.
  package var customSource: Expression?
  /// The class name of its `NSEntityMigrationPolicy`.
  package var policyName: String?
  /// User info for the policy.
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

  /// The effective type, regardless of the recorded one: custom with a policy; copy if both entities have equal
  /// hashes and every property is copied; otherwise transform.
  ///
  /// Source: Apple's documentation of `NSEntityMappingType`. A real compiled mapping model records a copy
  /// between different hashes.
  package var effectiveKind: Kind {
    guard sourceName != nil else { return .add }
    guard destinationName != nil else { return .remove }
    guard policyName == nil, kind != .custom else { return .custom }
    // A text without its models has no hashes.
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

  /// The source expression: `FETCH(…)` of the source entity with the filter; `nil` if there is no source
  /// entity.
  package var sourceExpression: Expression? {
    customSource
      ?? sourceName.map { .sources(of: $0, where: filter ?? EntityMapping.everything) }
  }

  /// The filter that accepts every object, in the form of compiled mapping models.
  static let everything = "TRUEPREDICATE"
}

/// A property mapping: how a property of the destination gets its value.
package struct PropertyMapping: Sendable, Hashable {
  /// The name of the destination property.
  package var name: String
  /// The value expression; `nil` for the default value.
  package var expression: Expression?
  package var userInfo: [UserInfoEntry]

  package init(name: String, expression: Expression?) {
    self.name = name
    self.expression = expression
    userInfo = []
  }
}
