package import StrataBase
package import StrataExpressions
internal import StrataObjectModel
internal import StrataSQLite

/// Queries of a migration: objects of an entity itself, without subentities.
extension StoreObjects {
  /// The ascending keys of the objects of an entity itself that match a predicate.
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

  /// The number of objects of an entity itself.
  package func count(of entity: String) throws -> Int { try reader.count(of: entity) }
}

extension BrowsedObject {
  /// The value of an attribute, or element of a composite one, including data in external files; nil for other
  /// names.
  ///
  /// - Throws: ``StoreError/missingExternalFile(_:)``, and errors of reading.
  package func attributeValue(_ name: String) throws -> AttributeValue {
    try storedAttribute(name) ?? .null
  }

  /// The value of an attribute; `nil` if the entity has no attribute with this name.
  package func storedAttribute(_ name: String) throws -> AttributeValue? {
    guard let shape, let index = shape.index(of: name), case .attribute = shape.contents[index]
    else { return nil }
    let value = try value(at: index)
    guard shape.externalIndices.contains(index) else { return value }
    return try ExternalData(storePath: objects.reader.store.path).value(value)
  }
}
