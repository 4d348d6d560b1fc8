internal import StrataBase
internal import StrataMapping
internal import StrataObjectModel
internal import StrataStore

/// The new store of a migration, as policies fill and ask it.
final class DestinationContext {
  var store: NewStore
  let model: ObjectModel
  /// For attributes that were asked for: the keys of the objects with each value.
  private var indexes: [String: [AttributeValue: [Int64]]] = [:]
  /// Objects that policies made, of which nobody has heard yet.
  private var unheard: [ObjectRef] = []
  /// The object that was made last, while it can still be changed for nothing; others may wait with it.
  private var pending: (key: Int64, maker: InstanceMaker)?
  private var attributes: [String: [String: Attribute]] = [:]
  /// Those of the store that the new objects are appended to.
  var existing: ExistingObjects?
  /// Properties that a policy is still to decide.
  var undecided = UndecidedValues()
  /// Hears of numbers that lose something: what, the property, the entity, and the source object's key.
  var noteLoss: (LossRule?, String, String, Int64?) -> Void = { _, _, _, _ in }

  /// Whether objects may still be changed: not after the commit.
  var isOpen = true

  init(_ store: consuming NewStore) {
    model = store.model
    self.store = store
  }

  /// - Throws: ``Diagnostic`` if a policy changes an object after the migration.
  func checkIsOpen() throws {
    guard isOpen else {
      throw Diagnostic(
        id: "policy.migrationEnded", what: "the migration has ended, and its objects are read-only")
    }
  }

  /// The objects that policies made, of which nobody had heard yet.
  func takeUnheard() -> [ObjectRef] {
    defer { unheard = [] }
    return unheard
  }

  /// Puts in what was made last, before it is asked for.
  func flush() throws {
    guard let last = pending else { return }
    pending = nil
    let keys = try last.maker.insert()
    guard !indexes.isEmpty else { return }
    for (place, index) in indexes where place.hasPrefix(last.maker.entity + ".") {
      let name = String(place.dropFirst(last.maker.entity.count + 1))
      var index = index
      for key in keys {
        let value = try store.value(of: name, inObject: key, entity: last.maker.entity)
        index[value, default: []].append(key)
      }
      indexes[place] = index
    }
  }

  /// The attributes whose values are indexed: `Entity.name`.
  var indexedPlaces: Set<String> { Set(indexes.keys) }

  /// Makes everything as it was; what is pending is let go.
  func goBack(to checkpoint: NewStore.Checkpoint, indexes places: Set<String>) throws {
    pending = nil
    unheard = []
    indexes = [:]
    try store.goBack(to: checkpoint)
    for place in places {
      let names = place.split(separator: ".", maxSplits: 1).map(String.init)
      indexes[place] = try store.keys(of: names[0], by: names[1])
    }
  }

  /// Makes the destination object of a source object.
  func make(_ source: BrowsedObject, by maker: InstanceMaker) throws -> NewObject {
    if let pending, pending.maker !== maker || !maker.canWait(for: source) {
      try flush()
    }
    let key = maker.inserter.takeKey()
    try maker.begin(source, key: key)
    pending = (key, maker)
    return NewObject(entity: maker.entity, key: key, context: self)
  }

  /// Gives an attribute of an object another value.
  func set(_ name: String, of object: NewObject, to value: AttributeValue) throws {
    try checkIsOpen()
    if let pending, pending.key == object.key, pending.maker.entity == object.entity,
      try pending.maker.set(name, to: value, key: object.key)
    {
      undecided.remove(name, of: object.entity, key: object.key)
      return
    }
    guard let attribute = attribute(name, of: object.entity) else {
      throw unknown(name, of: object.entity)
    }
    try attribute.check(value, of: object.entity)
    undecided.remove(name, of: object.entity, key: object.key)
    let stored = attribute.stored(value)
    if let pending, pending.key == object.key, pending.maker.entity == object.entity {
      noteLoss(stored.loss, name, pending.maker.sourceEntity, pending.maker.sourceKey)
    } else {
      noteLoss(stored.loss, name, object.entity, nil)
    }
    try flush()
    indexes["\(object.entity).\(name)"] = nil
    try store.update(object.key, of: object.entity, attributes: [name: stored.value])
  }

  /// Makes an object; attributes that are not named have their defaults.
  ///
  /// - Throws: ``MigrationError/unknownEntity(_:near:)``, ``MigrationError/unknownProperty(_:of:near:)``.
  @discardableResult
  func insert(
    _ entity: String, _ values: [String: AttributeValue] = [:]
  ) throws -> NewObject {
    try checkIsOpen()
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
      try attribute.check(value, of: entity)
      let stored = attribute.stored(value)
      noteLoss(stored.loss, name, entity, nil)
      attributes[name] = stored.value
    }
    try flush()
    let object = NewObject(
      entity: entity, key: try insert(entity, stored: attributes), context: self)
    unheard.append(object.traced)
    return object
  }

  private func insert(
    _ entity: String, stored attributes: [String: AttributeValue]
  ) throws -> Int64 {
    let made = try store.insert(entity, attributes: attributes)
    for (name, value) in attributes where indexes["\(entity).\(name)"] != nil {
      indexes["\(entity).\(name)"]?[value, default: []].append(made.key)
    }
    return made.key
  }

  /// Gives existing objects that are asked for stand-ins; with a name, those with this value.
  private func bringIn(
    _ entity: String, where name: String? = nil, is value: AttributeValue = .null
  ) throws {
    guard let existing else { return }
    for object in try existing.missing(of: entity, where: name, is: value) {
      existing.stand(in: try insert(entity, stored: object.attributes), for: object)
    }
  }

  /// Removes an object and its links.
  ///
  /// - Returns: Whether nobody has heard of the object yet.
  func remove(_ object: NewObject) throws -> Bool {
    try checkIsOpen()
    guard existing?.isStandIn(object.key, of: object.entity) != true else {
      throw Diagnostic(
        id: "policy.deletesExisting",
        what: "the object was in the store before this migration, and is not deleted",
        mend: "delete only objects that the migration creates")
    }
    try flush()
    try store.delete(object.key, of: object.entity)
    undecided.removeAll(of: object.entity, key: object.key)
    for place in indexes.keys where place.hasPrefix(object.entity + ".") { indexes[place] = nil }
    let count = unheard.count
    unheard.removeAll { $0 == object.traced }
    return unheard.count < count
  }

  /// The object of a key, as one of its own entity; `nil` where there is none.
  func object(_ key: Int64, in entity: String) throws -> NewObject? {
    try flush()
    return try store.entity(ofKey: key, in: entity).map {
      NewObject(entity: $0, key: key, context: self)
    }
  }

  /// All objects of an entity itself, in the order of their keys.
  func objects(of entity: String) throws -> [NewObject] {
    try flush()
    try bringIn(entity)
    return try store.keys(of: entity).map {
      NewObject(entity: entity, key: $0, context: self)
    }
  }

  /// The objects of an entity itself in which an attribute has a value: asked again and again, as a
  /// policy does that makes one object for each value, it takes no longer with every object.
  func objects(
    of entity: String, where name: String, is value: AttributeValue
  ) throws -> [NewObject] {
    guard let attribute = attribute(name, of: entity) else { throw unknown(name, of: entity) }
    try flush()
    let value = value.converted(to: attribute.type)
    try bringIn(entity, where: name, is: value)
    let place = "\(entity).\(name)"
    if indexes[place] == nil { indexes[place] = try store.keys(of: entity, by: name) }
    return (indexes[place]?[value] ?? []).map {
      NewObject(entity: entity, key: $0, context: self)
    }
  }

  func attribute(_ name: String, of entity: String) -> Attribute? {
    if let known = attributes[entity] { return known[name] }
    let found = Dictionary(
      model.allAttributes(of: entity).map(\.property)
        .flatMap { model.storedAttributes(of: $0) }.map { ($0.name, $0) },
      uniquingKeysWith: { first, _ in first })
    attributes[entity] = found
    return found[name]
  }

  func unknown(_ name: String, of entity: String) -> MigrationError {
    let known =
      model.allAttributes(of: entity).map(\.property.name)
      + model.allRelationships(of: entity).map(\.property.name)
    return .unknownProperty(name, of: entity, near: NearestName.of(name, in: known))
  }
}
