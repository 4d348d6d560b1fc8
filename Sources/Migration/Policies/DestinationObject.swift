public import StrataBase
public import StrataExpressions
internal import StrataObjectModel
public import StrataStore

/// An object of the new store, which a policy may change until the migration ends.
///
/// It is no more than a name for the object: two with the same key are the same, and a policy may keep
/// it as long as the migration lasts.
public struct DestinationObject: EvaluatedObject {
  /// The concrete entity.
  public let entity: String
  public let key: Int64
  unowned let context: DestinationContext

  init(entity: String, key: Int64, context: DestinationContext) {
    self.entity = entity
    self.key = key
    self.context = context
  }

  public var identity: ObjectIdentity {
    ObjectIdentity(rootEntity: context.model.rootName(of: entity), key: key)
  }

  /// The value of an attribute; nothing for other names.
  public func attributeValue(_ name: String) throws -> AttributeValue {
    guard context.model.relationship(name, of: entity) == nil else { return .null }
    try context.flush()
    return try context.store.value(of: name, inObject: key, entity: entity)
  }

  /// The text of an attribute, where it has one.
  public func text(_ name: String) throws -> String? {
    if case .text(let text) = try attributeValue(name) { text } else { nil }
  }

  /// Gives an attribute a value, as the attribute's type stores it.
  ///
  /// - Throws: ``MigrationError/unknownProperty(_:of:near:)``.
  public func set(_ name: String, to value: AttributeValue) throws {
    try context.set(name, of: self, to: value)
  }

  /// The objects that a relationship leads to.
  ///
  /// - Throws: ``MigrationError/unknownProperty(_:of:near:)``.
  public func destinations(_ name: String) throws -> [DestinationObject] {
    guard let relationship = context.model.relationship(name, of: entity) else {
      throw context.unknown(name, of: entity)
    }
    try context.flush()
    return try context.store.destinations(of: relationship, from: key).compactMap {
      try context.object($0, in: relationship.property.destinationName)
    }
  }

  /// Whether a relationship may lead to an object of that entity.
  func mayRelate(_ name: String, to object: DestinationObject) -> Bool {
    guard
      let wanted = context.model.relationship(name, of: entity)?.property.destinationName
    else { return true }
    return object.entity == wanted
      || context.model.ancestorNames(of: object.entity).contains(wanted)
  }

  /// Points a relationship at objects, in this order, in the place of those that it led to; the inverse
  /// follows.
  ///
  /// - Throws: ``MigrationError/unknownProperty(_:of:near:)``.
  public func relate(_ name: String, to objects: [DestinationObject]) throws {
    guard let relationship = context.model.relationship(name, of: entity) else {
      throw context.unknown(name, of: entity)
    }
    context.undecided.remove(name, of: entity, key: key)
    try context.flush()
    try context.store.connect(relationship, of: key, to: objects.map(\.key))
  }

  /// Adds objects to those of a relationship, in this order: a to-one end that has an object keeps it.
  func link(_ relationship: Declared<Relationship>, to objects: [DestinationObject]) throws {
    try context.flush()
    try context.store.add(relationship, of: key, to: objects.map(\.key))
  }

  /// Leads a to-one relationship to an object, and leaves the object's own end as it is.
  func linkOwnEnd(
    of relationship: Declared<Relationship>, to object: DestinationObject
  ) throws {
    try context.flush()
    try context.store.set(relationship, of: key, to: object.key)
  }

  public func value(forKey name: String) throws -> ExpressionValue {
    if let relationship = context.model.relationship(name, of: entity) {
      let objects = try destinations(name)
      guard relationship.property.isToMany else {
        return objects.first.map { .object($0) } ?? .null
      }
      return .collection(
        objects.map { .object($0) }, isOrdered: relationship.property.isOrdered)
    }
    guard context.attribute(name, of: entity) != nil else {
      throw context.unknown(name, of: entity)
    }
    return .value(try attributeValue(name))
  }
}

extension SourceObject {
  /// The text of an attribute, where it has one.
  public func text(_ name: String) throws -> String? {
    if case .text(let text) = try attributeValue(name) { text } else { nil }
  }
}
