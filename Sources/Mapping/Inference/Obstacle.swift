/// Why something cannot be inferred, or will not go well.
public struct Obstacle: Sendable, Hashable {
  public enum Reason: Sendable, Hashable {
    // MARK: Inference fails
    /// The renaming identifier of this element fits several elements of the source.
    case ambiguousIdentifier(sources: [String])
    /// Other elements of the destination claim the same element of the source.
    case rivalIdentifiers(others: [String], source: String)
    case incompatibleTypes(from: String, to: String)
    /// Entities of two hierarchies become one hierarchy.
    case mergedHierarchies(roots: [String])

    // MARK: The migration may fail
    /// A required attribute without a default value: new, or so far optional.
    case missingDefault(isNew: Bool)
    /// A required relationship: new, or so far optional.
    case missingDestination(isNew: Bool)
    /// Unique from now on, which the data may not be.
    case newConstraint([String])
    /// Objects of the entity itself have no place any more.
    case becameAbstract

    // MARK: Something is lost
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
    /// Kept in memory only, from now on.
    case becameTransient
    /// An attribute whose name a relationship has now, or the other way round.
    case becameRelationship(destination: String)
    case becameAttribute
    /// The relationship leads to an entity that nothing of the old destination becomes.
    case retargeted(from: String, to: String)
    /// An element is removed, and one with like properties added.
    case unmatchedRename(of: String, to: String, score: RenameScore)
    /// An attribute is removed, and several that together look like it are added.
    case unmatchedSplit(of: String, into: [String])

    // MARK: Something is not what it seems
    /// Only its hash modifier has changed: the meaning of values that are copied as they are.
    case copiedUnchanged
    /// So far kept in memory only: every object begins with the default.
    case becamePersistent
    /// Computed from other values, which is not done for rows that are there.
    case notComputed
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

/// How much speaks for a rename that nobody declared.
public struct RenameScore: Sendable, Hashable {
  /// 0 to 1, in hundredths.
  public var value: Double
  /// What speaks for it, in words.
  public var evidence: [String]

  init(_ value: Double, _ evidence: [String]) {
    self.value = (min(1, value) * 100).rounded() / 100
    self.evidence = evidence
  }
}
