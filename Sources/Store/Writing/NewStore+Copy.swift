internal import StrataSQLite

extension NewStore {
  /// Copies every object of a store of the same model, with its key, its relationships and their orders.
  ///
  /// Objects are streamed: memory does not grow with their number.
  ///
  /// - Throws: ``StoreError``; external binary data is read and written again.
  package mutating func copy(_ reader: borrowing StoreReader) throws {
    for entity in layout.entityOrder {
      try reader.forEachRow(of: entity) { row in try insert(row, of: entity) }
    }
    for relationship in reader.joinedRelationships {
      try reader.forEachLink(of: relationship) { link in try insert(link, of: relationship) }
    }
  }
}
