public import StrataExpressions
public import StrataObjectModel
public import StrataValues

/// What a migration asks of its source: objects of an entity itself, and never of one below it.
extension StoreObjects {
  /// The keys of the objects of an entity itself that fit a predicate, ascending.
  ///
  /// - Parameter predicate: As ``ObjectModel/resolved(_:for:variables:)`` gives it; `nil` for all.
  public func keys(
    of entity: String, where predicate: Predicate?, now: Double = 0
  ) throws -> [Int64] {
    guard let predicate else { return try reader.keys(of: entity) }
    var query = StoreQuery(entity: entity, predicate: predicate)
    query.now = now
    var keys: [Int64] = []
    try forEach(query) { object in
      if try object.concreteEntity() == entity { keys.append(object.key) }
      return true
    }
    return keys
  }

  /// How many objects of an entity itself there are.
  public func count(of entity: String) throws -> Int { try reader.count(of: entity) }

  /// Rows whose entity number the model does not have, by table.
  public func strayRows() throws(StoreError) -> [(table: String, count: Int)] {
    try reader.strayRows()
  }
}

extension BrowsedObject {
  /// The value of an attribute, or element of a composite one, with the data that stand in a file.
  ///
  /// - Throws: ``StoreError/missingExternalFile(_:)``, and what reading throws.
  public func attributeValue(_ name: String) throws -> AttributeValue {
    guard let place = objects.shape(of: entity)?.place(of: name) else { return .null }
    let value = try stored(name) ?? .null
    guard objects.shape(of: entity)?.externalPlaces.contains(place) == true else { return value }
    return try ExternalData(storePath: objects.reader.store.path).value(value)
  }
}
