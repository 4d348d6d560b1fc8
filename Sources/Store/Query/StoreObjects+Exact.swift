package import StrataBase
package import StrataExpressions
internal import StrataObjectModel
internal import StrataSQLite

/// What a migration asks of its source: objects of an entity itself, and never of one below it.
extension StoreObjects {
  /// The keys of the objects of an entity itself that fit a predicate, ascending.
  ///
  /// - Parameter predicate: As ``ObjectModel/resolved(_:for:variables:)`` gives it; `nil` for all.
  package func keys(of entity: String, where predicate: Predicate?) throws -> [Int64] {
    guard let predicate else { return try reader.keys(of: entity) }
    var keys: [Int64] = []
    try forEach(StoreQuery(entity: entity, predicate: predicate)) { object in
      if try object.concreteEntity() == entity { keys.append(object.key) }
      return true
    }
    return keys
  }

  /// How many objects of an entity itself there are.
  package func count(of entity: String) throws -> Int { try reader.count(of: entity) }
}

extension BrowsedObject {
  /// The value of an attribute, or element of a composite one, with the data that stand in a file;
  /// nothing for other names.
  ///
  /// - Throws: ``StoreError/missingExternalFile(_:)``, and what reading throws.
  package func attributeValue(_ name: String) throws -> AttributeValue {
    try storedAttribute(name) ?? .null
  }

  /// The same; `nil` where the entity has no attribute of this name.
  package func storedAttribute(_ name: String) throws -> AttributeValue? {
    guard let shape, let place = shape.place(of: name), case .attribute = shape.contents[place]
    else { return nil }
    let value = try value(at: place)
    guard shape.externalPlaces.contains(place) else { return value }
    return try ExternalData(storePath: objects.reader.store.path).value(value)
  }
}
