internal import StrataBase
internal import StrataExpressions
internal import StrataObjectModel
internal import StrataSQLite
internal import StrataStore

/// A statement of a change.
struct StageStatement {
  /// The index in the change.
  var number: Int
  var verb: PolicyScript.Verb
  /// The key paths of the object from which it computes values.
  var paths: Set<String>
  /// The key paths that later statements of the phase read.
  var laterRead: Set<String>
  /// The copies of later statements of the change.
  var laterCopies: [SkippedCopy]

  /// A copy of a value that is not made if the object is skipped.
  struct SkippedCopy {
    /// Distinguishes it from the statements and other copies of the change.
    var number: Int
    /// The key path of the object with the value.
    var source: String
    /// The attribute of the object that gets it, or ``EntityOrigins/elsewhere``.
    var target: String
    /// Whether the target has the value.
    var isMade: Predicate

    init(_ copy: StageChange.Copy, of source: [String], number: Int) {
      self.number = number
      self.source = source.joined(separator: ".")
      target = copy.entity == nil ? copy.target[0] : EntityOrigins.elsewhere
      let value = Expression.keyPath(of: nil, source)
      isMade = .and([
        .comparison(Comparison(value, .notEqual, .constant(.null))),
        .comparison(Comparison(.keyPath(of: nil, copy.target), .equal, value)),
      ])
    }
  }
}

/// Changes the objects of one entity.
final class StageChanger {
  let entity: String
  private let objects: StoreObjects
  private let shape: StoreRowShape
  /// The arithmetic of expressions on an object.
  let arithmetic: ArithmeticChoice
  private(set) var origins: EntityOrigins
  private(set) var losses = StageLosses()
  private(set) var changed = ChangedObjects()
  private var inserter: ObjectInserter?
  /// The first object with each value, by searched attribute (`Entity.name`).
  private var found: [PropertyID: [AttributeValue: Int64]] = [:]

  init(_ entity: String, _ objects: StoreObjects, _ origins: EntityOrigins) throws {
    guard let shape = objects.shape(of: entity) else { throw StoreError.missingTable(entity) }
    self.entity = entity
    self.origins = origins
    self.objects = objects
    self.shape = shape
    let start = ArithmeticChoice.Start(model: objects.model, entity: entity)
    arithmetic = ArithmeticChoice(object: start, variables: ["source": start])
  }

  func type(of name: String) -> AttributeType? { objects.model.storedType(of: name, in: entity) }

  func object(_ key: Int64) -> BrowsedObject { objects.object(key, of: entity) }

  /// Sets what a `set`, `split` or `join` sets.
  ///
  /// - Returns: Whether it sets anything.
  func assign(
    by statement: StageStatement, _ context: EvaluationContext, _ object: BrowsedObject
  ) throws -> Bool {
    var assignments: [EntityOrigins.Assignment] = []
    try FilePolicy.assign(by: statement.verb, context, arithmetic, typeOf: type) { name, value in
      assignments.append(try set(name, of: object, to: value))
    }
    if !assignments.isEmpty { changed.insert(object.key, of: entity) }
    let lossCounts = origins.set(
      assignments, of: object.key, by: statement.number, from: statement.paths,
      laterReading: statement.laterRead)
    for (assignment, count) in zip(assignments, lossCounts) where count > 0 {
      losses.noteReplaced(count, assignment.attribute, of: entity, object.key)
    }
    return !assignments.isEmpty
  }

  private func set(
    _ name: String, of object: BrowsedObject, to value: AttributeValue
  ) throws -> EntityOrigins.Assignment {
    guard let index = shape.index(of: name), case .attribute(let attribute) = shape.contents[index]
    else {
      throw MigrationError.unknownProperty(
        name, of: entity, near: NearestName.of(name, in: shape.names))
    }
    let stored = stored(value, in: attribute, of: entity, object.key)
    let old = try object.value(at: index)
    try objects.update(object.key, of: entity, index: index, to: stored)
    // A number that is not stored is counted itself.
    return EntityOrigins.Assignment(
      attribute: name, former: old == .null ? .nothing : old == stored ? .same : .another,
      hasValue: value != .null)
  }

  /// Notes which targets of skipped statements have the values already: a stage can be repeated.
  func skip(_ statement: StageStatement, _ context: EvaluationContext, _ key: Int64) throws {
    for copy in statement.laterCopies where try context.holds(copy.isMade) {
      origins.carry([copy.source], of: key, in: copy.target, by: copy.number)
    }
  }

  /// - Parameters:
  ///   - owner: The entity of the attribute.
  ///   - key: The key of the current object; `nil` if the attribute belongs to another one.
  private func stored(
    _ value: AttributeValue, in attribute: Attribute, of owner: String, _ key: Int64?
  ) -> AttributeValue {
    let stored = attribute.stored(value)
    if let loss = stored.loss { losses.note(loss, of: attribute.name, owner, key) }
    return stored.value
  }

  // MARK: Other objects

  /// Links the object to an object that is found by a value or created.
  ///
  /// - Returns: Whether there is such an object.
  func relate(
    _ relationship: String, _ search: PolicyScript.Search, _ context: EvaluationContext,
    _ key: Int64, _ statement: StageStatement
  ) throws -> Bool {
    guard let destination = try destination(search, context) else { return false }
    changed.insert(key, of: entity)
    for object in try writer().link(key, of: entity, by: relationship, to: destination) {
      changed.insert(object.key, of: object.entity)
    }
    origins.carry(statement.paths, of: key, by: statement.number)
    return true
  }

  private func destination(
    _ search: PolicyScript.Search, _ context: EvaluationContext
  ) throws -> Int64? {
    var values: [String: AttributeValue] = [:]
    if let wanted = search.key {
      let value = try value(of: wanted, search.entity, context)
        .finding(in: attribute(wanted.attribute, of: search.entity).type)
      guard value != .null else { return nil }
      if let known = try index(wanted.attribute, of: search.entity)[value.comparable] {
        return known
      }
      guard search.creates else { return nil }
      values[wanted.attribute] = value
    }
    for other in search.values {
      values[other.attribute] = try value(of: other, search.entity, context)
    }
    for (name, value) in values {
      values[name] = stored(
        value, in: try attribute(name, of: search.entity), of: search.entity, nil)
    }
    let created = try writer().insert(search.entity, values)
    changed.insert(created, of: search.entity)
    for (name, value) in values {
      let property = PropertyID(entity: search.entity, name: name)
      if found[property]?[value.comparable] == nil { found[property]?[value.comparable] = created }
    }
    return created
  }

  private func value(
    of assignment: PolicyScript.Assignment, _ other: String, _ context: EvaluationContext
  ) throws -> AttributeValue {
    let attribute = try attribute(assignment.attribute, of: other)
    var context = context
    context.arithmetic = arithmetic.arithmetic(of: assignment.value, givenTo: attribute.type)
    return try FilePolicy.value(of: assignment.value, context)
  }

  private func attribute(_ name: String, of other: String) throws -> Attribute {
    guard let shape = objects.shape(of: other), let index = shape.index(of: name),
      case .attribute(let attribute) = shape.contents[index]
    else {
      throw MigrationError.unknownProperty(
        name, of: other,
        near: NearestName.of(name, in: objects.shape(of: other)?.names ?? []))
    }
    return attribute
  }

  /// The first object of an entity or its subentities with each value of an attribute.
  private func index(
    _ name: String, of other: String
  ) throws -> [AttributeValue: Int64] {
    let property = PropertyID(entity: other, name: name)
    if let known = found[property] { return known }
    var index: [AttributeValue: Int64] = [:]
    for entity in objects.model.familyNames(of: other) {
      for key in try objects.keys(of: entity, where: nil) {
        let value = try objects.object(key, of: entity).attributeValue(name)
        if index[value.comparable] == nil { index[value.comparable] = key }
      }
    }
    found[property] = index
    return index
  }

  private func writer() throws -> ObjectInserter {
    if let inserter { return inserter }
    let created = ObjectInserter(try objects.reader.reread(by: objects.model))
    inserter = created
    return created
  }
}
