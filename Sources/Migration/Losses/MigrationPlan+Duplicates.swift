package import StrataBase
internal import StrataMapping
internal import StrataObjectModel
package import StrataSQLite
package import StrataStore

extension MigrationPlan.Hop {
  /// The violated uniqueness constraints of the destination, each with the number of objects whose values equal
  /// those of an earlier object.
  ///
  /// Only copied values without a filter or a policy are counted; other values are unknown before they are
  /// computed.
  ///
  /// ```swift
  /// try hop.duplicates(in: reader)  // Topic: title becomes unique …: 1 object (p4)
  /// ```
  ///
  /// - Throws: ``StoreError`` if the store cannot be read.
  package func duplicates(in reader: borrowing StoreReader) throws(StoreError) -> [Finding] {
    var findings: [Finding] = []
    for entity in to.model.entities {
      for constraint in entity.uniquenessConstraints {
        let family = [entity.name] + to.model.descendantNames(of: entity.name)
        var values: [AttributeValue] = []
        var selects: [String] = []
        for mapping in entityMappings where mapping.destinationName.map(family.contains) == true {
          guard mapping.sourceName != nil else { continue }
          guard let select = select(constraint, mapping, reader, &values, selects.count) else {
            selects = []
            break
          }
          selects.append(select)
        }
        guard !selects.isEmpty else { continue }
        let evidence = try Self.evidence(
          selects, values, width: constraint.count, reader.store.connection)
        guard evidence.count ?? 0 > 0 else { continue }
        findings.append(
          Finding(
            InferenceRule.newConstraint(constraint), severity: .error,
            at: FindingPlace(entity: entity.name), evidence: evidence))
      }
    }
    return findings
  }

  /// A query for an entity mapping's values of a constraint, with the columns `key`, `part`, `k0`, `k1`, …;
  /// `nil` if they are unknown before the migration.
  private func select(
    _ constraint: [String], _ mapping: EntityMapping, _ reader: borrowing StoreReader,
    _ values: inout [AttributeValue], _ part: Int
  ) -> String? {
    guard mapping.policyName == nil, mapping.filter == nil, mapping.customSource == nil,
      let entity = mapping.sourceName, let name = mapping.destinationName,
      let shape = reader.shape(of: entity), let number = reader.layout.entityNumbers[entity]
    else { return nil }
    let copied = CopiedAttributes(mapping, from: from.model, to: to.model)
    var columns: [String] = []
    for property in constraint {
      guard let attribute = to.model.attribute(property, of: name)?.property,
        let copy = mapping.attributeMappings.first(where: { $0.name == property }),
        let pair = copied.pairs(copy)?.first, pair.old.type == pair.new.type,
        let place = shape.place(of: pair.old.name)
      else { return nil }
      let column = shape.columnName(at: place)
      if attribute.isOptional || attribute.storedDefault == .null {
        columns.append("\(column) AS k\(columns.count)")
      } else {
        columns.append("coalesce(\(column), ?) AS k\(columns.count)")
        values.append(attribute.storedDefault)
      }
    }
    return
      "SELECT Z_PK AS key, \(part) AS part, \(columns.joined(separator: ", ")) "
      + "FROM \(shape.table.plainOrQuoted) WHERE Z_ENT = \(number)"
  }

  private static func evidence(
    _ selects: [String], _ values: [AttributeValue], width: Int, _ connection: SQLiteConnection
  ) throws(StoreError) -> FindingEvidence {
    let names = (0..<width).map { "k\($0)" }
    let list = names.joined(separator: ", ")
    // Nil values are never equal.
    let known = names.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
    let rows = "(\(selects.joined(separator: " UNION ALL "))) AS r WHERE \(known)"
    let all = try connection.number("SELECT count(*) FROM \(rows)", values)
    let groups = "FROM \(rows) GROUP BY \(list)"
    let count = all - (try connection.number("SELECT count(*) FROM (SELECT 1 \(groups))", values))
    guard count > 0 else { return FindingEvidence(count: 0, unit: .object) }
    let same = names.map { "r.\($0) = g.\($0)" }.joined(separator: " AND ")
    let keys = try connection.keys(
      "SELECT r.key FROM (\(selects.joined(separator: " UNION ALL "))) AS r JOIN "
        + "(SELECT min(key) AS first, \(list) \(groups) HAVING count(*) > 1) AS g ON \(same) "
        + "WHERE r.key > g.first ORDER BY 1 LIMIT \(Loss.keyLimit)", values + values)
    return FindingEvidence(count: count, unit: .object, keys: keys)
  }
}
