package import StrataBase
internal import StrataMapping
internal import StrataObjectModel

/// What a migration did, entity mapping by entity mapping.
package struct MigrationReport: Sendable, Hashable {
  package init(_ hop: MigrationPlan.Hop) {
    entities = hop.parts.enumerated().flatMap { part, named in
      named.mapping.entityMappings.map {
        EntityReport(
          part: part, mapping: $0.name, sourceEntity: $0.sourceName,
          destinationEntity: $0.destinationName)
      }
    }
  }

  /// What becomes of every object and property; complete when the hop has ended.
  package internal(set) var receipt = Receipt()

  /// What the second witness has compared; `nil` before it has.
  package internal(set) var witnessed: WitnessedProperties?

  package struct EntityReport: Sendable, Hashable {
    /// The part of the hop, counted from 0.
    package var part = 0
    package var mapping: String
    package var sourceEntity: String?
    package var destinationEntity: String?
    /// Objects read, made and let go.
    package var source = 0
    package var created = 0
    package var dropped = 0
    /// Source objects that became part of an object which was there already.
    package var joined = 0
    /// Of the dropped ones: another entity mapping created something from them, or counts them as lost.
    package var skipped = 0
    /// Of the dropped ones: no entity mapping created anything from them.
    package var lost = 0
    /// Source objects from which an earlier entity mapping created an object of the same entity: they are there
    /// twice.
    package var repeated = 0
    /// Whether objects have the keys that they had; `nil` where none comes from the source.
    package var keepsKeys: Bool?
  }

  /// Something that the destination model does not allow, and how many objects have it.
  package struct Problem: Sendable, Hashable {
    package var entity: String
    /// A property, or the properties of a uniqueness constraint.
    package var property: String
    package var reason: String
    /// Whether Core Data's in-place migration stops at it. Of relationships it looks at none: such an
    /// object migrates, and cannot be saved as it is.
    package var stopsMigration: Bool
    package var count: Int
    /// The keys that such objects have in the source, of the first thousand: the new store is not there
    /// when somebody looks for them.
    package var keys: [Int64]
    /// The keys of those that come from no source object.
    package var newKeys: [Int64] = []

    static let keyLimit = 1000
  }

  package var entities: [EntityReport]
  package var problems: [Problem] = []
  /// How many statements a migration in place takes; `nil` for passes.
  package var statements: Int?
  /// Rows of an entity number that the source model does not have, which no entity mapping takes: lost.
  package var strayRows = 0
  /// Such rows of tables that stay: they stay with them.
  package var keptStrayRows = 0
  /// What an app keeps in the store besides its objects and the migration cannot keep, a sentence for each.
  package var extras: [String] = []
  /// Numbers that have no room in their new types, or lose their fractions: by entity of the source and
  /// property of the destination.
  package var numbers: [Finding] = []
  /// Values of removed attributes that a stage was to copy, and that are copied nowhere.
  package var uncopied: [Finding] = []
  /// By attribute of the source model, the objects whose number from a stage does not fit: nothing is stored.
  var unstored: [Receipt.Property: Set<Int64>] = [:]
  /// What became of the links of each source relationship that had some.
  package var links: [LinkReport] = []
  /// Source objects that no entity mapping takes, by entity: they are not in the new store.
  package var untaken: [Untaken] = []
  /// Whether other mapping models create the rest: what this one does not read is not lost.
  package var isPart = false
  /// Of a part: how many values the objects that it takes have, by entity and attribute, where it does not take all.
  var takenValues: [String: [String: Int]] = [:]

  package struct Untaken: Sendable, Hashable {
    package var entity: String
    package var count: Int
    /// The key of the first.
    package var firstKey: Int64
    /// Of a part: objects of the entity that the destination had before; `nil` where it has no such entity.
    package var present: Int?
  }

  /// Takes a problem in: the same one with the same property of an entity is counted.
  ///
  /// - Returns: The event that tells it; `nil` where so many have it that only their number counts.
  private mutating func note(
    _ entity: String, _ property: String, _ reason: String, stops: Bool, key: Int64,
    from source: @autoclosure () throws -> Int64?
  ) rethrows -> TraceEvent.Kind? {
    let known = problems.firstIndex {
      $0.entity == entity && $0.property == property && $0.reason == reason
    }
    let place = known ?? problems.count
    if known == nil {
      problems.append(
        Problem(
          entity: entity, property: property, reason: reason, stopsMigration: stops, count: 0,
          keys: []))
    }
    problems[place].count += 1
    guard problems[place].count <= Problem.keyLimit else { return nil }
    if let source = try source() {
      problems[place].keys.append(source)
    } else {
      problems[place].newKeys.append(key)
    }
    return .validationFailed(
      object: ObjectRef(entity: entity, key: key), property: property, reason: reason)
  }

  /// Takes in what the new model does not allow of an object, and tells it as an event.
  ///
  /// - Parameters:
  ///   - source: The key that the object has in the source; `nil` where it comes from none.
  ///   - policy: The policy that could have given the value.
  mutating func note(
    _ problem: Finding, from source: @autoclosure () throws -> Int64?, stops: Bool,
    policy: String? = nil
  ) rethrows -> TraceEvent.Kind? {
    guard let key = problem.place.object else { return nil }
    return try note(
      problem.entity, problem.property ?? "",
      problem.message + (policy.map { ", which the policy \($0) does not set" } ?? ""),
      stops: stops,
      key: key, from: source())
  }

  /// Takes in a property of an object that a policy was to decide.
  mutating func noteUndecided(
    _ entity: String, _ property: String, _ reason: String, by policy: String, key: Int64,
    from source: Int64?
  ) -> TraceEvent.Kind? {
    note(
      entity, property, "\(reason); the policy \(policy) sets no other value", stops: true,
      key: key,
      from: source)
  }

  /// The same of an object that has the values of another one.
  mutating func noteDuplicate(
    _ entity: String, _ constraint: [String], key: Int64,
    from source: @autoclosure () throws -> Int64?
  ) rethrows -> TraceEvent.Kind? {
    try note(
      entity, constraint.joined(separator: ", "),
      "is not unique (\(CoreDataError.migrationConstraintViolation))", stops: true, key: key,
      from: source())
  }

  /// Counts a number that loses something.
  ///
  /// - Parameter key: That of the source object; `nil` where it comes from none.
  mutating func noteNumber(
    _ entity: String, _ property: String, _ kind: LossRule, key: Int64?
  ) {
    noteNumbers(entity, property, kind, count: 1, keys: key.map { [$0] } ?? [])
  }

  mutating func noteNumbers(
    _ entity: String, _ property: String, _ kind: LossRule, count: Int, keys: [Int64]
  ) {
    guard count > 0 else { return }
    let place =
      numbers.firstIndex {
        $0.entity == entity && $0.property == property && $0.lossRule == kind
      } ?? numbers.count
    if place == numbers.count {
      numbers.append(
        Finding(kind, entity: entity, property: property, count: 0, keys: []))
    }
    numbers[place].evidence.count = (numbers[place].evidence.count ?? 0) + count
    let room = Loss.keyLimit - numbers[place].evidence.keys.count
    numbers[place].evidence.keys += keys.prefix(max(room, 0))
    numbers.sort { $0.lossSortKey < $1.lossSortKey }
  }

  package var stopsMigration: Bool { problems.contains(where: \.stopsMigration) }

  /// Source objects that nothing was created from.
  package var lost: Int {
    entities.reduce(0) { $0 + $1.lost } + (isPart ? 0 : untaken.reduce(0) { $0 + $1.count })
  }

  /// What is lost, all in all: by the receipt, and rows of no entity, which no entity mapping takes.
  package var losses: Receipt.Losses {
    receipt.losses + Receipt.Losses(objects: strayRows)
  }
}
