public import StrataSQLite
internal import StrataValues

extension StoreReader {
  /// The names of files with binary data that attributes of the model keep outside, and that are not there.
  public func missingExternalFiles() throws(StoreError) -> Set<String> {
    var names: Set<String> = []
    let external = ExternalData(storePath: store.path)
    for entity in layout.entityOrder {
      guard let shape = shape(of: entity), let number = layout.entityNumbers[entity] else {
        continue
      }
      for place in shape.externalPlaces {
        let column = shape.columns[place].name.quoted
        let statement = try store.connection.prepare(
          "SELECT \(column) FROM \(shape.table.quoted) "
            + "WHERE Z_ENT = ? AND \(column) >= x'02' AND \(column) < x'03'")
        try statement.bind([.integer(number)])
        while try statement.step() {
          // What is no name is a matter for `validate`.
          if let name = try? external.missingFile(statement.value(0)) { names.insert(name) }
        }
      }
    }
    return names
  }
}
