internal import StrataMapping
internal import StrataObjectModel
internal import StrataTraceEvents

/// What a migration did, entity mapping by entity mapping.
public struct MigrationReport: Sendable, Hashable {
  public init(_ hop: MigrationPlan.Hop) {
    entities = hop.parts.enumerated().flatMap { part, named in
      named.mapping.entityMappings.map {
        EntityReport(
          part: part, mapping: $0.name, sourceEntity: $0.sourceName,
          destinationEntity: $0.destinationName)
      }
    }
  }

  public struct EntityReport: Sendable, Hashable {
    /// The part of the hop, counted from 0.
    public var part = 0
    public var mapping: String
    public var sourceEntity: String?
    public var destinationEntity: String?
    /// Objects read, made and let go.
    public var source = 0
    public var created = 0
    public var dropped = 0
  }

  /// Something that the destination model does not allow, and how many objects have it.
  public struct Problem: Sendable, Hashable {
    public var entity: String
    /// A property, or the properties of a uniqueness constraint.
    public var property: String
    public var reason: String
    /// Whether Core Data's in-place migration stops at it. Of relationships it looks at none: such an
    /// object migrates, and cannot be saved as it is.
    public var stopsMigration: Bool
    public var count: Int
    /// The keys of such objects: of the first thousand.
    public var keys: [Int64]

    static let keyLimit = 1000
  }

  public var entities: [EntityReport]
  public var problems: [Problem] = []
  /// Rows of an entity number that the source model does not have: no entity mapping takes them.
  public var strayRows = 0
  /// What somebody has added to tables that do not stay, in words: in place only.
  public var strangers: [String] = []
  /// Source objects that no entity mapping takes, by entity: they are not in the new store.
  public var untaken: [Untaken] = []

  public struct Untaken: Sendable, Hashable {
    public var entity: String
    public var count: Int
    /// The key of the first.
    public var firstKey: Int64
  }

  /// Takes a problem in: the same one with the same property of an entity is counted.
  ///
  /// - Returns: The event that tells it; `nil` where so many have it that only their number counts.
  private mutating func note(
    _ entity: String, _ property: String, _ reason: String, stops: Bool, key: Int64
  ) -> TraceEvent.Kind? {
    let known = problems.firstIndex {
      $0.entity == entity && $0.property == property && $0.reason == reason
    }
    if let known {
      problems[known].count += 1
      guard problems[known].keys.count < Problem.keyLimit else { return nil }
      problems[known].keys.append(key)
    } else {
      problems.append(
        Problem(
          entity: entity, property: property, reason: reason, stopsMigration: stops, count: 1,
          keys: [key]))
    }
    return .validationFailed(
      object: TraceObject(entity: entity, key: key), property: property, reason: reason)
  }

  /// Takes in what the new model does not allow of an object, and tells it as an event.
  mutating func note(_ problem: ValidationProblem, stops: Bool) -> TraceEvent.Kind? {
    guard let key = problem.key else { return nil }
    return note(
      problem.entity, problem.property, "\(problem.reason) (\(problem.code))", stops: stops,
      key: key)
  }

  /// The same of an object that has the values of another one.
  mutating func noteDuplicate(
    _ entity: String, _ constraint: [String], key: Int64
  ) -> TraceEvent.Kind? {
    note(
      entity, constraint.joined(separator: ", "), "is not unique (134111)", stops: true, key: key)
  }

  public var stopsMigration: Bool { problems.contains(where: \.stopsMigration) }

  /// Source objects that nothing was made of.
  public var dropped: Int { entities.reduce(0) { $0 + $1.dropped } }
}
