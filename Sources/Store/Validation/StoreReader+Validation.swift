public import StrataObjectModel
package import StrataSQLite
internal import StrataValues

extension StoreReader {
  /// Everything that the model does not allow of the objects of the store, entity by entity.
  ///
  /// Source: facts on inference, the table of error codes; what Core Data checks before it saves.
  ///
  /// - Parameter keys: Only these objects of the root entity's table; `nil` for all.
  /// - Throws: ``StoreError``, and what `body` throws.
  public func forEachProblem(
    of entity: String, among keys: Set<Int64>? = nil, _ body: (ValidationProblem) throws -> Void
  ) throws {
    try forEachAttributeProblem(of: entity, among: keys, body)
    try forEachRelationshipProblem(of: entity, among: keys, body)
    for (owner, constraint) in model.allConstraints(of: entity) {
      try forEachDuplicate(of: constraint, declaredBy: owner, in: entity, among: keys, body)
    }
  }

  /// What Core Data looks at when objects are saved: required values, rules, relationships. It costs
  /// no more than that: rows are looked at one by one only where an attribute has rules, or a number is too large.
  package func forEachSavingProblem(
    of entity: String, _ body: (ValidationProblem) throws -> Void
  ) throws {
    guard let shape = shape(of: entity), let number = layout.entityNumbers[entity] else { return }
    try forEachMissingAttribute(of: entity, body)
    let tooLarge = try placesOutOfRange(of: shape, number)
    var validators: [(place: Int, validator: AttributeValidator)] = []
    for (place, content) in shape.contents.enumerated() {
      guard case .attribute(let attribute) = content,
        !attribute.valueRules.isEmpty || tooLarge.contains(place)
      else { continue }
      validators.append((place, AttributeValidator(attribute)))
    }
    if !validators.isEmpty, let cursor = try cursor(over: entity) {
      while let key = try cursor.next() {
        for (place, validator) in validators where !cursor.isNull(place) {
          guard let problem = validator.problem(of: cursor.value(place)) else { continue }
          try body(
            ValidationProblem(
              entity: entity, key: key, property: shape.names[place], problem))
        }
      }
    }
    try forEachRelationshipProblem(of: entity, body)
  }

  /// What the model does not allow of the relationships of an entity's objects.
  package func forEachRelationshipProblem(
    of entity: String, among keys: Set<Int64>? = nil, _ body: (ValidationProblem) throws -> Void
  ) throws {
    for relationship in model.allRelationships(of: entity) where !relationship.property.isTransient
    {
      try forEachProblem(of: relationship, in: entity, among: keys, body)
    }
  }

  /// The required attributes that objects of an entity lack, object by object.
  package func forEachMissingAttribute(
    of entity: String, _ body: (ValidationProblem) throws -> Void
  ) throws {
    guard let shape = shape(of: entity), let number = layout.entityNumbers[entity] else { return }
    for place in try missingPlaces(of: shape, number) {
      try forEach(
        "SELECT t.Z_PK FROM \(shape.table.quoted) AS t WHERE t.Z_ENT = ? AND "
          + "t.\(shape.columns[place].name.quoted) IS NULL",
        [.integer(number)], of: entity, shape.names[place], among: nil, body
      ) { _ in .missing }
    }
  }

  /// The places of numbers that some row has too large for their type, in one look at the table.
  private func placesOutOfRange(
    of shape: StoreRowShape, _ number: Int64
  ) throws(StoreError) -> Set<Int> {
    var places: [Int] = []
    var list: [String] = []
    for place in shape.names.indices {
      guard case .attribute(let attribute) = shape.contents[place],
        [.integer16, .integer32].contains(attribute.type),
        let range = attribute.type.wholeNumbers
      else { continue }
      let column = shape.columns[place].name.quoted
      places.append(place)
      // What is no number at all is larger than every number.
      list.append(
        "coalesce(min(\(column)) < \(range.lowerBound) OR max(\(column)) > \(range.upperBound), 0)"
      )
    }
    guard !places.isEmpty else { return [] }
    let rows = try store.connection.rows(
      "SELECT \(list.joined(separator: ", ")) FROM \(shape.table.quoted) WHERE Z_ENT = ?",
      [.integer(number)])
    return Set(
      places.enumerated().compactMap { rows.first?[$0.offset] == .integer(1) ? $0.element : nil })
  }

  /// The places of required attributes that some row has no value of, in one look at the table.
  private func missingPlaces(
    of shape: StoreRowShape, _ number: Int64
  ) throws(StoreError) -> [Int] {
    let required = shape.names.indices.filter { place in
      guard case .attribute(let attribute) = shape.contents[place] else { return false }
      return !attribute.isOptional && !attribute.isDerived
    }
    guard !required.isEmpty else { return [] }
    let list = required.map { "count(*) - count(\(shape.columns[$0].name.quoted))" }
    let rows = try store.connection.rows(
      "SELECT \(list.joined(separator: ", ")) FROM \(shape.table.quoted) WHERE Z_ENT = ?",
      [.integer(number)])
    return required.enumerated().compactMap { index, place in
      rows.first?[index] == .integer(0) ? nil : place
    }
  }

  /// The keys of objects whose values of some properties an earlier object of the entity has too; where
  /// one of them is `NULL`, objects are never equal.
  package func duplicates(
    of constraint: [String], entity: String
  ) throws(StoreError) -> [Int64] {
    guard let sql = layout.duplicatesQuery(of: constraint, in: entity, of: model) else { return [] }
    return try store.connection.keys(sql, [])
  }

  private func forEachAttributeProblem(
    of entity: String, among keys: Set<Int64>?, _ body: (ValidationProblem) throws -> Void
  ) throws {
    guard let shape = shape(of: entity) else { return }
    let validators = shape.contents.map { content -> AttributeValidator? in
      guard case .attribute(let attribute) = content else { return nil }
      return AttributeValidator(attribute)
    }
    let external = ExternalData(storePath: store.path)
    try forEachRow(of: entity, among: keys, readsFiles: false) { row in
      for place in shape.externalPlaces {
        let name = shape.names[place]
        let problem: ValidationProblem.Problem?
        do throws(StoreError) {
          problem = try external.missingFile(row.values[place]).map { .lostData(file: $0) }
        } catch {
          problem = .wrongType(wanted: "Binary")
        }
        guard let problem else { continue }
        try body(
          ValidationProblem(entity: entity, key: row.key, property: name, problem))
      }
      for (place, validator) in validators.enumerated() {
        guard let problem = validator?.problem(of: row.values[place]) else { continue }
        try body(
          ValidationProblem(
            entity: entity, key: row.key, property: shape.names[place], problem))
      }
    }
  }

  /// What a query finds, each row an object with what is wrong with it. The query ends with a condition
  /// on rows `t`.
  private func forEach(
    _ sql: String, _ values: [AttributeValue], of entity: String, _ property: String,
    among keys: Set<Int64>?, _ body: (ValidationProblem) throws -> Void,
    _ problem: (Int64) -> ValidationProblem.Problem?
  ) throws {
    let statement = try store.connection.prepare(
      sql + Self.condition("t.Z_PK", isIn: keys))
    try statement.bind(values)
    while try statement.step() {
      guard let key = statement.integer(0), let problem = problem(statement.integer(1) ?? 0) else {
        continue
      }
      try body(ValidationProblem(entity: entity, key: key, property: property, problem))
    }
  }

  private func forEachProblem(
    of relationship: Declared<Relationship>, in entity: String, among keys: Set<Int64>?,
    _ body: (ValidationProblem) throws -> Void
  ) throws {
    let property = relationship.property
    guard let own = layout.table(of: entity), let number = layout.entityNumbers[entity],
      let destination = layout.table(of: property.destinationName)
    else { return }
    let table = own.name.quoted
    let family = layout.numberList(below: property.destinationName, of: model)
    if !property.isToMany {
      guard let column = layout.column(of: property.name, declaredBy: relationship.declaringEntity)
      else { return }
      let foreignKey = "t.\(column.name.quoted)"
      if !property.isOptional {
        try forEach(
          "SELECT t.Z_PK FROM \(table) AS t WHERE t.Z_ENT = ? AND \(foreignKey) IS NULL",
          [.integer(number)], of: entity, property.name, among: keys, body
        ) { _ in .missing }
      }
      try forEach(
        "SELECT t.Z_PK, \(foreignKey) FROM \(table) AS t WHERE t.Z_ENT = ? AND \(foreignKey) IS NOT NULL "
          + "AND NOT EXISTS (SELECT 1 FROM \(destination.name.quoted) AS d WHERE d.Z_PK = \(foreignKey) "
          + "AND d.Z_ENT IN (\(family)))",
        [.integer(number)], of: entity, property.name, among: keys, body
      ) { .dangling(key: $0) }
      if let inverse = model.inverse(of: property), !inverse.property.isToMany,
        let back = layout.column(
          of: inverse.property.name, declaredBy: inverse.declaringEntity)
      {
        try forEach(
          "SELECT t.Z_PK, \(foreignKey) FROM \(table) AS t JOIN \(destination.name.quoted) AS d "
            + "ON d.Z_PK = \(foreignKey) WHERE t.Z_ENT = ? AND d.\(back.name.quoted) IS NOT t.Z_PK",
          [.integer(number)], of: entity, property.name, among: keys, body
        ) { .brokenInverse(key: $0) }
      }
      return
    }
    let count: ObjectCount
    if let join = try joinTable(of: relationship) {
      let (link, mine) = (join.name.quoted, "l.\(join.ownColumn.quoted)")
      let other = "l.\(join.otherColumn.quoted)"
      count = ObjectCount(table: link, column: join.ownColumn.quoted)
      try forEach(
        "SELECT t.Z_PK, \(other) FROM \(table) AS t JOIN \(link) AS l ON \(mine) = t.Z_PK "
          + "WHERE t.Z_ENT = ? AND NOT EXISTS (SELECT 1 FROM \(destination.name.quoted) AS d "
          + "WHERE d.Z_PK = \(other) AND d.Z_ENT IN (\(family)))",
        [.integer(number)], of: entity, property.name, among: keys, body
      ) { .dangling(key: $0) }
    } else if let (owned, column) = layout.ownerColumn(of: relationship, in: model) {
      count = ObjectCount(table: owned.name.quoted, column: column.name.quoted)
    } else {
      return
    }
    try forEachCountProblem(
      of: property, in: entity, table: table, number: number, count: count, among: keys, body)
  }

  /// How many objects a relationship leads to: the rows of a table with the object's key in a column.
  private struct ObjectCount {
    var table: String
    var column: String
  }

  private func forEachCountProblem(
    of property: Relationship, in entity: String, table: String, number: Int64,
    count: ObjectCount, among keys: Set<Int64>?, _ body: (ValidationProblem) throws -> Void
  ) throws {
    // Of a few objects each is counted by the index; of all, the groups are.
    let (found, from) =
      keys == nil
      ? (
        "coalesce(c.n, 0)",
        "\(table) AS t LEFT JOIN (SELECT \(count.column) AS k, count(*) AS n FROM \(count.table) "
          + "GROUP BY \(count.column)) AS c ON c.k = t.Z_PK"
      )
      : (
        "(SELECT count(*) FROM \(count.table) AS o WHERE o.\(count.column) = t.Z_PK)",
        "\(table) AS t"
      )
    var wrong: [String] = []
    if property.minCount > 0 { wrong.append("\(found) < \(property.minCount)") }
    if property.maxCount > 0 { wrong.append("\(found) > \(property.maxCount)") }
    guard !wrong.isEmpty else { return }
    try forEach(
      "SELECT t.Z_PK, \(found) FROM \(from) WHERE t.Z_ENT = ? AND (\(wrong.joined(separator: " OR ")))",
      [.integer(number)], of: entity, property.name, among: keys, body
    ) { property.problem(ofCount: Int($0)) }
  }

  private func forEachDuplicate(
    of constraint: [String], declaredBy owner: String, in entity: String, among keys: Set<Int64>?,
    _ body: (ValidationProblem) throws -> Void
  ) throws {
    guard let table = layout.table(of: entity), let number = layout.entityNumbers[entity],
      let columns = layout.columns(of: constraint, in: owner, of: model)?.map(\.name.quoted)
    else { return }
    let same = columns.map { "o.\($0) = t.\($0)" }.joined(separator: " AND ")
    // Values that are nil are never the same.
    try forEach(
      "SELECT t.Z_PK, (SELECT min(o.Z_PK) FROM \(table.name.quoted) AS o WHERE \(same) "
        + "AND o.Z_PK < t.Z_PK AND o.Z_ENT IN (\(layout.numberList(below: owner, of: model)))) AS twin "
        + "FROM \(table.name.quoted) AS t WHERE t.Z_ENT = ? AND twin IS NOT NULL",
      [.integer(number)], of: entity, constraint.joined(separator: ", "), among: keys, body
    ) { .notUnique(with: $0) }
  }
}
