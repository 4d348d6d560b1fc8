internal import StrataDiagnostics
public import StrataObjectModel
public import StrataStore
public import StrataValues

/// The new store of a migration, as policies fill and ask it.
public final class DestinationContext {
  var store: NewStore
  public var model: ObjectModel { store.model }
  /// For attributes that were asked for: the keys of the objects with each value.
  private var indexes: [String: [AttributeValue: [Int64]]] = [:]
  /// Objects that policies made, of which nobody has heard yet.
  var unheard: [DestinationObject] = []

  init(_ store: consuming NewStore) {
    self.store = store
  }

  /// Makes an object; attributes that are not named have their defaults.
  ///
  /// - Throws: ``MigrationError/unknownEntity(_:near:)``, ``MigrationError/unknownProperty(_:of:near:)``.
  @discardableResult
  public func insert(
    _ entity: String, _ values: [String: AttributeValue] = [:]
  ) throws -> DestinationObject {
    guard model[entity] != nil else {
      throw MigrationError.unknownEntity(
        entity, near: NearestName.of(entity, in: model.entityNames))
    }
    var attributes: [String: AttributeValue] = [:]
    for attribute in model.allAttributes(of: entity).map(\.property) where !attribute.isTransient {
      attributes[attribute.name] = attribute.storedDefault
    }
    for (name, value) in values {
      guard let attribute = attribute(name, of: entity) else { throw unknown(name, of: entity) }
      attributes[name] = value.converted(to: attribute.type)
    }
    let object = try make(entity, attributes)
    unheard.append(object)
    return object
  }

  /// Makes an object with all its values.
  func make(_ entity: String, _ attributes: [String: AttributeValue]) throws -> DestinationObject {
    let made = try store.insert(entity, attributes: attributes)
    for (name, value) in attributes where indexes["\(entity).\(name)"] != nil {
      indexes["\(entity).\(name)"]?[value, default: []].append(made.key)
    }
    return DestinationObject(entity: entity, key: made.key, context: self)
  }

  /// The object of a key, as one of its own entity; `nil` where there is none.
  public func object(_ key: Int64, in entity: String) throws -> DestinationObject? {
    try store.entity(ofKey: key, in: entity).map {
      DestinationObject(entity: $0, key: key, context: self)
    }
  }

  /// All objects of an entity itself, in the order of their keys.
  public func objects(of entity: String) throws -> [DestinationObject] {
    try store.keys(of: entity).map {
      DestinationObject(entity: entity, key: $0, context: self)
    }
  }

  /// The objects of an entity itself in which an attribute has a value: asked again and again, as a
  /// policy does that makes one object for each value, it takes no longer with every object.
  public func objects(
    of entity: String, where name: String, is value: AttributeValue
  ) throws -> [DestinationObject] {
    guard let attribute = attribute(name, of: entity) else { throw unknown(name, of: entity) }
    let place = "\(entity).\(name)"
    if indexes[place] == nil {
      var index: [AttributeValue: [Int64]] = [:]
      for key in try store.keys(of: entity) {
        index[try store.value(of: name, inObject: key, entity: entity), default: []].append(key)
      }
      indexes[place] = index
    }
    return (indexes[place]?[value.converted(to: attribute.type)] ?? []).map {
      DestinationObject(entity: entity, key: $0, context: self)
    }
  }

  /// A value of this attribute has changed.
  func forget(_ name: String, of entity: String) { indexes["\(entity).\(name)"] = nil }

  func attribute(_ name: String, of entity: String) -> Attribute? {
    model.allAttributes(of: entity).map(\.property).flatMap { model.storedAttributes(of: $0) }
      .first { $0.name == name }
  }

  func unknown(_ name: String, of entity: String) -> MigrationError {
    let known =
      model.allAttributes(of: entity).map(\.property.name)
      + model.allRelationships(of: entity).map(\.property.name)
    return .unknownProperty(name, of: entity, near: NearestName.of(name, in: known))
  }
}
