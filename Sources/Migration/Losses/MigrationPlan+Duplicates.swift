package import StrataBase
internal import StrataMapping
internal import StrataObjectModel
package import StrataSQLite
package import StrataStore

extension MigrationPlan.Hop {
  /// The violated uniqueness constraints of the destination, each with the number of objects whose values equal
  /// those of an earlier object.
  ///
  /// Only default values, copied and converted values, and the links of inferred migrations are counted, without a filter
  /// or a policy; other values are unknown before they are computed.
  ///
  /// ```swift
  /// for finding in try hop.duplicates(in: reader) { print(finding.message) }
  /// ```
  ///
  /// - Throws: ``StoreError`` if the store cannot be read.
  package func duplicates(in reader: borrowing StoreReader) throws(StoreError) -> [Finding] {
    var findings: [Finding] = []
    for entity in to.model.entities {
      for constraint in entity.uniquenessConstraints {
        let sources = entityMappings.filter { mapping in
          guard mapping.sourceName != nil, let name = mapping.destinationName else { return false }
          return to.model.allConstraints(of: name).contains { $0 == (entity.name, constraint) }
        }
        var selects: [String] = []
        for (part, mapping) in sources.enumerated() {
          guard
            let select = KnownRows(mapping, of: self, in: reader)?.select(constraint, part)
          else {
            selects = []
            break
          }
          selects.append(select)
        }
        guard !selects.isEmpty else { continue }
        let evidence = try Self.evidence(
          selects, width: constraint.count, reader.store.connection)
        guard evidence.count ?? 0 > 0 else { continue }
        findings.append(
          Finding(
            InferenceRule.newConstraint(constraint), severity: .error,
            at: FindingLocation(entity: entity.name), evidence: evidence))
      }
    }
    return findings
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
        + "(SELECT min(key) AS first, \(list) \(groups) HAVING count(*) > 1) AS g ON \(same) "
        + "WHERE r.key > g.first ORDER BY 1 LIMIT \(Loss.keyLimit)", [])
    return FindingEvidence(count: count, unit: .object, keys: keys)
  }
}

/// The source rows of an entity mapping, whose values in the destination are known before they are migrated.
private struct KnownRows {
  private let lineage: EntityLineage?
  private let shape: StoreRowShape
  private let number: Int64
  private let model: ObjectModel
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
    (self.shape, self.number, model) = (shape, number, hop.from.model)
    sources = ColumnSource.all(
      of: newShape, in: hop.to.model, by: mapping.attributeMappings, from: shape,
      in: hop.from.model, isInferred: hop.isInferred)
  }

  /// The values of a constraint, as `key`, `part`, `k0`, `k1`, …; `nil` where they are not known before they are
  /// computed.
  func select(_ constraint: [String], _ part: Int) -> String? {
    var columns: [String] = []
    for property in constraint {
      guard let value = value(of: property) else { return nil }
      columns.append("\(value) AS k\(columns.count)")
    }
    return
      "SELECT Z_PK AS key, \(part) AS part, \(columns.joined(separator: ", ")) "
      + "FROM \(shape.table.plainOrQuoted) WHERE Z_ENT = \(number)"
  }

  private func value(of property: String) -> String? {
    guard let source = sources.first(where: { $0.attribute.name == property }) else {
      // The objects of an inferred migration keep their keys.
      return lineage?.sourceRelationship(of: property, in: model).flatMap { old in
        shape.index(of: old.property.name).map(shape.columnName(at:))
      }
    }
    switch source.origin {
    case .constant(let value): return value.sqlLiteral
    case .column(let index, let old, let copy):
      guard !source.isExternal, copy != .checked else { return nil }
      let column = shape.columnName(at: index)
      return source.withStandIn(source.attribute.conversion(of: column, from: old))
    case .expression, .policy: return nil
    }
  }
}
