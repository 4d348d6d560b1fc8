internal import StrataBase
internal import StrataObjectModel
internal import StrataSQLite

/// The rules for the objects of an entity.
extension StoreReader {
  func objectRules(
    of entity: String, _ rules: ValidationRules
  ) throws(StoreError) -> [ObjectRule] {
    guard let table = layout.table(of: entity)?.name.quoted else { return [] }
    var list: [ObjectRule] = []
    if rules.contains(.bookkeeping) {
      list.append(
        ObjectRule(
          property: "Z_OPT", source: { _ in "\(table) AS t" }, condition: "t.Z_OPT IS NULL",
          isOfOneRow: true, problem: { _ in .noVersion }))
    }
    list += try attributeRules(of: entity, rules)
    for relationship in model.allRelationships(of: entity) where !relationship.property.isTransient
    {
      if rules.contains(.relationships) {
        list += try relationshipRules(of: relationship, table, rules)
      }
      if rules.contains(.bookkeeping) { list += try bookkeepingRules(of: relationship, table) }
    }
    if rules.contains(.bookkeeping) { list += ownerRules(of: entity, table) }
    if rules.contains(.uniqueness) {
      list += model.allConstraints(of: entity).compactMap { owner, constraint in
        uniquenessRule(of: constraint, declaredBy: owner)
      }
    }
    return list
  }

  /// A query for 1 if there is such a row; an index of a key is sufficient.
  private static func exists(_ source: String, _ condition: String) -> String {
    "SELECT EXISTS (SELECT 1 FROM \(source) WHERE \(condition))"
  }

  // MARK: Attributes

  private func attributeRules(
    of entity: String, _ rules: ValidationRules
  ) throws(StoreError) -> [ObjectRule] {
    guard let shape = shape(of: entity) else { return [] }
    let external = ExternalData(storePath: store.path)
    let encoding = rules.contains(.types) ? try store.connection.registerTextCheck() : nil
    return shape.names.indices.compactMap { index in
      guard case .attribute(let attribute) = shape.contents[index], !attribute.isDerived else {
        return nil
      }
      let column = "t.\(shape.columns[index].name.quoted)"
      let isExternal = shape.externalIndices.contains(index)
      let conditions = attribute.conditions(on: column, isExternal: isExternal, rules)
      guard !conditions.isEmpty else { return nil }
      let validator = AttributeValidator(attribute)
      let textEncoding = [.string, .uri].contains(attribute.type) ? encoding : nil
      let missing: ValidationRule =
        rules.isOfStoredObjects && attribute.mayBeUnset ? .unset : .missing
      return ObjectRule(
        property: shape.names[index], source: { _ in "\(shape.table.quoted) AS t" },
        condition: conditions.joined(separator: " OR "),
        values: textEncoding == nil ? [column] : [column, Attribute.isText(column)],
        isOfOneRow: true,
        problem: { values in
          let value = values[0]
          if value == .null { return missing }
          if let textEncoding, case .text = value, values[1] == .integer(0) {
            return .wrongType(wanted: "\(textEncoding.rawValue) text")
          }
          return isExternal ? external.problem(of: value) : validator.problem(of: value)
        })
    }
  }

  // MARK: Relationships

  private func relationshipRules(
    of relationship: Declared<Relationship>, _ table: String, _ rules: ValidationRules
  ) throws(StoreError) -> [ObjectRule] {
    let property = relationship.property
    guard let destination = layout.table(of: property.destinationName)?.name.quoted else {
      return []
    }
    func isMissing(_ key: String) -> String {
      "NOT \(hasObject(key, of: property.destinationName, in: destination))"
    }
    if !property.isToMany {
      guard let column = layout.column(of: property.name, declaredBy: relationship.declaringEntity)
      else { return [] }
      let key = "t.\(column.name.quoted)"
      var list: [ObjectRule] = []
      if !property.isOptional {
        list.append(
          ObjectRule(
            property: property.name, source: { _ in "\(table) AS t" }, condition: "\(key) IS NULL",
            isOfOneRow: true, problem: { _ in .missing }))
      }
      let isUnidirectional = rules.isOfStoredObjects && property.inverseName == nil
      list.append(
        Self.keyRule(property.name, table, key, isMissing(key)) {
          isUnidirectional ? .danglingOneWay(key: $0) : .dangling(key: $0)
        })
      if let back = oneToOneColumn(back: relationship) {
        list.append(
          ObjectRule(
            property: property.name,
            source: { _ in "\(table) AS t JOIN \(destination) AS d ON d.Z_PK = \(key)" },
            condition: "d.\(back.quoted) IS NOT t.Z_PK", values: [key],
            problem: { .brokenInverse(key: $0[0].key) }))
      }
      return list
    }
    guard let storage = try storage(of: relationship) else { return [] }
    let (link, own) = (storage.table.quoted, storage.own.quoted)
    var list: [ObjectRule] = []
    if let join = try joinTable(of: relationship) {
      let other = "l.\(storage.other.quoted)"
      list.append(
        ObjectRule(
          property: property.name,
          source: { _ in "\(table) AS t JOIN \(link) AS l ON l.\(own) = t.Z_PK" },
          condition: "\(other) IS NOT NULL AND \(isMissing(other))", values: [other],
          precheck: Self.exists(
            "\(link) AS l",
            "\(storage.isSet(try largerEnd(of: relationship))) AND \(isMissing(other))"),
          problem: { .dangling(key: $0[0].key) }))
      if join.isOwnInverse {
        // No other relationship reads the first column; a pair may have a row in each direction.
        let (first, second) = ("l.\(own)", storage.other.quoted)
        list.append(
          ObjectRule(
            property: property.name,
            source: { _ in "\(table) AS t JOIN \(link) AS l ON l.\(second) = t.Z_PK" },
            condition: "\(first) IS NOT NULL AND \(isMissing(first)) AND NOT EXISTS (SELECT 1 "
              + "FROM \(link) AS r WHERE r.\(own) = t.Z_PK AND r.\(second) = \(first))",
            values: [first], problem: { .dangling(key: $0[0].key) }))
      }
    }
    let count = "coalesce(c.n, 0)"
    let linked = "SELECT \(own) AS k, count(\(storage.other.quoted)) AS n FROM \(link)"
    let bounds = [
      property.minCount > 0 ? "\(count) < \(property.minCount)" : nil,
      property.maxCount > 0 ? "\(count) > \(property.maxCount)" : nil,
    ].compactMap { $0 }
    if !bounds.isEmpty {
      list.append(
        ObjectRule(
          property: property.name,
          source: { keys in
            "\(table) AS t LEFT JOIN (\(linked)"
              + (keys.map { " WHERE \(own) IN (\($0))" } ?? "")
              + " GROUP BY \(own)) AS c ON c.k = t.Z_PK"
          }, condition: bounds.joined(separator: " OR "), values: [count],
          problem: { property.problem(ofCount: Int($0[0].key)) }))
    }
    return list
  }

  /// The column in which the other end of a one-to-one relationship points back; `nil` for other
  /// relationships, and where the inverse of the inverse is another relationship.
  private func oneToOneColumn(back relationship: Declared<Relationship>) -> String? {
    guard let inverse = model.inverse(of: relationship.property), !inverse.property.isToMany,
      let back = model.inverse(of: inverse.property),
      back.property.name == relationship.property.name,
      back.declaringEntity == relationship.declaringEntity
    else { return nil }
    return layout.column(of: inverse.property.name, declaredBy: inverse.declaringEntity)?.name
  }

  /// The rule that a key in an object's row is that of another object.
  private static func keyRule(
    _ property: String, _ table: String, _ key: String, _ isMissing: String,
    _ problem: @escaping (Int64) -> ValidationRule
  ) -> ObjectRule {
    let (source, condition) = ("\(table) AS t", "\(key) IS NOT NULL AND \(isMissing)")
    return ObjectRule(
      property: property, source: { _ in source }, condition: condition, values: [key],
      precheck: exists(source, condition),
      problem: { $0[0].integer.map(problem) ?? .wrongType(wanted: "key") })
  }

  // MARK: Columns added by Core Data

  /// The destinations of a to-many relationship without an inverse have the key of their owner.
  private func ownerRules(of entity: String, _ table: String) -> [ObjectRule] {
    layout.ownerColumns(of: model.lineageNames(of: entity)).compactMap {
      relationship, column in
      let owner = relationship.entity
      guard let owners = layout.table(of: owner)?.name.quoted else { return nil }
      let key = "t.\(column.name.quoted)"
      return Self.keyRule(
        relationship.description, table, key, "NOT \(hasObject(key, of: owner, in: owners))"
      ) { .ownerMissing(key: $0) }
    }
  }

  /// Source: `Docs/Facts/sqlite-schema.md`, sections 5.4 and 5.5.
  private func bookkeepingRules(
    of relationship: Declared<Relationship>, _ table: String
  ) throws(StoreError) -> [ObjectRule] {
    let property = relationship.property
    if !property.isToMany {
      guard
        let column = layout.column(of: property.name, declaredBy: relationship.declaringEntity),
        let number = column.entityColumn?.quoted,
        let destination = layout.table(of: property.destinationName)?.name.quoted
      else { return [] }
      let key = "t.\(column.name.quoted)"
      return [
        ObjectRule(
          property: property.name,
          source: { _ in "\(table) AS t JOIN \(destination) AS d ON d.Z_PK = \(key)" },
          condition: "t.\(number) IS NOT d.Z_ENT", values: ["t.\(number)", key, "d.Z_ENT"],
          problem: {
            .wrongEntityNumber(recorded: $0[0].integer, key: $0[1].key, actual: $0[2].key)
          })
      ]
    }
    guard property.isOrdered, let storage = try storage(of: relationship),
      let order = storage.order?.quoted
    else { return [] }
    let (link, own, other) = (
      storage.table.quoted, storage.own.quoted, storage.other.quoted
    )
    return [
      ObjectRule(
        property: property.name,
        source: { _ in "\(table) AS t JOIN \(link) AS l ON l.\(own) = t.Z_PK" },
        condition: "l.\(order) IS NULL AND l.\(other) IS NOT NULL", values: ["l.\(other)"],
        problem: { .noOrderKey(of: $0[0].key) }),
      ObjectRule(
        property: property.name,
        source: { keys in
          "\(table) AS t JOIN (SELECT \(own) AS k, min(\(other)) AS low, max(\(other)) AS high "
            + "FROM \(link) WHERE \(own) IS NOT NULL AND \(other) IS NOT NULL AND \(order) IS NOT NULL"
            + (keys.map { " AND \(own) IN (\($0))" } ?? "")
            + " GROUP BY \(own), \(order) HAVING count(*) > 1) AS g ON g.k = t.Z_PK"
        }, condition: "1", values: ["g.low", "g.high"],
        problem: { .repeatedOrderKey(of: $0[0].key, and: $0[1].key) }),
    ]
  }

  // MARK: Uniqueness

  /// A constraint applies to all objects of a table that have its properties, see ``ObjectModel/allConstraints(of:)``.
  func uniquenessRule(of constraint: [String], declaredBy owner: String) -> ObjectRule? {
    guard let table = layout.table(of: owner)?.name.quoted, !constraint.isEmpty,
      let columns = layout.columns(of: constraint, in: owner, of: model)?.map(\.name.quoted)
    else { return nil }
    let list = columns.joined(separator: ", ")
    let named = columns.enumerated().map { "\($1) AS k\($0)" }.joined(separator: ", ")
    let same = columns.enumerated().map { "t.\($1) = g.k\($0)" }.joined(separator: " AND ")
    // Nil values are never equal.
    let known = columns.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
    return ObjectRule(
      property: constraint.joined(separator: ", "),
      source: { keys in
        "\(table) AS t JOIN (SELECT min(Z_PK) AS twin, \(named) FROM \(table) "
          + "WHERE \(known)"
          + (keys.map { " AND (\(list)) IN (SELECT \(list) FROM \(table) WHERE Z_PK IN (\($0)))" }
            ?? "")
          + " GROUP BY \(list) HAVING count(*) > 1) AS g ON \(same)"
      }, condition: "g.twin < t.Z_PK", values: ["g.twin"],
      problem: { .notUnique(with: $0[0].key) })
  }
}

extension Attribute {
  /// Whether a required attribute may be `NULL` although Core Data saved it: a migration in place sets the default
  /// value only in rows of the entity itself, and SQLite stores NaN as `NULL`.
  fileprivate var mayBeUnset: Bool {
    storedDefault != .null || [.decimal, .double, .float].contains(type)
  }

  /// SQL for whether the bytes of a text are valid in the encoding of the store.
  fileprivate static func isText(_ column: String) -> String {
    "\(TextEncoding.checkFunction)(CAST(\(column) AS BLOB))"
  }

  /// Conditions that are true for every invalid value and for few others, which a further check excludes.
  ///
  /// To SQLite a number is less than a text, and a text less than a blob: `''` is the least text, `x''` the
  /// least blob.
  fileprivate func conditions(
    on column: String, isExternal: Bool, _ rules: ValidationRules
  ) -> [String] {
    var list: [String] = []
    if rules.contains(.required), !isOptional { list.append("\(column) IS NULL") }
    if rules.contains(.values), !isExternal {
      if let range = type.wholeNumbers, [.integer16, .integer32].contains(type) {
        list.append("\(column) NOT BETWEEN \(range.lowerBound) AND \(range.upperBound)")
      }
      for rule in valueRules {
        switch rule {
        case .minimum(let bound), .earliest(let bound): list.append("\(column) < \(bound.text)")
        case .maximum(let bound), .latest(let bound): list.append("\(column) > \(bound.text)")
        case .minimumLength, .maximumLength, .pattern: list.append("\(column) IS NOT NULL")
        }
      }
    }
    if rules.contains(.types) {
      switch type {
      case _ where isExternal: list.append("\(column) < x'01' OR \(column) >= x'02'")
      case .integer16, .integer32, .integer64:
        list.append("\(column) >= '' OR \(column) <> CAST(\(column) AS INTEGER)")
      case .boolean: list.append("\(column) NOT IN (0, 1)")
      case .decimal:
        let magnitudes = AttributeType.decimalMagnitudes
        let (least, most) = (magnitudes.lowerBound, magnitudes.upperBound)
        list.append("\(column) NOT BETWEEN \(-most) AND \(most)")
        list.append("\(column) <> 0 AND \(column) BETWEEN \(-least) AND \(least)")
      case .double, .float, .date: list.append("\(column) >= ''")
      case .string, .uri:
        list.append("\(column) < '' OR \(column) >= x'' OR NOT \(Self.isText(column))")
      case .uuid: list.append("\(column) IS NOT NULL")
      case .binary, .transformable: list.append("\(column) < x''")
      case .undefined, .objectID, .composite: break
      }
    }
    return list
  }
}

extension ExternalData {
  /// The problem of the column of an attribute whose data may be in a file.
  fileprivate func problem(of value: AttributeValue) -> ValidationRule? {
    guard case .bytes(let bytes) = value else { return .wrongType(wanted: "Binary") }
    guard !bytes.isEmpty else { return nil }
    do throws(StoreError) {
      return try missingFile(value).map { .lostData(file: $0) }
    } catch {
      return .wrongType(wanted: "Binary")
    }
  }
}

extension AttributeValue {
  /// A key; 0, which no object has, if the column contains none.
  fileprivate var key: Int64 { integer ?? 0 }
}
