package import StrataBase
package import StrataExpressions
internal import StrataObjectModel
internal import StrataSQLite

/// Queries of a migration: objects of an entity itself, without subentities.
extension StoreObjects {
  /// The ascending keys of the objects of an entity itself that match a predicate.
  ///
  /// - Parameter predicate: As ``ObjectModel/resolved(_:for:in:)`` gives it; `nil` for all.
  package func keys(of entity: String, where predicate: Predicate?) throws -> [Int64] {
    guard let predicate else { return try reader.keys(of: entity) }
    var keys: [Int64] = []
    try forEach(StoreQuery(entity: entity, predicate: predicate)) { object in
      if try object.concreteEntity() == entity { keys.append(object.key) }
      return true
    }
    return keys
  }

  /// The key of the first object of an entity itself that matches a predicate.
  ///
  /// - Parameters:
  ///   - predicate: As ``ObjectModel/resolved(_:for:in:)`` gives it.
  ///   - key: The lowest key.
  /// - Returns: `Int64.max` if there is none; `nil` if SQLite cannot evaluate the predicate.
  package func firstKey(
    of entity: String, where predicate: Predicate, from key: Int64
  ) throws -> Int64? {
    var query = StoreQuery(entity: entity, predicate: predicate)
    query.firstKey = key
    guard try StoreQueryPlan(query, self).rest == nil else { return nil }
    var found = Int64.max
    try forEach(query) { object in
      guard try object.concreteEntity() == entity else { return true }
      found = object.key
      return false
    }
    return found
  }
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
