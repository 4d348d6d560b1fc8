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
  /// for finding in try hop.duplicates(in: reader) { print(finding.message) }
  /// ```
  ///
  /// - Throws: ``StoreError`` if the store cannot be read.
  package func duplicates(in reader: borrowing StoreReader) throws(StoreError) -> [Finding] {
    var findings: [Finding] = []
    for entity in to.model.entities where !entity.uniquenessConstraints.isEmpty {
      let family = Set(to.model.familyNames(of: entity.name))
      let sources = entityMappings.filter {
        $0.sourceName != nil && $0.destinationName.map(family.contains) == true
      }.map { mapping in CopiedRows(mapping, of: self, in: reader) }
      for constraint in entity.uniquenessConstraints {
        var values: [AttributeValue] = []
        var selects: [String] = []
        for (part, rows) in sources.enumerated() {
          guard let select = rows?.select(constraint, part, &values) else {
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
            at: FindingLocation(entity: entity.name), evidence: evidence))
      }
    }
    return findings
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

/// The rows of which an entity mapping copies values.
private struct CopiedRows {
  private let mapping: EntityMapping
  private let destination: ObjectModel
  private let shape: StoreRowShape
  private let number: Int64
  private let copied: CopiedAttributes
  private let attributeMappings: [String: PropertyMapping]

  /// `nil` where what becomes of a value is not known before it is computed.
  init?(
    _ mapping: EntityMapping, of hop: MigrationPlan.Hop, in reader: borrowing StoreReader
  ) {
    guard mapping.policyName == nil, mapping.filter == nil, mapping.customSource == nil,
      let entity = mapping.sourceName, let shape = reader.shape(of: entity),
      let number = reader.layout.entityNumbers[entity]
    else { return nil }
    self.mapping = mapping
    (self.shape, self.number) = (shape, number)
    destination = hop.to.model
    copied = CopiedAttributes(mapping, from: hop.from.model, to: hop.to.model)
    attributeMappings = Dictionary(first: mapping.attributeMappings.map { ($0.name, $0) })
  }

  /// The values of a constraint, as `key`, `part`, `k0`, `k1`, …; `nil` where they are not known before they are
  /// computed.
  func select(_ constraint: [String], _ part: Int, _ values: inout [AttributeValue]) -> String? {
    guard let name = mapping.destinationName else { return nil }
    var columns: [String] = []
    for property in constraint {
      guard let attribute = destination.attribute(property, of: name)?.property,
        let copy = attributeMappings[property],
        let pair = copied.pairs(copy)?.first, pair.old.type == pair.new.type,
        let index = shape.index(of: pair.old.name)
      else { return nil }
      let column = shape.columnName(at: index)
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
}
