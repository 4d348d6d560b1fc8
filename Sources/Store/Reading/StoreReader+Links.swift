public import StrataObjectModel
public import StrataSQLite
internal import StrataValues

/// The links of a relationship that a store holds.
public struct LinkCount: Sendable, Hashable {
  /// Links of which both objects are there.
  public var count = 0
  /// Links of which an object is missing, or is of an entity that the relationship does not lead to.
  public var dangling = 0
}

extension StoreReader {
  /// Counts the links of a relationship; of one that is its own inverse, each in both directions.
  public func linkCount(
    of relationship: Declared<Relationship>
  ) throws(StoreError) -> LinkCount {
    guard !relationship.property.isTransient, let storage = try storage(of: relationship) else {
      return LinkCount()
    }
    let (table, own, other) = (storage.table.quoted, storage.own.quoted, storage.other.quoted)
    func number(_ condition: String) throws(StoreError) -> Int {
      try store.connection.number(
        "SELECT count(*) FROM \(table) AS l WHERE l.\(own) IS NOT NULL AND l.\(other) IS NOT NULL"
          + condition)
    }
    func isThere(_ column: String, _ entity: String) -> String? {
      layout.table(of: entity).map {
        "EXISTS (SELECT 1 FROM \($0.name.quoted) AS o WHERE o.Z_PK = l.\(column) "
          + "AND o.Z_ENT IN (\(layout.numberList(below: entity, of: model))))"
      }
    }
    guard let ownThere = isThere(own, relationship.declaringEntity),
      let otherThere = isThere(other, relationship.property.destinationName)
    else { return LinkCount() }
    // A row is its own object: only its entity can be wrong.
    let total = try number("")
    guard total > 0 else { return LinkCount() }
    let count = try number(" AND \(ownThere) AND \(otherThere)")
    return LinkCount(count: count, dangling: total - count)
  }

  /// The keys of the objects from which a relationship leads to an object, in the order that the inverse
  /// keeps, else ascending.
  package func owners(
    of relationship: Declared<Relationship>, to key: Int64
  ) throws(StoreError) -> [Int64] {
    guard !relationship.property.isTransient, let storage = try storage(of: relationship) else {
      return []
    }
    let own = storage.own.quoted
    return try store.connection.keys(
      "SELECT \(own) FROM \(storage.table.quoted) WHERE \(storage.other.quoted) = ? AND \(own) IS NOT NULL "
        + "ORDER BY \(storage.inverseOrder.map { "\($0.quoted), " } ?? "")\(own)",
      [.integer(key)])
  }
}
