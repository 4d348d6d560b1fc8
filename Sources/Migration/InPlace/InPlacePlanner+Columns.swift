internal import StrataBase
internal import StrataMapping
internal import StrataObjectModel
internal import StrataSQLite
internal import StrataStore

/// Where the values of a destination column come from, for the objects of one entity.
struct ColumnOrigin {
  /// The destination's column.
  var column: StoreColumn
  /// The source's column; `nil` where there was none.
  var source: StoreColumn?
  /// The value over a row of the source.
  var expression: String
  /// Whether rows that stay where they are need no change.
  var isPlain: Bool
  /// What stands in for a value that is missing; `NULL` where that is allowed.
  var fallback = AttributeValue.null
  /// Of an attribute without a source: its default.
  var defaultValue = AttributeValue.null
}

extension InPlacePlanner {
  /// The columns of an entity's rows.
  func origins(of lineage: EntityLineage) -> [ColumnOrigin] {
    guard let shape = StoreRowShape(lineage.destination, model: destination, layout: after) else {
      return []
    }
    let owners = destination.attributesByStoredName(of: lineage.destination)
    return shape.names.indices.map { place in
      let column = shape.columns[place]
      switch shape.contents[place] {
      case .attribute(let leaf):
        return origin(of: leaf, in: owners[leaf.name] ?? leaf, lineage, column)
      case .toOne:
        let old = lineage.sourceRelationship(of: shape.names[place], in: source)
        let found = old.flatMap { old in
          old.property.isToMany || old.property.isTransient
            ? nil : before.column(of: old.property.name, declaredBy: old.declaringEntity)
        }
        return carried(column, from: found)
      case .owner:
        return carried(column, from: strangerSource(shape.names[place], to: lineage))
      }
    }
  }

  private func carried(_ column: StoreColumn, from source: StoreColumn?) -> ColumnOrigin {
    ColumnOrigin(
      column: column, source: source, expression: source?.name.plainOrQuoted ?? "NULL",
      isPlain: source != nil)
  }

  /// The column of a to-many relationship without an inverse, where it had none before either.
  private func strangerSource(_ name: String, to lineage: EntityLineage) -> StoreColumn? {
    let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
    guard parts.count == 2, let owner = lineages[parts[0]],
      let old = owner.sourceRelationship(of: parts[1], in: source), old.property.isToMany,
      source.inverse(of: old.property) == nil,
      let table = lineage.source.flatMap({ before.table(of: $0)?.name }),
      before.table(of: old.property.destinationName)?.name == table
    else { return nil }
    return before.column(of: old.property.name, declaredBy: old.declaringEntity)
  }

  private func origin(
    of leaf: Attribute, in attribute: Attribute, _ lineage: EntityLineage, _ column: StoreColumn
  ) -> ColumnOrigin {
    guard let entity = lineage.source,
      let name = lineage.sourceAttribute(of: attribute.name),
      let old = sourceLeaf(name + leaf.elementPath(in: attribute.name), in: entity),
      let found = before.column(of: old.name, in: entity, of: source)
    else {
      return ColumnOrigin(
        column: column, source: nil, expression: leaf.storedDefault.sqlLiteral, isPlain: false,
        fallback: leaf.standIn(for: nil, isInferred: true), defaultValue: leaf.storedDefault)
    }
    let own = found.name.plainOrQuoted
    // Whole numbers stay where they are as long as all have room.
    let isRoomy =
      leaf.type.isWhole && old.type.isWhole && !numbersOutside.contains("\(entity).\(old.name)")
    let converted = isRoomy ? own : leaf.conversion(of: own, from: old)
    let fallback = leaf.standIn(for: old, isInferred: true)
    let isSafe = fallback == .null
    return ColumnOrigin(
      column: column, source: found,
      expression: isSafe ? converted : "coalesce(\(converted), \(fallback.sqlLiteral))",
      isPlain: converted == own && isSafe, fallback: fallback)
  }

  /// What the source stores under a key path.
  private func sourceLeaf(_ path: String, in entity: String) -> Attribute? {
    source.storedAttribute(path, of: entity)?.stored
  }

  /// The conversions of numbers that may lose something: the source's column, and the conditions.
  func lossyConversions() -> [LossyConversion] {
    lineages.values.flatMap { lineage -> [LossyConversion] in
      guard let entity = lineage.source,
        let shape = StoreRowShape(entity, model: source, layout: before)
      else { return [] }
      let owners = destination.attributesByStoredName(of: lineage.destination)
      return owners.sorted { $0.key < $1.key }.compactMap { path, attribute in
        guard let name = lineage.sourceAttribute(of: attribute.name),
          let leaf = destination.storedAttributes(of: attribute).first(where: { $0.name == path }),
          let place = shape.place(of: name + leaf.elementPath(in: attribute.name)),
          case .attribute(let old) = shape.contents[place]
        else { return nil }
        let losses = leaf.losses(of: shape.columnName(at: place), from: old)
        return losses.isEmpty
          ? nil
          : LossyConversion(
            entity: entity, property: leaf.name, place: place, sourcePath: old.name, losses: losses)
      }
    }
  }
}

/// A conversion of a source attribute's numbers that may lose something.
struct LossyConversion {
  var entity: String
  /// The destination's attribute.
  var property: String
  /// Of the column, in the shape of the source entity.
  var place: Int
  var sourcePath: String
  var losses: [(kind: LossRule, condition: String)]
}
