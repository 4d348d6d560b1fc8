package import StrataBase
internal import StrataObjectModel
package import StrataSQLite

extension StoreObjects {
  /// Sets an attribute of an object in the current transaction; objects that were read before keep the old value.
  ///
  /// - Parameter index: The index of the attribute in the shape of the entity.
  package func update(
    _ key: Int64, of entity: String, index: Int, to value: AttributeValue
  ) throws(StoreError) {
    guard let shape = shape(of: entity) else { throw .missingTable(entity) }
    var stored = value
    if shape.externalIndices.contains(index) {
      stored = try ExternalData(storePath: reader.store.path).column(
        value, seed: "\(key) \(shape.names[index]) \(UInt64.random(in: .min ... .max))")
    }
    try reader.store.connection.execute(
      "UPDATE \(shape.table.quoted) SET \(shape.columns[index].name.quoted) = ?, Z_OPT = Z_OPT + 1 WHERE Z_PK = ?",
      [stored, .integer(key)])
  }
}
