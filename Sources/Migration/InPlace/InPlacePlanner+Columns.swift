internal import StrataBase
internal import StrataMapping
internal import StrataObjectModel
internal import StrataSQLite
internal import StrataStore

/// The SQL of a destination column's value, for the objects of one entity.
struct ColumnOrigin {
  /// The destination's column.
  var column: StoreColumn
  /// The source column; `nil` if there is none.
  var source: StoreColumn?
  /// The SQL of the value, for a row of the source.
  var expression: String
  /// The replacement for a missing value; `NULL` if that is allowed.
  var fallback = AttributeValue.null
  /// The default value of an attribute without a source.
  var defaultValue = AttributeValue.null

  /// Whether rows in a kept table need no change.
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
    return shape.names.indices.map { index in
      let column = shape.columns[index]
      switch shape.contents[index] {
      case .attribute:
        return origin(attributes.removeFirst(), column, sourceShape)
      case .toOne:
        let old = lineage.sourceRelationship(of: shape.names[index], in: source)
        let found = old.flatMap { old in
          old.property.isToMany || old.property.isTransient
            ? nil : before.column(of: old.property.name, declaredBy: old.declaringEntity)
        }
        return carried(column, from: found)
      case .owner:
        return carried(column, from: sourceWithoutInverse(shape.names[index], to: lineage))
      }
    }
  }

  private func sourceShape(of lineage: EntityLineage) -> StoreRowShape? {
    lineage.source.flatMap { StoreRowShape($0, model: source, layout: before) }
  }

  /// The sources of an entity's attributes, in the order of the row shape.
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

  /// The column of a to-many relationship without an inverse that had no inverse before either.
  private func sourceWithoutInverse(_ name: String, to lineage: EntityLineage) -> StoreColumn? {
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
    guard case .column(let index, let old, _) = attribute.origin, let sourceShape else {
      return ColumnOrigin(
        column: column, source: nil, expression: leaf.storedDefault.sqlLiteral,
        fallback: attribute.standIn, defaultValue: leaf.storedDefault)
    }
    let own = sourceShape.columnName(at: index)
    // Integers are kept unchanged if all are in range.
    let isRoomy =
      leaf.type.isWhole && old.type.isWhole
      && !numbersOutside.contains("\(sourceShape.entity).\(old.name)")
    return ColumnOrigin(
      column: column, source: sourceShape.columns[index],
      expression: attribute.withStandIn(isRoomy ? own : leaf.conversion(of: own, from: old)),
      fallback: attribute.standIn)
  }

  /// The conversions of numbers that can lose data: the source column and the conditions.
  func lossyConversions() -> [LossyConversion] {
    lineages.values.flatMap { lineage -> [LossyConversion] in
      guard let sourceShape = sourceShape(of: lineage),
        let shape = StoreRowShape(lineage.destination, model: destination, layout: after)
      else { return [] }
      return sources(of: lineage, shape, sourceShape).compactMap { attribute in
        guard case .column(let index, let old, _) = attribute.origin else { return nil }
        let losses = attribute.attribute.losses(of: sourceShape.columnName(at: index), from: old)
        return losses.isEmpty
          ? nil
          : LossyConversion(
            entity: sourceShape.entity,
            attribute: PropertyID(entity: lineage.destination, name: attribute.attribute.name),
            index: index, sourcePath: old.name, losses: losses)
      }
    }
  }
}

/// A conversion of a source attribute's numbers that can lose data.
struct LossyConversion {
  var entity: String
  /// The destination attribute.
  var attribute: PropertyID
  /// The index of the column in the source entity's row shape.
  var index: Int
  var sourcePath: String
  var losses: [(kind: LossRule, condition: String)]
}

extension [LossyConversion] {
  /// The numbers that a store loses.
  func numbers(in store: borrowing StoreReader) throws(StoreError) -> [NumberLoss] {
    var numbers: [NumberLoss] = []
    for conversion in self {
      for (kind, condition) in conversion.losses {
        let (count, first) = try store.values(
          of: conversion.entity, at: conversion.index, where: .holds(condition),
          limit: Loss.keyLimit)
        guard count > 0 else { continue }
        numbers.append(
          NumberLoss(
            attribute: conversion.attribute, rule: kind, sourceEntity: conversion.entity,
            affected: Receipt.Affected(count: count, keys: first.map(\.key))))
      }
    }
    return numbers.sorted { $0.sortKey < $1.sortKey }
  }
}
