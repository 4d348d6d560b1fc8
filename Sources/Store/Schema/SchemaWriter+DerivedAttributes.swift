internal import StrataExpressions
internal import StrataObjectModel
internal import StrataSQLite

extension SchemaWriter {
  /// The column of a derived attribute.
  private struct Target {
    var entity: String
    var attribute: String
    var table: String
    var column: String

    /// The call that reports a changed value to Core Data; `key` is the condition of the changed rows.
    func report(_ key: String, inserted: Bool = false) -> String {
      let function =
        inserted
        ? "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue"
        : "NSCoreDataDATriggerUpdatedAffectedObjectValue"
      return
        "SELECT \(function)(\(table.sqlText), Z_ENT, Z_PK, \(attribute.sqlText), "
        + "\(column.plainOrQuoted)) FROM \(table.plainOrQuoted) WHERE \(key)"
    }

    func name(on table: String, _ event: String) -> String {
      "Z_DA_\(table)_\(entity)_\(attribute)_\(event)"
    }
  }

  /// The triggers that update derived attributes, since iOS 13.
  mutating func writeDerivedAttributes() {
    guard version.recordsDigest else { return }
    for entity in layout.entityOrder {
      for attribute in model[entity]?.attributes ?? [] where attribute.isDerived {
        guard let table = layout.table(of: entity),
          let column = layout.column(of: attribute.name, declaredBy: entity),
          let derivation = attribute.derivation
        else { continue }
        let target = Target(
          entity: entity, attribute: attribute.name, table: table.name, column: column.name)
        if write(DerivationExpression(parsing: derivation), to: target) { continue }
        omissions.append(
          SchemaOmission(entity: entity, name: attribute.name, reason: .derivation(derivation)))
      }
    }
    sortValues()
  }

  /// A value that is copied from another derived attribute is computed after it.
  private mutating func sortValues() {
    var (left, sorted) = (derivedValues, [StoreSchema.DerivedValue]())
    var open = Set(left.map(\.id))
    while !left.isEmpty {
      // A cycle has no valid order.
      let next = left.firstIndex { $0.copied.map { !open.contains($0) } ?? true } ?? 0
      open.remove(left[next].id)
      sorted.append(left.remove(at: next))
    }
    derivedValues = sorted
  }

  /// Whether it is one of the two proven forms.
  private mutating func write(_ derivation: DerivationExpression, to target: Target) -> Bool {
    switch derivation.expression {
    case .function("count:", on: nil, let arguments)?:
      guard arguments.count == 1, case .keyPath(of: nil, let path) = arguments[0],
        path.count == 1
      else { return false }
      return writeCount(of: path[0], to: target)
    case .keyPath(of: nil, let path)?:
      return path.count == 2 && writeCopy(of: path[1], through: path[0], to: target)
    default: return false
    }
  }

  private mutating func addValue(
    of target: Target, copying source: Declared<Attribute>? = nil, _ sql: String
  ) {
    derivedValues.append(
      StoreSchema.DerivedValue(
        entity: target.entity, attribute: target.attribute,
        copied: source?.id, sql: sql))
  }

  /// `pages.@count`: inserting or deleting a page changes the count.
  private mutating func writeCount(of name: String, to target: Target) -> Bool {
    guard let relationship = model.relationship(name, of: target.entity),
      model.inverse(of: relationship.property) != nil,
      let (childTable, owner) = layout.ownerColumn(of: relationship, in: model)
    else { return false }
    let (table, column) = (target.table.plainOrQuoted, target.column.plainOrQuoted)
    let (child, key) = (childTable.name.plainOrQuoted, owner.name.plainOrQuoted)
    func step(_ event: String, _ when: String, _ row: String, _ value: String) {
      addTrigger(
        target.name(on: childTable.name, "PARAMETER_\(event)"), on: childTable.name,
        "AFTER \(when) ON \(child) FOR EACH ROW WHEN (\(row).\(key) NOT NULL) BEGIN "
          + "UPDATE \(table) SET \(column) = \(value) WHERE Z_PK = \(row).\(key); "
          + "\(target.report("Z_PK = \(row).\(key)")); END")
    }
    step("INSERT", "INSERT", "NEW", "IFNULL(\(column), 0) + 1")
    step("UPDATE_INCREMENT", "UPDATE OF \(key)", "NEW", "\(column) + 1")
    step("UPDATE_DECREMENT", "UPDATE OF \(key)", "OLD", "\(column) - 1")
    step("DELETE", "DELETE", "OLD", "\(column) - 1")
    addTrigger(
      target.name(on: target.table, "SOURCE_INSERT"), on: target.table,
      "AFTER INSERT ON \(table) FOR EACH ROW BEGIN UPDATE \(table) SET \(column) = "
        + "(SELECT IFNULL(COUNT(\(key)), 0) FROM \(child) WHERE \(key) = NEW.Z_PK) "
        + "WHERE Z_PK = NEW.Z_PK; \(target.report("Z_PK = NEW.Z_PK", inserted: true)); END")
    addValue(
      of: target,
      "UPDATE \(table) SET \(column) = (SELECT COUNT(c.\(key)) FROM \(child) AS c WHERE c.\(key) = "
        + "\(table).Z_PK) WHERE Z_ENT IN (\(layout.numberList(below: target.entity, of: model)))")
    return true
  }

  /// `chat.serverId`: the value is copied when either object changes.
  private mutating func writeCopy(
    of name: String, through relationshipName: String, to target: Target
  ) -> Bool {
    guard let relationship = model.relationship(relationshipName, of: target.entity),
      !relationship.property.isToMany,
      let foreignKey = columnName(of: relationshipName, in: target.entity),
      let destination = layout.table(of: relationship.property.destinationName),
      let source = columnName(of: name, in: relationship.property.destinationName)
    else { return false }
    let (table, column) = (target.table.plainOrQuoted, target.column.plainOrQuoted)
    let (other, key) = (destination.name.plainOrQuoted, foreignKey.plainOrQuoted)
    let value = source.plainOrQuoted
    let copied = model.attribute(name, of: relationship.property.destinationName)
    let fetch =
      "UPDATE \(table) SET \(column) = (SELECT \(value) FROM \(other) WHERE Z_PK = NEW.\(key)) "
      + "WHERE Z_PK = NEW.Z_PK; "
    let push =
      "UPDATE \(table) SET \(column) = NEW.\(value) WHERE \(key) = NEW.Z_PK; "
    addTrigger(
      target.name(on: target.table, "SOURCE_INSERT"), on: target.table,
      "AFTER INSERT ON \(table) FOR EACH ROW BEGIN \(fetch)"
        + "\(target.report("Z_PK = NEW.Z_PK", inserted: true)); END")
    addTrigger(
      target.name(on: target.table, "SOURCE_UPDATE"), on: target.table,
      "AFTER UPDATE OF \(key) ON \(table) FOR EACH ROW BEGIN \(fetch)"
        + "\(target.report("Z_PK = NEW.Z_PK")); END")
    addTrigger(
      target.name(on: destination.name, "PARAMETER_INSERT"), on: destination.name,
      "AFTER INSERT ON \(other) FOR EACH ROW BEGIN \(push)"
        + "\(target.report("\(key) = NEW.Z_PK", inserted: true)); END")
    addTrigger(
      target.name(on: destination.name, "PARAMETER_UPDATE"), on: destination.name,
      "AFTER UPDATE OF \(value) ON \(other) FOR EACH ROW BEGIN \(push)"
        + "\(target.report("\(key) = NEW.Z_PK")); END")
    addValue(
      of: target, copying: copied,
      "UPDATE \(table) SET \(column) = (SELECT \(value) FROM \(other) AS other WHERE other.Z_PK = "
        + "\(table).\(key)) WHERE Z_ENT IN (\(layout.numberList(below: target.entity, of: model)))")
    return true
  }
}
