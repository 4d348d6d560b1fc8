package import StrataBase
internal import StrataObjectModel
internal import StrataSQLite

/// Creates objects and links in the current transaction of a store.
package final class ObjectInserter {
  private var writer: RowWriter

  package init(_ reader: consuming StoreReader) {
    writer = RowWriter(insertion: StoreInsertion(""), reader: reader)
  }

  /// - Parameter values: The values by name; other attributes get their default.
  /// - Returns: The key of the new object.
  package func insert(_ entity: String, _ values: [String: AttributeValue]) throws -> Int64 {
    try writer.insert(StoreInsertion(entity, attributes: values))
  }

  /// - Returns: The other objects whose relationships it changes.
  package func link(
    _ key: Int64, of entity: String, by relationship: String, to destination: Int64
  ) throws -> [ObjectRef] {
    try writer.link(key, of: entity, by: relationship, to: destination)
  }
}
