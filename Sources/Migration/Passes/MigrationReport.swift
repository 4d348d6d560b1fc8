package import StrataBase
internal import StrataMapping
internal import StrataObjectModel

/// The results of a migration, by entity mapping.
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

  /// The receipt for all objects and properties; complete at the end of the hop.
  package internal(set) var receipt = Receipt()

  /// The properties compared by the witness; `nil` before the comparison.
  package internal(set) var witnessed: WitnessedProperties?

  package struct EntityReport: Sendable, Hashable {
    /// The index of the part of the hop, from 0.
    package var part = 0
    package var mapping: String
    package var sourceEntity: String?
    package var destinationEntity: String?
    /// The numbers of read, created and dropped objects.
    package var source = 0
    package var created = 0
    package var dropped = 0
    /// The number of source objects that were merged into an existing object.
    package var joined = 0
    /// The number of dropped objects that another entity mapping migrated or counts as lost.
    package var skipped = 0
    /// The number of dropped objects that no entity mapping migrated.
    package var lost = 0
    /// The number of source objects from which an earlier entity mapping created an object of the same entity,
    /// so they exist twice.
    package var repeated = 0
    /// Whether objects keep their keys; `nil` if none has a source object.
    package var keepsKeys: Bool?
  }

  /// A validation error in the destination model, and the number of objects.
  package struct Problem: Sendable, Hashable {
    package var entity: String
    /// A property, or the properties of a uniqueness constraint.
    package var property: String
    package var reason: String
    /// Whether Core Data's in-place migration fails because of it. It does not check relationships: such an
    /// object is migrated but cannot be saved.
    package var stopsMigration: Bool
    /// Whether the objects violate a uniqueness constraint.
    package var isOfConstraint = false
    /// The policy that could have set another value.
    package var policy: String?
    /// The stage whose statements have changed the objects, and the version that does not allow it.
    var stage: Stage?
    /// What the broken rule advises; `nil` for a missing value that stops the migration.
    var advice: String?
    package var count: Int
    /// The source keys of the first 1,000 objects, since the new store does not exist if the migration fails.
    package var keys: [Int64]
    /// The keys of objects without a source object.
    package var newKeys: [Int64] = []

    struct Stage: Sendable, Hashable {
      /// Whether `will` has changed them, or `did`.
      var isBefore: Bool
      var version: String
      var isOldVersion = false
    }

    static let keyLimit = 1000

    /// What to do about it.
    package var fix: String {
      if let stage {
        return "`\(stage.isBefore ? "will" : "did")` saves these objects: "
          + "set values that \(stage.version) allows, or leave the objects unchanged"
      }
      if let policy { return "set it for these objects in the policy \(policy)" }
      guard !isOfConstraint else {
        return
          "make the values unique before the migration or in a mapping model, or remove the constraint"
      }
      return advice
        ?? "give it a default value, or make it optional; with a mapping model, set its value"
    }
  }

  package var entities: [EntityReport]
  package var problems: [Problem] = []
  /// The number of statements of an in-place migration; `nil` for passes.
  package var statements: Int?
  /// The number of rows with an unknown entity number, which are lost.
  package var strayRows = 0
  /// The number of such rows in kept tables, which are kept.
  package var keptStrayRows = 0
  /// The number of decimals of a document that were rounded as they were read.
  package var roundedAsRead = 0
  /// Messages about lost tables, columns, views, indexes and triggers of the app's own.
  package var extras: [String] = []
  /// Numbers that are out of range for their new types, or lose fractions or digits.
  package var numbers: [NumberLoss] = []
  /// Values of removed attributes that a stage should copy but did not.
  package var uncopied: [Finding] = []
  /// The values that a stage replaces, by the attribute that continues theirs.
  var replaced: [Receipt.Property: Receipt.Affected] = [:]
  /// The values that one of several entity mappings of their entity reads, but none of those that read their object.
  var dropped: [Receipt.Property: Receipt.Affected] = [:]
  /// The number of values from which others are computed, where other entity mappings copy the attribute.
  var moved: [Receipt.Property: Int] = [:]
  /// The results for the links of each source relationship with links.
  package var links: [LinkReport] = []
  /// Source objects that no entity mapping reads, by entity; they are not in the new store.
  package var unmapped: [UnmappedObjects] = []
  /// The objects that scripts of the stage have deleted.
  package var deleted: [DeletedObjects] = []
  /// Whether other mapping models migrate the remaining objects, so objects that this one does not read are not
  /// lost.
  package var isPart = false
  /// The values of the objects that entity mappings read, by entity and attribute, if they do not read all.
  var mappedValues: [String: [String: Receipt.Affected]] = [:]

  package struct UnmappedObjects: Sendable, Hashable {
    package var entity: String
    package var count: Int
    /// The key of the first object.
    package var firstKey: Int64
    /// For a part: the number of objects of the entity in the destination before; `nil` if it has no such
    /// entity.
    package var present: Int?
  }

  package struct DeletedObjects: Sendable, Hashable {
    package var entity: String
    package var affected: Receipt.Affected

    /// - Parameter keys: The keys of the objects; at least one.
    package init(_ entity: String, _ keys: [Int64]) {
      self.entity = entity
      affected = Receipt.Affected(
        count: keys.count, keys: Array(keys.prefix(Receipt.Affected.keyLimit)))
    }
  }

  /// Adds a problem; equal problems of one property are counted together.
  ///
  /// - Returns: The event for it; none if the limit of events is exceeded.
  private mutating func note(
    _ entity: String, _ property: String, _ reason: String, stops: Bool,
    isOfConstraint: Bool = false, policy: String? = nil, stage: Problem.Stage? = nil,
    advice: String? = nil, key: Int64, from source: @autoclosure () throws -> Int64?
  ) rethrows -> [TraceEvent.Kind] {
    let known = problems.firstIndex {
      $0.entity == entity && $0.property == property && $0.reason == reason
    }
    let index = known ?? problems.count
    if known == nil {
      problems.append(
        Problem(
          entity: entity, property: property, reason: reason, stopsMigration: stops,
          isOfConstraint: isOfConstraint, policy: policy, stage: stage, advice: advice,
          count: 0, keys: []))
    }
    problems[index].count += 1
    guard problems[index].count <= Problem.keyLimit else { return [] }
    if let source = try source() {
      problems[index].keys.append(source)
    } else {
      problems[index].newKeys.append(key)
    }
    return [
      .validationFailed(
        object: ObjectRef(entity: entity, key: key), property: property, reason: reason)
    ]
  }

  /// Adds a validation error of an object and returns the event for it.
  ///
  /// - Parameters:
  ///   - source: The key of the source object; `nil` if there is none.
  ///   - policy: The policy that could have set the value.
  mutating func note(
    _ problem: Finding, from source: @autoclosure () throws -> Int64?, stops: Bool,
    policy: String? = nil
  ) rethrows -> [TraceEvent.Kind] {
    guard let key = problem.location.object else { return [] }
    return try note(
      problem.entity, problem.property ?? "",
      problem.message + (policy.map { ", and the policy \($0) gives no value" } ?? ""),
      stops: stops,
      isOfConstraint: problem.validationRule.map { if case .notUnique = $0 { true } else { false } }
        ?? false,
      policy: policy,
      advice: stops && problem.validationRule == .missing ? nil : problem.fixes.first?.text,
      key: key, from: source())
  }

  /// Adds a validation error of an object that statements of a stage have changed.
  mutating func note(_ problem: Finding, of stage: Problem.Stage) -> [TraceEvent.Kind] {
    guard let key = problem.location.object else { return [] }
    return note(
      problem.entity, problem.property ?? "",
      problem.message + (stage.isOldVersion ? " for \(stage.version)" : ""), stops: true,
      stage: stage,
      key: key, from: key)
  }

  /// Adds a property that a policy should have set.
  mutating func noteUndecided(
    _ entity: String, _ property: String, _ reason: String, by policy: String, key: Int64,
    from source: Int64?
  ) -> [TraceEvent.Kind] {
    note(
      entity, property, "\(reason); the policy \(policy) sets no other value", stops: true,
      policy: policy, key: key, from: source)
  }

  /// Adds an object that violates a uniqueness constraint.
  ///
  /// - Parameter inAllRows: Whether rows of other entities have a value too.
  mutating func noteDuplicate(
    _ entity: String, _ constraint: [String], inAllRows: Bool = false, key: Int64,
    from source: @autoclosure () throws -> Int64?
  ) rethrows -> [TraceEvent.Kind] {
    try note(
      entity, constraint.joined(separator: ", "),
      (inAllRows ? "gets its default in all rows of the table, and so " : "")
        + "is not unique (\(CoreDataError.migrationConstraintViolation))", stops: true,
      isOfConstraint: true, key: key, from: source())
  }

  /// Counts numbers that lose data; those of one attribute, source entity and kind are counted together.
  mutating func note(_ loss: NumberLoss) {
    guard loss.affected.count > 0 else { return }
    let known = numbers.firstIndex {
      $0.attribute == loss.attribute && $0.sourceEntity == loss.sourceEntity && $0.rule == loss.rule
    }
    if let known {
      numbers[known].affected.add(loss.affected)
    } else {
      numbers.append(loss)
      numbers.sort { $0.sortKey < $1.sortKey }
    }
  }

  /// Discounts a number that another value replaces.
  mutating func retract(_ rule: LossRule, of attribute: PropertyID, from source: ObjectRef?) {
    let known = numbers.firstIndex {
      $0.attribute == attribute && $0.sourceEntity == source?.entity && $0.rule == rule
    }
    guard let known else { return }
    numbers[known].affected.count -= 1
    numbers[known].affected.keys.removeAll { $0 == source?.key }
    if numbers[known].affected.count == 0 { numbers.remove(at: known) }
  }

  package var stopsMigration: Bool { problems.contains(where: \.stopsMigration) }

  /// Whether the objects that stop the migration are invalid in the old model, in which a stage saves them.
  package var stopsInOldModel: Bool { problems.contains { $0.stage?.isOldVersion == true } }

  /// The number of source objects that were not migrated, those that scripts have deleted included.
  package var lost: Int {
    entities.reduce(0) { $0 + $1.lost } + (isPart ? 0 : unmapped.reduce(0) { $0 + $1.count })
      + deletedCount
  }

  private var deletedCount: Int { deleted.reduce(0) { $0 + $1.affected.count } }

  /// Records that all objects get other keys after the hop: the ids of a document, or new keys in a store that grows.
  package mutating func noteNewKeys() {
    for index in entities.indices where entities[index].keepsKeys != nil {
      entities[index].keepsKeys = false
    }
    for index in receipt.objects.indices where receipt.objects[index].keys != nil {
      receipt.objects[index].keys = .changed
    }
  }

  /// All losses: those of the receipt, rows of unknown entities, objects that scripts have deleted, and digits that were
  /// lost before.
  package var losses: Receipt.Losses {
    receipt.losses + Receipt.Losses(objects: strayRows + deletedCount, rounded: roundedAsRead)
  }
}
