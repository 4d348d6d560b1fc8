/// The answer to "can this migrate by itself?": the inferred mapping model, or every obstacle.
public struct Inference: Sendable, Hashable {
  /// `nil` where there is an obstacle.
  public var mapping: MappingModel?
  public var obstacles: [Obstacle]
  /// Where inference succeeds and the migration may still fail or lose something.
  public var warnings: [Obstacle]

  public var isInferable: Bool { mapping != nil }
}

/// Why something cannot be inferred, or will not go well.
public struct Obstacle: Sendable, Hashable {
  public enum Reason: Sendable, Hashable {
    /// Several elements of the source have the renaming identifier of this one.
    case ambiguousIdentifier(sources: [String])
    case incompatibleTypes(from: String, to: String)
    /// Entities of two hierarchies become one hierarchy.
    case mergedHierarchies(roots: [String])
    /// A required attribute without a default value, new or so far optional.
    case missingDefault
    /// A to-many relationship becomes to-one: all but one object are lost.
    case narrowedCount
    /// A number type that holds less than the one before.
    case narrowedNumber(from: String, to: String)
    /// A property that is let go with its values.
    case lostProperty
    /// An entity that is let go with its objects.
    case lostEntity
    /// Unordered from now on.
    case lostOrder
    /// An entity is removed, and another with like properties added.
    case unmatchedRename(of: String, to: String)
  }

  public var entity: String
  public var property: String?
  public var reason: Reason

  public init(_ reason: Reason, entity: String, property: String? = nil) {
    self.reason = reason
    self.entity = entity
    self.property = property
  }
}
