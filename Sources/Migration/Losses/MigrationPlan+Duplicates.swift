package import StrataBase
internal import StrataMapping
internal import StrataObjectModel
package import StrataSQLite
package import StrataStore

extension MigrationPlan.Hop {
  /// The violated uniqueness constraints of the destination, each with the number of objects whose values equal
  /// those of an earlier object.
  ///
  /// Only default values, copied and converted values, and the links of inferred migrations are counted, without a
  /// filter, a policy or a custom stage; other values are unknown before they are computed.
  ///
  /// ```swift
  /// for finding in try hop.duplicates(in: reader) { print(finding.message) }
  /// ```
  ///
  /// - Throws: ``StoreError`` if the store cannot be read.
  package func duplicates(in reader: borrowing StoreReader) throws(StoreError) -> [Finding] {
    guard stage == nil else { return [] }
    var sources: [(constraints: [ObjectModel.OwnedConstraint], rows: KnownRows?)] = []
    for mapping in entityMappings where mapping.sourceName != nil {
      let constraints = mapping.destinationName.map(to.model.allConstraints(of:)) ?? []
      guard !constraints.isEmpty else { continue }
      sources.append((constraints, KnownRows(mapping, of: self, in: reader)))
    }
    var findings: [Finding] = []
    for entity in to.model.entities {
      for constraint in entity.uniquenessConstraints {
        let creating = sources.filter { source in
          source.constraints.contains { $0 == (entity.name, constraint) }
        }
        // In passes, objects are created entity mapping by entity mapping.
        var selects = creating.enumerated().compactMap { part, source in
          source.rows?.select(constraint, isInferred ? 0 : part)
        }
        guard !selects.isEmpty, selects.count == creating.count else { continue }
        let filled = try filledRows(
          constraint, of: entity.name, like: creating.map(\.rows), in: reader)
        if let filled { selects.append(filled) }
        let evidence = try Self.evidence(
          selects, width: constraint.count, reader.store.connection)
        guard evidence.count ?? 0 > 0 else { continue }
        var finding = Finding(
          InferenceRule.newConstraint(constraint), severity: .error,
          at: FindingLocation(entity: entity.name), evidence: evidence)
        let areEqual = creating.contains { $0.rows?.areConstant(constraint) == true }
        finding.fixes = [
          Fix(
            areEqual
              ? "every \(filled == nil ? "object" : "row of the table") gets the default \(constraint.count == 1 ? "value" : "values"): omit it in the model, or compute a value for each in a stage or a policy"
              : "give these objects other values before the migration, or delete them")
        ]
        findings.append(finding)
      }
    }
    return findings
  }

  /// The rows of other entities that get the default values of a constraint in place, as those of ``KnownRows``.
  private func filledRows(
    _ constraint: [String], of entity: String, like rows: [KnownRows?],
    in reader: borrowing StoreReader
  ) throws(StoreError) -> String? {
    guard means == .inPlace, let first = rows.first ?? nil, first.areConstant(constraint),
      let others = first.select(constraint, 0, exceptFrom: rows.compactMap { $0 })
    else { return nil }
    do {
      var counts = StoreCounts()
      let plan = try InPlacePlan(
        from: from.model, to: to.model, mapping: parts[0].mapping, store: reader, &counts,
        isChangedBefore: false, version: .newest)
      return plan.fills(constraint, of: entity, in: to.model) ? others : nil
    } catch let error as StoreError {
      throw error
    } catch {
      // The migration names what keeps it from being planned.
      return nil
    }
  }

  private static func evidence(
    _ selects: [String], width: Int, _ connection: SQLiteConnection
  ) throws(StoreError) -> FindingEvidence {
    let names = (0..<width).map { "k\($0)" }
    let list = names.joined(separator: ", ")
    // Nil values are never equal.
    let known = names.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
    let rows = "(\(selects.joined(separator: " UNION ALL "))) AS r WHERE \(known)"
    let all = try connection.number("SELECT count(*) FROM \(rows)")
    let groups = "FROM \(rows) GROUP BY \(list)"
    let count = all - (try connection.number("SELECT count(*) FROM (SELECT 1 \(groups))"))
    guard count > 0 else { return FindingEvidence(count: 0, unit: .object) }
    let same = names.map { "r.\($0) = g.\($0)" }.joined(separator: " AND ")
    let keys = try connection.keys(
      "SELECT r.key FROM (\(selects.joined(separator: " UNION ALL "))) AS r JOIN "
        + "(SELECT min(part) AS part, first, \(list) FROM (SELECT part, min(key) AS first, \(list) "
        + "\(groups), part) GROUP BY \(list)) AS g ON \(same) "
        + "WHERE (r.part, r.key) > (g.part, g.first) ORDER BY 1 LIMIT \(Loss.keyLimit)", [])
    return FindingEvidence(count: count, unit: .object, keys: keys)
  }
}

/// The source rows of an entity mapping, whose values in the destination are known before they are migrated.
private struct KnownRows {
  private let lineage: EntityLineage?
  private let shape: StoreRowShape
  private let number: Int64
  private let hop: MigrationPlan.Hop
  private let layout: StoreLayout
  private let sources: [ColumnSource]

  /// `nil` where what becomes of a value is not known before it is computed.
  init?(
    _ mapping: EntityMapping, of hop: MigrationPlan.Hop, in reader: borrowing StoreReader
  ) {
    guard mapping.policyName == nil, mapping.filter == nil, mapping.customSource == nil,
      let entity = mapping.sourceName, let shape = reader.shape(of: entity),
      let number = reader.layout.entityNumbers[entity], let destination = mapping.destinationName,
      let newShape = StoreRowShape(
        destination, model: hop.to.model, layout: StoreLayout(hop.to.model))
    else { return nil }
    lineage = hop.isInferred ? EntityLineage(mapping) : nil
    (self.shape, self.number, self.hop, layout) = (shape, number, hop, reader.layout)
    sources = ColumnSource.all(
      of: newShape, in: hop.to.model, by: mapping.attributeMappings, from: shape,
      in: hop.from.model, isInferred: hop.isInferred)
  }

  /// The values of a constraint, as `key`, `part`, `k0`, `k1`, …; `nil` where they are not known before they are
  /// computed.
  ///
  /// - Parameter others: The rows whose entities are left out; `nil` for the rows of this entity alone.
  func select(_ constraint: [String], _ part: Int, exceptFrom others: [KnownRows]? = nil) -> String?
  {
    var columns: [String] = []
    for property in constraint {
      guard let value = value(of: property) else { return nil }
      columns.append("\(value) AS k\(columns.count)")
    }
    return
      "SELECT Z_PK AS key, \(part) AS part, \(columns.joined(separator: ", ")) "
      + "FROM \(shape.table.plainOrQuoted) AS s WHERE "
      + (others.map {
        "Z_ENT NOT IN (\(($0.map(\.number) + removedNumbers).map(String.init).joined(separator: ", ")))"
      }
        ?? "Z_ENT = \(number)")
  }

  /// The numbers of the source entities whose objects are lost.
  private var removedNumbers: [Int64] {
    let continued = hop.continuedEntities
    return hop.from.model.entityNames.filter { !continued.contains($0) }
      .compactMap { layout.entityNumbers[$0] }
  }

  /// Whether all objects get the same values.
  func areConstant(_ properties: [String]) -> Bool {
    properties.allSatisfy { property in
      sources.contains { source in
        if source.attribute.name == property, case .constant = source.origin { true } else { false }
      }
    }
  }

  private func value(of property: String) -> String? {
    guard let source = sources.first(where: { $0.attribute.name == property }) else {
      return link(property)
    }
    switch source.origin {
    case .constant(let value): return value.sqlLiteral
    case .column(let index, let old, _):
      guard !source.isExternal else { return nil }
      let column = shape.columnName(at: index)
      return source.withStandIn(source.attribute.conversion(of: column, from: old))
    case .expression, .refused, .policy: return nil
    }
  }

  /// The key of a link in an inferred migration, in which objects keep their keys; `NULL` where its destination is not
  /// there any more. Of a one-to-one relationship each object keeps one link, which is not known.
  private func link(_ name: String) -> String? {
    guard let lineage, let new = hop.to.model.relationship(name, of: lineage.destination)?.property,
      hop.to.model.inverse(of: new)?.property.isToMany != false,
      let old = lineage.sourceRelationship(of: name, in: hop.from.model)?.property,
      let index = shape.index(of: old.name), let table = layout.table(of: old.destinationName)
    else { return nil }
    let family = Set(hop.to.model.familyNames(of: new.destinationName))
    let numbers = hop.entityMappings.filter { $0.destinationName.map(family.contains) == true }
      .compactMap { $0.sourceName.flatMap { layout.entityNumbers[$0] } }.map(String.init)
    return
      "(SELECT t.Z_PK FROM \(table.name.quoted) AS t WHERE t.Z_PK = s.\(shape.columnName(at: index)) "
      + "AND t.Z_ENT IN (\(numbers.joined(separator: ", "))))"
  }
}
