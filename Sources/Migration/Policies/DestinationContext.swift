internal import StrataBase
internal import StrataMapping
internal import StrataObjectModel
internal import StrataStore

/// The new store of a migration, for writing and reading by policies.
final class DestinationContext {
  var store: NewStore
  let model: ObjectModel
  /// The indexes of requested attributes: the keys of the objects with each value as ``AttributeValue/comparable``.
  private var indexes: [PropertyID: [AttributeValue: [Int64]]] = [:]
  /// Objects created by policies that are not yet reported.
  private var unreported: [ObjectRef] = []
  /// The last created object before it is inserted, when changes are cheap; other objects of the batch can be
  /// pending too.
  private var pending: (key: Int64, maker: InstanceMaker)?
  private var attributes: [String: [String: Attribute]] = [:]
  /// The existing objects of the store to which the new ones are appended.
  var existing: ExistingObjects?
  /// The details of the step's events; `nil` if nobody asks for them.
  var details: StepDetails?
  /// The objects of which a number was counted: several statements may set it, and the last one decides.
  var counted: [CountedNumber: KeySet] = [:]
  /// Properties that a policy still has to set.
  var undecided = UndecidedValues()
  /// Called for each number that loses data, with its object; `nil` for a new one.
  var noteLoss: (CountedNumber, ObjectRef?) throws -> Void = { _, _ in }
  /// Called for each counted number that another value replaces.
  var retractLoss: (CountedNumber, ObjectRef) throws -> Void = { _, _ in }

  /// What is counted of numbers that lose data.
  struct CountedNumber: Hashable {
    var attribute: PropertyID
    var rule: LossRule
  }

  /// Whether objects can still be changed; `false` after the commit.
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

  /// Returns the objects created by policies that are not yet reported.
  func takeUnreported() -> [ObjectRef] {
    defer { unreported = [] }
    return unreported
  }

  /// Inserts the pending objects before a query.
  func flush() throws {
    guard let last = pending else { return }
    pending = nil
    let keys = try last.maker.insert()
    guard !indexes.isEmpty else { return }
    for attribute in indexes.keys where attribute.entity == last.maker.entity {
      for key in keys {
        let value = try store.value(of: attribute.name, inObject: key, entity: attribute.entity)
        indexes[attribute]?[value.comparable, default: []].append(key)
      }
    }
  }

  /// Removes the indexes of an entity's attributes, after a change that they do not follow.
  func forgetIndexes(of entity: String) {
    indexes = indexes.filter { $0.key.entity != entity }
  }

  /// The attributes whose values are indexed.
  var indexedAttributes: Set<PropertyID> { Set(indexes.keys) }

  /// Restores the state of a checkpoint; pending objects are discarded.
  func goBack(to checkpoint: NewStore.Checkpoint, indexes attributes: Set<PropertyID>) throws {
    pending = nil
    unreported = []
    _ = details?.take()
    details?.lookup = nil
    indexes = [:]
    try store.goBack(to: checkpoint)
    for attribute in attributes {
      indexes[attribute] = try store.keys(of: attribute.entity, by: attribute.name)
    }
  }

  /// Creates the destination object of a source object.
  func make(_ source: BrowsedObject, by maker: InstanceMaker) throws -> NewObject {
    if let pending, pending.maker !== maker || !maker.canWait(for: source) {
      try flush()
    }
    let key = maker.inserter.takeKey()
    try maker.begin(source, key: key)
    pending = (key, maker)
    return NewObject(entity: maker.entity, key: key, context: self)
  }

  /// Sets an attribute of an object.
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
    try flush()
    try count(stored.loss, of: name, in: object)
    indexes[PropertyID(entity: object.entity, name: name)] = nil
    try store.update(object.key, of: object.entity, attributes: [name: stored.value])
  }

  /// Notes that a number of an object is counted.
  func remember(_ number: CountedNumber, in key: Int64) {
    counted[number, default: KeySet()].insert(key)
  }

  /// Counts a number that an object's attribute does not hold, instead of the one that it was set to before.
  ///
  /// - Parameter loss: `nil` if the attribute holds the value.
  private func count(_ loss: LossRule?, of name: String, in object: NewObject) throws {
    let attribute = PropertyID(entity: object.entity, name: name)
    let new = loss.map { CountedNumber(attribute: attribute, rule: $0) }
    let former = counted.first { $0.key.attribute == attribute && $0.value.contains(object.key) }
    guard former?.key != new else { return }
    if let former {
      counted[former.key]?.remove(object.key)
      try retractLoss(former.key, object.traced)
    }
    guard let new else { return }
    remember(new, in: object.key)
    try noteLoss(new, object.traced)
  }

  /// Creates an object; unnamed attributes have their default values.
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
      if let loss = stored.loss {
        try noteLoss(
          CountedNumber(attribute: PropertyID(entity: entity, name: name), rule: loss), nil)
      }
      attributes[name] = stored.value
    }
    try flush()
    let object = NewObject(
      entity: entity, key: try insert(entity, stored: attributes), context: self)
    unreported.append(object.traced)
    return object
  }

  private func insert(
    _ entity: String, stored attributes: [String: AttributeValue]
  ) throws -> Int64 {
    let inserted = try store.insert(entity, attributes: attributes)
    for (name, value) in attributes {
      let id = PropertyID(entity: entity, name: name)
      indexes[id]?[value.comparable, default: []].append(inserted.key)
    }
    return inserted.key
  }

  /// Creates placeholders for requested existing objects; with an attribute name, for those with the given
  /// value.
  private func bringIn(
    _ entity: String, where name: String? = nil, is value: AttributeValue = .null
  ) throws {
    guard let existing else { return }
    for object in try existing.missing(of: entity, where: name, is: value) {
      try existing.noteReleases(in: store)
      existing.stand(in: try insert(entity, stored: object.attributes), for: object)
    }
  }

  /// Deletes an object and its links.
  ///
  /// - Returns: Whether the object was not yet reported.
  func remove(_ object: NewObject) throws -> Bool {
    try checkIsOpen()
    guard existing?.isStandIn(object.key, of: object.entity) != true else {
      throw Diagnostic(
        id: "policy.deletesExisting",
        what: "an object that was in the store before this migration cannot be deleted",
        fix: "delete only objects that the migration creates")
    }
    try flush()
    try store.delete(object.key, of: object.entity)
    undecided.removeAll(of: object.entity, key: object.key)
    forgetIndexes(of: object.entity)
    let count = unreported.count
    unreported.removeAll { $0 == object.traced }
    return unreported.count < count
  }

  /// The object with a key, with its concrete entity; `nil` if there is none.
  func object(_ key: Int64, in entity: String) throws -> NewObject? {
    try flush()
    return try store.entity(ofKey: key, in: entity).map {
      NewObject(entity: $0, key: key, context: self)
    }
  }

  /// All objects of an entity, without its subentities, in key order.
  func objects(of entity: String) throws -> [NewObject] {
    try flush()
    try bringIn(entity)
    return try store.keys(of: entity).map {
      NewObject(entity: entity, key: $0, context: self)
    }
  }

  /// The objects of an entity, without its subentities, with a given attribute value. An index keeps repeated
  /// queries fast, for policies that create one object for each value.
  func objects(
    of entity: String, where name: String, is value: AttributeValue
  ) throws -> [NewObject] {
    guard let attribute = attribute(name, of: entity) else { throw unknown(name, of: entity) }
    try flush()
    let value = value.finding(in: attribute.type)
    try bringIn(entity, where: name, is: value)
    let id = PropertyID(entity: entity, name: name)
    if indexes[id] == nil {
      indexes[id] = try store.keys(of: entity, by: name)
    }
    return (indexes[id]?[value.comparable] ?? []).map {
      NewObject(entity: entity, key: $0, context: self)
    }
  }

  /// Whether an attribute is a composite, whose elements have paths.
  func hasElements(of name: String, of entity: String) -> Bool {
    storedAttributes(of: entity).keys.contains { $0.hasPrefix(name + ".") }
  }

  func attribute(_ name: String, of entity: String) -> Attribute? {
    storedAttributes(of: entity)[name]
  }

  private func storedAttributes(of entity: String) -> [String: Attribute] {
    if let known = attributes[entity] { return known }
    let found = Dictionary(
      first:
        model.allAttributes(of: entity).map(\.property)
        .flatMap { model.storedAttributes(of: $0) }.map { ($0.name, $0) })
    attributes[entity] = found
    return found
  }

  func unknown(_ name: String, of entity: String) -> MigrationError {
    .unknownProperty(
      name, of: entity, near: NearestName.of(name, in: model.propertyNames(of: entity)))
  }
}
