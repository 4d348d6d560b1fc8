internal import StrataBase
internal import StrataObjectModel
package import StrataSQLite

/// The number of values of each attribute of an entity.
package struct ValueCounts: Sendable, Hashable {
  /// The number of objects of the entity itself.
  package var objects = 0
  /// By stored name of attributes and elements of composite attributes.
  package var values: [String: Int] = [:]
}

extension StoreReader {
  /// The number of columns that one query counts; SQLite allows 2,000.
  private static let columnLimit = 500

  /// Counts the attributes that are not nil in one walk through the objects of an entity itself.
  package func valueCounts(of entity: String) throws(StoreError) -> ValueCounts {
    var counts = ValueCounts()
    guard let shape = shape(of: entity), let number = layout.entityNumbers[entity] else {
      return counts
    }
    let indices = shape.contents.indices.filter { shape.contents[$0].destination == nil }
    var rest = indices[...]
    repeat {
      let some = Array(rest.prefix(Self.columnLimit))
      rest = rest.dropFirst(some.count)
      let columns = some.map { ", count(\(shape.columns[$0].name.quoted))" }.joined()
      let rows = try store.connection.rows(
        "SELECT count(*)\(columns) FROM \(shape.table.quoted) WHERE Z_ENT = ?",
        [.integer(number)])
      guard let row = rows.first else { break }
      if let count = row[0].integer { counts.objects = Int(count) }
      for (offset, index) in some.enumerated() {
        counts.values[shape.names[index]] = row[offset + 1].integer.map { Int($0) }
      }
    } while !rest.isEmpty
    return counts
  }
}
