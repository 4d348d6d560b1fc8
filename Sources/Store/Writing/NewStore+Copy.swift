internal import StrataSQLite

extension NewStore {
  /// Takes over every object of a store of the same model, with its key, its relationships and their
  /// orders.
  ///
  /// Objects stream through: memory is that of one of them.
  ///
  /// - Throws: ``StoreError``; what an external file holds is read and rewritten.
  package mutating func copy(_ reader: borrowing StoreReader) throws {
    for entity in layout.entityOrder {
      try reader.forEachRow(of: entity) { row in try insert(row, of: entity) }
    }
    for relationship in reader.joinedRelationships {
      try reader.forEachLink(of: relationship) { link in try insert(link, of: relationship) }
    }
  }
}
