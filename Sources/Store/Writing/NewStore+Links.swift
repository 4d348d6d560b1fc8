internal import StrataBase
package import StrataObjectModel
package import StrataSQLite

/// The links of a new store; both ends are always consistent.
extension NewStore {
  /// Replaces the destinations of a relationship of an object, in this order.
  ///
  /// The inverse is updated as by NSManagedObject: in a one-to-one or one-to-many relationship, an object leaves
  /// its previous owner.
  ///
  /// - Parameter takesOver: Whether it leaves its previous owner; otherwise the link to it is not set.
  package func connect(
    _ relationship: Declared<Relationship>, of key: Int64, to destinations: [Int64],
    takesOver: Bool = true
  ) throws(StoreError) {
    if !relationship.property.isToMany {
      try release(relationship, of: key, keeping: destinations.first)
      guard let destination = destinations.first else { return }
      if takesOver { try takeFromOther(relationship, of: key, destination) }
    } else {
      try removeLinks(relationship, of: key, but: destinations)
    }
    try add(relationship, of: key, to: destinations, takesOver: takesOver)
  }

  /// Sets a to-one relationship of an object without changing the inverse.
  package func set(
    _ relationship: Declared<Relationship>, of key: Int64, to destination: Int64
  ) throws(StoreError) {
    guard let (table, column) = ownColumn(relationship) else { return }
    try connection.execute(
      "UPDATE \(table) SET \(column) = ? WHERE Z_PK = ?", [.integer(destination), .integer(key)])
  }

  /// Adds destinations to a relationship of an object, in this order, and updates the inverse. No other link
  /// changes: a to-one end that already has an object keeps it.
  ///
  /// - Parameter appending: Whether the destinations come behind those that have a place already.
  package func add(
    _ relationship: Declared<Relationship>, of key: Int64, to destinations: [Int64],
    appending: Bool = false
  ) throws(StoreError) {
    guard appending, relationship.property.isToMany, relationship.property.isOrdered else {
      return try add(relationship, of: key, to: destinations, takesOver: false)
    }
    let places = try places(of: relationship, of: key)
    try add(
      relationship, of: key, to: destinations.filter { places[$0] == nil }, takesOver: false,
      behind: places.values.max())
  }

  /// The order keys of the destinations of an ordered relationship that have one.
  private func places(
    of relationship: Declared<Relationship>, of key: Int64
  ) throws(StoreError) -> [Int64: Int64] {
    let join = layout.joinTable(
      of: relationship.property.name, declaredBy: relationship.declaringEntity)
    guard let storage = layout.storage(of: relationship, in: model, join: join),
      let order = storage.order?.quoted
    else { return [:] }
    try indexLinks(storage.table, storage.own)
    var places: [Int64: Int64] = [:]
    for row in try connection.rows(
      "SELECT \(storage.other.quoted), \(order) FROM \(storage.table.quoted) "
        + "WHERE \(storage.own.quoted) = \(key) AND \(order) IS NOT NULL")
    {
      if case .integer(let other) = row[0], case .integer(let place) = row[1] {
        places[other] = place
      }
    }
    return places
  }

  /// - Parameters:
  ///   - takesOver: Whether a destination that has another owner leaves it.
  ///   - last: The last order key of the destinations before; `nil` if there is none.
  private func add(
    _ relationship: Declared<Relationship>, of key: Int64, to destinations: [Int64],
    takesOver: Bool, behind last: Int64? = nil
  ) throws(StoreError) {
    let offset = last.map { $0 + 1024 - Self.orderKey(0) } ?? 0
    switch linkStatements(of: relationship) {
    case nil: return
    case .ownKey(let set):
      guard let destination = destinations.first else { return }
      try connection.execute(set, [.integer(destination), .integer(key)])
    case .bothKeys(let set, let setBack):
      guard let destination = destinations.first else { return }
      try connection.execute(set, [.integer(destination), .integer(key)])
      guard connection.changeCount > 0 else { return }
      try connection.execute(setBack, [.integer(key), .integer(destination)])
    case .joinRows(let insert, let isReflexive, let number):
      for (index, destination) in destinations.enumerated() {
        try connection.execute(insert, [.integer(key), .integer(destination)])
        if isReflexive {
          try connection.execute(insert, [.integer(destination), .integer(key)])
        }
        if let number {
          try connection.execute(
            number, [.integer(Self.orderKey(index) + offset), .integer(key), .integer(destination)])
        }
      }
    case .ownersKey(let set, let order, let condition):
      let rows = " WHERE Z_PK = ?2" + (takesOver ? "" : " AND " + condition)
      for (index, destination) in destinations.enumerated() {
        let place = order.map { "\($0)\(Self.orderKey(index) + offset)" } ?? ""
        try connection.execute(set + place + rows, [.integer(key), .integer(destination)])
      }
    }
  }

  private func linkStatements(of relationship: Declared<Relationship>) -> LinkStatements? {
    let id = relationship.id
    if let known = links.known[id] { return known }
    let statements = newLinkStatements(of: relationship)
    links.known[id] = .some(statements)
    return statements
  }

  private func newLinkStatements(of relationship: Declared<Relationship>) -> LinkStatements? {
    let property = relationship.property
    guard property.isToMany else {
      guard let (table, column) = ownColumn(relationship) else { return nil }
      let set = "UPDATE \(table) SET \(column) = ?1 WHERE Z_PK = ?2 AND "
      guard let inverse = toOneInverse(of: relationship), let (other, back) = ownColumn(inverse)
      else { return .ownKey(set: "\(set)\(column) IS NULL") }
      return .bothKeys(
        set: "\(set)(\(column) IS NULL OR \(column) = ?1) AND NOT EXISTS "
          + "(SELECT 1 FROM \(other) AS o WHERE o.Z_PK = ?1 AND o.\(back) <> ?2)",
        setBack: "UPDATE \(other) SET \(back) = ? WHERE Z_PK = ?")
    }
    if let join = layout.joinTable(of: property.name, declaredBy: relationship.declaringEntity) {
      let (name, own, other) = (join.name.quoted, join.ownColumn.quoted, join.otherColumn.quoted)
      return .joinRows(
        insert: "INSERT OR IGNORE INTO \(name) (\(own), \(other)) VALUES (?, ?)",
        isReflexive: join.isOwnInverse,
        number: join.orderColumn.map {
          "UPDATE \(name) SET \($0.quoted) = ? WHERE \(own) = ? AND \(other) = ?"
        })
    }
    guard let (table, column) = layout.ownerColumn(of: relationship, in: model) else { return nil }
    let owner = column.name.quoted
    let order = column.orderColumn.map { ", \($0.quoted) = " }
    // An object that the other end has given its owner already is written again only for its place.
    return .ownersKey(
      set: "UPDATE \(table.name.quoted) SET \(owner) = ?1", order: order,
      condition: order == nil ? "\(owner) IS NULL" : "(\(owner) IS NULL OR \(owner) = ?1)")
  }

  // MARK: Removing links

  private func ownColumn(
    _ relationship: Declared<Relationship>
  ) -> (table: String, column: String)? {
    layout.ownColumn(of: relationship).map { ($0.table.name.quoted, $0.column.name.quoted) }
  }

  private func toOneInverse(
    of relationship: Declared<Relationship>
  ) -> Declared<Relationship>? {
    model.inverse(of: relationship.property).flatMap { $0.property.isToMany ? nil : $0 }
  }

  private func key(
    in column: (table: String, column: String), of key: Int64
  ) throws(StoreError) -> Int64? {
    try connection.keys(
      "SELECT \(column.column) FROM \(column.table) WHERE Z_PK = ?", [.integer(key)]
    ).first
  }

  /// Removes the inverse link of the previous destination of a to-one relationship.
  private func release(
    _ relationship: Declared<Relationship>, of key: Int64, keeping kept: Int64?
  ) throws(StoreError) {
    guard let own = ownColumn(relationship), let old = try self.key(in: own, of: key), old != kept
    else { return }
    // After the existing ones of the next owner.
    let order = layout.column(
      of: relationship.property.name, declaredBy: relationship.declaringEntity)?.orderColumn
    try connection.execute(
      "UPDATE \(own.table) SET \(own.column) = NULL\(order.map { ", \($0.quoted) = NULL" } ?? "") "
        + "WHERE Z_PK = ?", [.integer(key)])
    guard let inverse = toOneInverse(of: relationship), let back = ownColumn(inverse) else {
      return
    }
    try connection.execute(
      "UPDATE \(back.table) SET \(back.column) = NULL WHERE Z_PK = ? AND \(back.column) = ?",
      [.integer(old), .integer(key)])
  }

  /// Removes the link between a destination of a one-to-one relationship and its previous owner.
  private func takeFromOther(
    _ relationship: Declared<Relationship>, of key: Int64, _ destination: Int64
  ) throws(StoreError) {
    guard let inverse = toOneInverse(of: relationship), let own = ownColumn(relationship),
      let back = ownColumn(inverse), let holder = try self.key(in: back, of: destination),
      holder != key
    else { return }
    try connection.execute(
      "UPDATE \(own.table) SET \(own.column) = NULL WHERE Z_PK = ? AND \(own.column) = ?",
      [.integer(holder), .integer(destination)])
    try connection.execute(
      "UPDATE \(back.table) SET \(back.column) = NULL WHERE Z_PK = ?", [.integer(destination)])
  }

  /// Removes the previous destinations of a to-many relationship, except some.
  private func removeLinks(
    _ relationship: Declared<Relationship>, of key: Int64, but kept: [Int64]
  ) throws(StoreError) {
    let kept = Set(kept)
    let property = relationship.property
    if let join = layout.joinTable(of: property.name, declaredBy: relationship.declaringEntity) {
      let (name, own, other) = (
        join.name.quoted, join.ownColumn.quoted, join.otherColumn.quoted
      )
      let present = try connection.keys(
        "SELECT \(other) FROM \(name) WHERE \(own) = ?", [.integer(key)])
      for old in present where !kept.contains(old) {
        let delete = "DELETE FROM \(name) WHERE \(own) = ? AND \(other) = ?"
        try connection.execute(delete, [.integer(key), .integer(old)])
        if join.isOwnInverse { try connection.execute(delete, [.integer(old), .integer(key)]) }
      }
    } else if let (table, column) = layout.ownerColumn(of: relationship, in: model) {
      try indexLinks(table.name, column.name)
      let (name, owner) = (table.name.quoted, column.name.quoted)
      let order = column.orderColumn.map { ", \($0.quoted) = NULL" } ?? ""
      let present = try connection.keys(
        "SELECT Z_PK FROM \(name) WHERE \(owner) = ?", [.integer(key)])
      for old in present where !kept.contains(old) {
        try connection.execute(
          "UPDATE \(name) SET \(owner) = NULL\(order) WHERE Z_PK = ?", [.integer(old)])
      }
    }
  }

  /// A temporary index for changing links: the indexes of the schema are created last.
  func indexLinks(_ table: String, _ column: String) throws(StoreError) {
    try connection.execute(
      "CREATE INDEX IF NOT EXISTS \("\(Self.linkIndex)\(table)_\(column)".quoted) "
        + "ON \(table.quoted) (\(column.quoted))")
  }

  private static let linkIndex = "_Strata_link_"

  func dropLinkIndexes() throws(StoreError) {
    for row in try connection.rows("SELECT name FROM sqlite_master WHERE type = 'index'") {
      guard case .text(let name) = row[0], name.hasPrefix(Self.linkIndex) else { continue }
      try connection.execute("DROP INDEX \(name.quoted)")
    }
  }

  // MARK: Order keys

  /// Assigns order keys to links without one: after the existing ones, by key.
  func numberOrders() throws(StoreError) {
    for entity in layout.entityOrder {
      for relationship in model[entity]?.relationships ?? []
      where relationship.isOrdered && relationship.isToMany && !relationship.isTransient {
        let end = Declared(property: relationship, declaringEntity: entity)
        let join = layout.joinTable(of: relationship.name, declaredBy: entity)
        guard let storage = layout.storage(of: end, in: model, join: join),
          let order = storage.order
        else { continue }
        let sql = Self.numbering(
          storage.table.quoted, order: order.quoted, by: storage.own.quoted,
          then: storage.other.quoted)
        try connection.execute(sql)
      }
    }
  }

  /// The statement that numbers the rows of a table that have an owner and no order key.
  package static func numbering(
    _ table: String, order: String, by owner: String, then key: String
  ) -> String {
    "UPDATE \(table) SET \(order) = n.k FROM (SELECT r, coalesce(m, 1024) + 1024 * p AS k FROM "
      + "(SELECT rowid AS r, \(order) AS o, max(\(order)) OVER (PARTITION BY \(owner)) AS m, "
      + "row_number() OVER (PARTITION BY \(owner), \(order) IS NULL ORDER BY \(key)) AS p FROM \(table) "
      + "WHERE \(owner) IS NOT NULL) WHERE o IS NULL) AS n WHERE n.r = \(table).rowid"
  }
}

extension JoinTable {
  /// Whether both ends are the same relationship.
  package var isOwnInverse: Bool { otherColumn == "REFLEXIVE" || ownColumn == "REFLEXIVE" }
}
