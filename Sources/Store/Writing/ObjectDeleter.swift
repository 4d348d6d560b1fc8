internal import StrataArchives
internal import StrataBase
internal import StrataObjectModel
internal import StrataSQLite

/// Deletes an object, and those that its delete rules add, in the current transaction of a store.
struct ObjectDeleter: ~Copyable {
  private let reader: StoreReader
  /// Whether rows may keep the key of a deleted object. A document may not: it could not be read.
  private let keepsKeys: Bool
  private var result = StoreDeletion.Result()
  /// The keys of deleted objects by root entity.
  private var deleted: [String: Set<Int64>] = [:]
  /// The objects in the lists of the result.
  private var (changed, shrunk): (Set<ObjectRef>, Set<ObjectRef>) = ([], [])
  /// The remaining objects that Core Data validates.
  private var validated: Set<ObjectRef> = []

  init(reader: consuming StoreReader, keepsKeys: Bool) {
    self.reader = reader
    self.keepsKeys = keepsKeys
  }

  private var model: ObjectModel { reader.model }

  /// - Returns: What was done, and the files of external data that the deleted objects referred to.
  /// - Throws: ``RefusedChange``, ``StoreError``.
  mutating func delete(
    _ key: Int64, of entity: String
  ) throws -> (StoreDeletion.Result, files: Set<String>) {
    guard let object = try object(key, of: entity), model.isKind(object.entity, of: entity) else {
      throw StoreError.noObject(entity: entity, key: key)
    }
    try cascade(from: object)
    try checkDenied()
    for object in result.deleted {
      for relationship in relationships(of: object) { try unlink(object, relationship) }
      try noteOneWayKeys(of: object)
    }
    for object in result.changed {
      let table = reader.layout.table(of: object.entity)?.name.quoted ?? ""
      try reader.execute("UPDATE \(table) SET Z_OPT = Z_OPT + 1 WHERE Z_PK = ?", object.key)
    }
    let files = try files()
    try removeRows()
    try validate()
    return (result, files)
  }

  func commit() throws(StoreError) {
    guard let object = result.deleted.first else { return }
    try reader.commitChange(of: object, isThere: false)
  }

  func document(from document: XMLDatabase) throws -> XMLDatabase {
    try XMLDatabase(reader, from: document)
  }

  // MARK: Objects

  private func object(_ key: Int64, of entity: String) throws(StoreError) -> ObjectRef? {
    try reader.concreteEntity(ofKey: key, in: entity).map { ObjectRef(entity: $0, key: key) }
  }

  private func isDeleted(_ object: ObjectRef) -> Bool {
    deleted[model.rootName(of: object.entity)]?.contains(object.key) == true
  }

  private func relationships(of object: ObjectRef) -> [Declared<Relationship>] {
    model.allRelationships(of: object.entity).filter { !$0.property.isTransient }
  }

  /// The existing objects at the other end of a relationship.
  private func destinations(
    of object: ObjectRef, _ relationship: Declared<Relationship>
  ) throws(StoreError) -> [ObjectRef] {
    var keys = try reader.destinations(of: relationship, from: object.key)
    // A pair of a relationship that is its own inverse may have a row in one direction only.
    if relationship.property.isToMany, try reader.joinTable(of: relationship)?.isOwnInverse == true
    {
      keys += try reader.owners(of: relationship, to: object.key).filter { !keys.contains($0) }
    }
    var objects: [ObjectRef] = []
    for key in keys {
      if let found = try self.object(key, of: relationship.property.destinationName) {
        objects.append(found)
      }
    }
    return objects
  }

  // MARK: Delete rules

  private mutating func cascade(from object: ObjectRef) throws(StoreError) {
    var waiting = [object][...]
    while let next = waiting.popFirst() {
      guard deleted[model.rootName(of: next.entity), default: []].insert(next.key).inserted else {
        continue
      }
      result.deleted.append(next)
      for relationship in relationships(of: next) where relationship.property.deleteRule == .cascade
      {
        waiting += try destinations(of: next, relationship)
      }
    }
  }

  /// Objects that are deleted too do not deny.
  private func checkDenied() throws {
    var problems: [Finding] = []
    for object in result.deleted {
      for relationship in relationships(of: object) where relationship.property.deleteRule == .deny
      {
        let denying = try destinations(of: object, relationship).filter { !isDeleted($0) }
        guard !denying.isEmpty else { continue }
        problems.append(
          Finding(
            .deleteDenied(by: denying.map(\.key)), entity: object.entity, key: object.key,
            property: relationship.property.name))
      }
    }
    guard problems.isEmpty else { throw RefusedChange(problems: problems) }
  }

  /// Removes the links of a deleted object in one of its relationships.
  private mutating func unlink(
    _ object: ObjectRef, _ relationship: Declared<Relationship>
  ) throws(StoreError) {
    let property = relationship.property
    let remaining = try destinations(of: object, relationship).filter { !isDeleted($0) }
    if property.isToMany, let join = try reader.joinTable(of: relationship) {
      for column in join.isOwnInverse ? [join.ownColumn, join.otherColumn] : [join.ownColumn] {
        try reader.execute(
          "DELETE FROM \(join.name.quoted) WHERE \(column.quoted) = ?", object.key)
      }
    }
    guard let inverse = model.inverse(of: property) else {
      // The destinations of a to-many relationship have the key of their owner.
      for other in remaining where property.isToMany && keepsKeys {
        result.left.append(
          .init(
            object: other, relationship: relationship.id.description, destination: object,
            hasInverse: false))
      }
      return
    }
    guard !inverse.property.isToMany else {
      for other in remaining { noteShrunk(other) }
      if property.deleteRule != .noAction { validated.formUnion(remaining) }
      return
    }
    for other in remaining
    where try reader.destinations(of: inverse, from: other.key) == [object.key] {
      guard property.deleteRule != .noAction || !keepsKeys else {
        result.left.append(
          .init(
            object: other, relationship: inverse.property.name, destination: object,
            hasInverse: true))
        continue
      }
      try clear(inverse, of: other)
    }
  }

  private mutating func noteShrunk(_ object: ObjectRef) {
    if shrunk.insert(object).inserted { result.shrunk.append(object) }
  }

  /// Clears a to-one relationship of an object: the key, its order, and the entity number beside it.
  private mutating func clear(_ relationship: Declared<Relationship>, of object: ObjectRef)
    throws(StoreError)
  {
    if changed.insert(object).inserted { result.changed.append(object) }
    validated.insert(object)
    guard let table = reader.layout.table(of: relationship.declaringEntity)?.name.quoted,
      let column = reader.layout.column(
        of: relationship.property.name, declaredBy: relationship.declaringEntity)
    else { return }
    let columns = [column.name, column.orderColumn, column.entityColumn].compactMap { $0 }
    let list = columns.map { "\($0.quoted) = NULL" }.joined(separator: ", ")
    try reader.execute("UPDATE \(table) SET \(list) WHERE Z_PK = ?", object.key)
  }

  /// Core Data does not know who points to an object by a relationship without an inverse.
  private mutating func noteOneWayKeys(of object: ObjectRef) throws(StoreError) {
    for entity in reader.layout.entityOrder {
      for relationship in model[entity]?.relationships ?? []
      where !relationship.isTransient && model.inverse(of: relationship) == nil
        && model.isKind(object.entity, of: relationship.destinationName)
      {
        let declared = Declared(property: relationship, declaringEntity: entity)
        for key in try reader.owners(of: declared, to: object.key) {
          guard let owner = try self.object(key, of: entity), !isDeleted(owner) else { continue }
          // The key of an owner in a to-many relationship is in the deleted row.
          guard !relationship.isToMany else {
            noteShrunk(owner)
            continue
          }
          guard keepsKeys else {
            try clear(declared, of: owner)
            continue
          }
          result.left.append(
            .init(
              object: owner, relationship: relationship.name, destination: object,
              hasInverse: false))
        }
      }
    }
  }

  // MARK: Rows

  private func files() throws(StoreError) -> Set<String> {
    var names: Set<String> = []
    for object in result.deleted {
      guard let shape = reader.shape(of: object.entity), !shape.externalIndices.isEmpty else {
        continue
      }
      let columns = shape.externalIndices.map { shape.columns[$0].name.quoted }
      let rows = try reader.store.connection.rows(
        "SELECT \(columns.joined(separator: ", ")) FROM \(shape.table.quoted) WHERE Z_PK = ?",
        [.integer(object.key)])
      for case .bytes(let bytes) in rows.first ?? [] {
        if case .file(let name)? = try? ExternalData.stored(bytes) { names.insert(name) }
      }
    }
    return names
  }

  /// The store's own triggers run too: what they must not change is checked.
  private func removeRows() throws(StoreError) {
    let before = try systemRows()
    for object in result.deleted {
      let table = reader.layout.table(of: object.entity)?.name.quoted ?? ""
      try reader.execute("DELETE FROM \(table) WHERE Z_PK = ?", object.key)
    }
    let after = try systemRows()
    guard after.counters == before.counters, after.rows == before.rows - result.deleted.count else {
      throw .triggersInterfere
    }
  }

  private func systemRows() throws(StoreError) -> (rows: Int, counters: [[AttributeValue]]) {
    let connection = reader.store.connection
    var rows = 0
    for table in reader.layout.tables {
      rows += try connection.number("SELECT count(*) FROM \(table.name.quoted)")
    }
    return (
      rows,
      try connection.rows("SELECT Z_ENT, Z_MAX FROM Z_PRIMARYKEY ORDER BY Z_ENT")
        + connection.rows("SELECT count(*) FROM Z_METADATA")
    )
  }

  /// Core Data validates the objects whose relationships have changed, and no others. The rule No Action changes none.
  private func validate() throws {
    var problems: [Finding] = []
    let objects = Dictionary(grouping: validated, by: \.entity)
    for (entity, objects) in objects.sorted(by: { $0.key < $1.key }) {
      try reader.forEachProblem(of: entity, among: Set(objects.map(\.key)), .saving) { problem in
        switch problem.validationRule {
        case .dangling?, .brokenInverse?: break
        default: problems.append(problem)
        }
      }
    }
    guard problems.isEmpty else { throw RefusedChange(problems: problems) }
  }
}
