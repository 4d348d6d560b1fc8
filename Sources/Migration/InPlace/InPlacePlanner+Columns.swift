internal import StrataBase
internal import StrataMapping
internal import StrataObjectModel
internal import StrataSQLite
internal import StrataStore

/// What a destination column gets in SQL, for the objects of one entity.
struct ColumnOrigin {
  /// The destination's column.
  var column: StoreColumn
  /// The source's column; `nil` where there was none.
  var source: StoreColumn?
  /// The value over a row of the source.
  var expression: String
  /// What stands in for a value that is missing; `NULL` where that is allowed.
  var fallback = AttributeValue.null
  /// Of an attribute without a source: its default.
  var defaultValue = AttributeValue.null

  /// Whether rows that stay where they are need no change.
  var isPlain: Bool { source?.name.plainOrQuoted == expression }
}

extension InPlacePlanner {
  /// The columns of an entity's rows.
  func origins(of lineage: EntityLineage) -> [ColumnOrigin] {
    guard let shape = StoreRowShape(lineage.destination, model: destination, layout: after) else {
      return []
    }
    let sourceShape = sourceShape(of: lineage)
    var attributes = sources(of: lineage, shape, sourceShape)[...]
    return shape.names.indices.map { place in
      let column = shape.columns[place]
      switch shape.contents[place] {
      case .attribute:
        return origin(attributes.removeFirst(), column, sourceShape)
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

  private func sourceShape(of lineage: EntityLineage) -> StoreRowShape? {
    lineage.source.flatMap { StoreRowShape($0, model: source, layout: before) }
  }

  /// Where the attributes of an entity's rows come from, in the order of its shape.
  private func sources(
    of lineage: EntityLineage, _ shape: StoreRowShape, _ sourceShape: StoreRowShape?
  ) -> [ColumnSource] {
    ColumnSource.all(
      of: shape, in: destination, by: lineage.attributeMappings, from: sourceShape, in: source,
      isInferred: true)
  }

  private func carried(_ column: StoreColumn, from source: StoreColumn?) -> ColumnOrigin {
    ColumnOrigin(
      column: column, source: source, expression: source?.name.plainOrQuoted ?? "NULL")
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
    _ attribute: ColumnSource, _ column: StoreColumn, _ sourceShape: StoreRowShape?
  ) -> ColumnOrigin {
    let leaf = attribute.attribute
    guard case .column(let place, let old, _) = attribute.origin, let sourceShape else {
      return ColumnOrigin(
        column: column, source: nil, expression: leaf.storedDefault.sqlLiteral,
        fallback: attribute.standIn, defaultValue: leaf.storedDefault)
    }
    let own = sourceShape.columnName(at: place)
    // Whole numbers stay where they are as long as all have room.
    let isRoomy =
      leaf.type.isWhole && old.type.isWhole
      && !numbersOutside.contains("\(sourceShape.entity).\(old.name)")
    return ColumnOrigin(
      column: column, source: sourceShape.columns[place],
      expression: attribute.withStandIn(isRoomy ? own : leaf.conversion(of: own, from: old)),
      fallback: attribute.standIn)
  }

  /// The conversions of numbers that may lose something: the source's column, and the conditions.
  func lossyConversions() -> [LossyConversion] {
    lineages.values.flatMap { lineage -> [LossyConversion] in
      guard let sourceShape = sourceShape(of: lineage),
        let shape = StoreRowShape(lineage.destination, model: destination, layout: after)
      else { return [] }
      return sources(of: lineage, shape, sourceShape).compactMap { attribute in
        guard case .column(let place, let old, _) = attribute.origin else { return nil }
        let losses = attribute.attribute.losses(of: sourceShape.columnName(at: place), from: old)
        return losses.isEmpty
          ? nil
          : LossyConversion(
            entity: sourceShape.entity, property: attribute.attribute.name, place: place,
            sourcePath: old.name, losses: losses)
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
