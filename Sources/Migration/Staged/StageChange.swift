internal import StrataBase
internal import StrataExpressions
internal import StrataObjectModel
internal import StrataSQLite
internal import StrataStore

/// A change of a stage to the objects of an entity and its subentities, before or after the migration: policy
/// file statements, applied to existing objects.
package struct StageChange: Sendable, Hashable {
  package let entity: String
  let verbs: [PolicyScript.Verb]
  /// The text in the stages file.
  package let text: String

  /// The statements allowed in a stage, for messages.
  static let verbs =
    "set, set … = create, set … = find or create, split, join, skip when, require"

  /// - Returns: `nil` for statements that create other objects from the source objects.
  init?(entity: String, verbs: [PolicyScript.Verb], text: String) {
    let isPossible = verbs.allSatisfy { verb in
      switch verb {
      case .set, .split, .join, .skip, .require, .relate: true
      case .oneDestination, .keepFirst, .make, .delete: false
      }
    }
    guard isPossible else { return nil }
    self.entity = entity
    self.verbs = verbs
    self.text = text
  }

  /// The attributes that are set.
  var attributes: Set<String> {
    verbs.reduce(into: []) { names, verb in
      switch verb {
      case .set(let name, _), .join(_, _, let name): names.insert(name)
      case .split(_, _, let parts): names.formUnion(parts)
      default: break
      }
    }
  }

  /// Changes the objects in the current transaction.
  ///
  /// - Parameters:
  ///   - origins: The origins of the values, which the change updates.
  ///   - read: The key paths that the later changes of the phase read.
  /// - Returns: The number of changed objects, and what they lose.
  /// - Throws: ``MigrationError/unknownEntity(_:near:)``, ``MigrationError/unknownProperty(_:of:near:)``,
  ///   errors of expressions, and ``Diagnostic`` if a requirement is not met.
  func perform(
    on reader: consuming StoreReader, _ origins: inout StageOrigins, laterReading read: Set<String>
  ) throws -> (count: Int, losses: StageLosses) {
    let model = reader.model
    guard model[entity] != nil else {
      throw MigrationError.unknownEntity(
        entity, near: NearestName.of(entity, in: model.entityNames))
    }
    let objects = StoreObjects(reader)
    var failures = FailedRequirements()
    var count = 0
    var losses = StageLosses()
    let statements = statements(laterReading: read)
    for name in [entity] + model.descendantNames(of: entity) {
      let changer = try StageChanger(name, objects, origins.take(name))
      for key in try objects.keys(of: name, where: nil) {
        try Interruption.check()
        if try change(key, changer, statements, &failures) { count += 1 }
      }
      origins[name] = changer.origins
      losses.add(changer.losses)
    }
    try failures.check()
    return (count, losses)
  }

  /// The statements, with what the later ones read.
  private func statements(laterReading read: Set<String>) -> [StageStatement] {
    var statements: [StageStatement] = []
    var read = read
    for (number, verb) in verbs.enumerated().reversed() {
      let paths = verb.paths
      statements.append(StageStatement(number: number, verb: verb, paths: paths, laterRead: read))
      read.formUnion(paths)
    }
    return statements.reversed()
  }

  private func change(
    _ key: Int64, _ changer: StageChanger, _ statements: [StageStatement],
    _ failures: inout FailedRequirements
  ) throws -> Bool {
    var hasChanged = false
    for statement in statements {
      let verb = statement.verb
      let object = changer.object(key)
      var context = EvaluationContext(object: object, variables: ["source": .object(object)])
      switch verb {
      case .skip(let condition):
        context.arithmetic = changer.arithmetic.arithmetic(of: condition)
        if try context.holds(condition) { return hasChanged }
      case .set, .split, .join:
        try FilePolicy.assign(by: verb, context, changer.arithmetic, typeOf: changer.type) {
          name, value in
          try changer.set(name, of: object, to: value, by: statement)
          hasChanged = true
        }
      case .require(let condition, let message):
        context.arithmetic = changer.arithmetic.arithmetic(of: condition)
        if try !context.holds(condition) {
          try failures.add("\(changer.entity)/p\(key)", message, context)
        }
      case .relate(let relationship, let search):
        hasChanged = try changer.relate(relationship, search, context, key, statement) || hasChanged
      case .oneDestination, .keepFirst, .make, .delete: continue
      }
    }
    return hasChanged
  }
}

extension Sequence<StageChange> {
  /// The key paths of their objects that the changes read.
  var paths: Set<String> { Set(flatMap(\.verbs).flatMap(\.paths)) }
}

extension PolicyScript.Verb {
  /// The key paths of the object from which a statement of a stage computes values.
  fileprivate var paths: Set<String> { pathsOfObject(orOf: "source") }
}

/// A statement of a change.
private struct StageStatement {
  /// The index in the change.
  var number: Int
  var verb: PolicyScript.Verb
  /// The key paths of the object from which it computes values.
  var paths: Set<String>
  /// The key paths that later statements of the phase read.
  var laterRead: Set<String>
}

/// Changes the objects of one entity.
private final class StageChanger {
  let entity: String
  private let objects: StoreObjects
  private let shape: StoreRowShape
  /// The arithmetic of expressions on an object.
  let arithmetic: ArithmeticChoice
  private(set) var origins: EntityOrigins
  private(set) var losses = StageLosses()
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

  func set(
    _ name: String, of object: BrowsedObject, to value: AttributeValue, by statement: StageStatement
  ) throws {
    guard let index = shape.index(of: name), case .attribute(let attribute) = shape.contents[index]
    else {
      throw MigrationError.unknownProperty(
        name, of: entity, near: NearestName.of(name, in: shape.names))
    }
    let stored = stored(value, in: attribute, of: entity, object.key)
    let old = try object.value(at: index)
    // A number that is not stored is counted itself.
    let lossCount = origins.set(
      name, of: object.key, former: old == .null ? .nothing : old == stored ? .same : .another,
      by: statement.number, from: value == .null ? [] : statement.paths,
      laterReading: statement.laterRead)
    if lossCount > 0 { losses.noteReplaced(lossCount, name, of: entity, object.key) }
    try objects.update(object.key, of: entity, index: index, to: stored)
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
    guard objects.model.relationship(relationship, of: entity) != nil else {
      let names = objects.model.allRelationships(of: entity).map(\.property.name)
      throw MigrationError.unknownProperty(
        relationship, of: entity, near: NearestName.of(relationship, in: names))
    }
    guard let destination = try destination(search, context, key) else { return false }
    try writer().link(key, of: entity, by: relationship, to: destination)
    origins.carry(statement.paths, of: key, by: statement.number)
    return true
  }

  private func destination(
    _ search: PolicyScript.Search, _ context: EvaluationContext, _ key: Int64
  ) throws -> Int64? {
    var values: [String: AttributeValue] = [:]
    if let wanted = search.key {
      let value = try self.value(of: wanted, search.entity, context, key)
      guard value != .null else { return nil }
      if let known = try index(wanted.attribute, of: search.entity)[value] { return known }
      guard search.creates else { return nil }
      values[wanted.attribute] = value
    }
    for other in search.values {
      values[other.attribute] = try value(of: other, search.entity, context, key)
    }
    let created = try writer().insert(search.entity, values)
    for (name, value) in values {
      found[PropertyID(entity: search.entity, name: name)]?[value] = created
    }
    return created
  }

  private func value(
    of assignment: PolicyScript.Assignment, _ other: String, _ context: EvaluationContext,
    _ key: Int64
  ) throws -> AttributeValue {
    let attribute = try attribute(assignment.attribute, of: other)
    var context = context
    context.arithmetic = arithmetic.arithmetic(of: assignment.value, givenTo: attribute.type)
    let value = try FilePolicy.value(of: assignment.value, context)
    return stored(value, in: attribute, of: other, nil)
  }

  private func attribute(_ name: String, of other: String) throws -> Attribute {
    guard objects.model[other] != nil else {
      throw MigrationError.unknownEntity(
        other, near: NearestName.of(other, in: objects.model.entityNames))
    }
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
    for entity in [other] + objects.model.descendantNames(of: other) {
      for key in try objects.keys(of: entity, where: nil) {
        let value = try objects.object(key, of: entity).attributeValue(name)
        if index[value] == nil { index[value] = key }
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
