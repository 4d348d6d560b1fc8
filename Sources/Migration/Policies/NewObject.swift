package import StrataBase
package import StrataExpressions
internal import StrataObjectModel
internal import StrataStore

/// An object of the new store, which can be changed until the migration ends.
///
/// It is a handle that a policy can keep until the end of the migration.
package struct NewObject: EvaluatedObject {
  /// The concrete entity.
  package let entity: String
  package let key: Int64
  let context: DestinationContext

  package var identity: ObjectIdentity {
    ObjectIdentity(rootEntity: context.model.rootName(of: entity), key: key)
  }

  /// The value of an attribute; null for other names.
  package func attributeValue(_ name: String) throws -> AttributeValue {
    guard context.model.relationship(name, of: entity) == nil else { return .null }
    try context.flush()
    return try context.store.value(of: name, inObject: key, entity: entity)
  }

  /// Sets an attribute, converted to the attribute's type.
  ///
  /// - Throws: ``MigrationError/unknownProperty(_:of:near:)``.
  package func set(_ name: String, to value: AttributeValue) throws {
    try context.set(name, of: self, to: value)
  }

  /// The destination objects of a relationship.
  ///
  /// - Throws: ``MigrationError/unknownProperty(_:of:near:)``.
  package func destinations(_ name: String) throws -> [NewObject] {
    guard let relationship = context.model.relationship(name, of: entity) else {
      throw context.unknown(name, of: entity)
    }
    try context.flush()
    return try context.store.destinations(of: relationship, from: key).compactMap {
      try context.object($0, in: relationship.property.destinationName)
    }
  }

  /// Replaces the destination objects of a relationship, in this order, and updates the inverse.
  ///
  /// - Throws: ``MigrationError/unknownProperty(_:of:near:)``.
  package func relate(_ name: String, to objects: [NewObject]) throws {
    guard let relationship = context.model.relationship(name, of: entity) else {
      throw context.unknown(name, of: entity)
    }
    try context.checkIsOpen()
    try check(objects, for: relationship)
    context.undecided.remove(name, of: entity, key: key)
    try write(relationship, to: objects) {
      try context.store.connect(relationship, of: key, to: objects.map(\.key))
    }
  }

  /// Checks that a relationship leads to the entity of each object: of a wrong one, the key would name another object.
  private func check(_ objects: [NewObject], for relationship: Declared<Relationship>) throws {
    let wanted = relationship.property.destinationName
    let all = context.model.familyNames(of: wanted)
    guard let wrong = objects.first(where: { !all.contains($0.entity) }) else { return }
    let name = "\(entity).\(relationship.property.name)"
    throw Diagnostic(
      id: "policy.wrongEntity",
      what: "the destination of \(name) is \(wanted), not \(wrong.entity)",
      fix: "find or create an object of \(wanted)")
  }

  /// Adds destination objects to a relationship, in this order; a to-one end that is set is not changed.
  ///
  /// - Parameter appending: Whether the objects come behind those that have a place already.
  func link(
    _ relationship: Declared<Relationship>, to objects: [NewObject], appending: Bool
  ) throws {
    try write(relationship, to: objects) {
      try context.store.add(relationship, of: key, to: objects.map(\.key), appending: appending)
    }
  }

  /// Sets a to-one relationship without changing the inverse.
  func linkOwnEnd(
    of relationship: Declared<Relationship>, to object: NewObject
  ) throws {
    try write(relationship, to: [object]) {
      try context.store.set(relationship, of: key, to: object.key)
    }
  }

  private func write(
    _ relationship: Declared<Relationship>, to objects: [NewObject], _ body: () throws -> Void
  ) throws {
    try context.flush()
    guard let details = context.details else { return try body() }
    try details.observe(relationship, of: self, to: objects, body)
  }

  package func value(forKey name: String) throws -> ExpressionValue {
    if let relationship = context.model.relationship(name, of: entity) {
      let objects = try destinations(name)
      guard relationship.property.isToMany else {
        return objects.first.map { .object($0) } ?? .null
      }
      return .collection(
        objects.map { .object($0) }, isOrdered: relationship.property.isOrdered)
    }
    guard context.attribute(name, of: entity) != nil else {
      guard context.hasElements(of: name, of: entity) else {
        throw context.unknown(name, of: entity)
      }
      return .object(CompositeValue(of: self, path: name))
    }
    return .value(try attributeValue(name))
  }
}
