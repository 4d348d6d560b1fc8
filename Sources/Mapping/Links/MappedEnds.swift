internal import StrataBase
internal import StrataExpressions
package import StrataObjectModel

/// The destination relationships to which property mappings give a value, with the source relationships that they copy.
package struct MappedEnds: Sendable {
  private let destination: ObjectModel
  private var sources: [PropertyID: Set<String>] = [:]

  package init(_ mappings: some Sequence<EntityMapping>, to destination: ObjectModel) {
    self.destination = destination
    for mapping in mappings {
      for property in mapping.relationshipMappings {
        guard let expression = property.expression, let entity = mapping.destinationName,
          let end = destination.relationship(property.name, of: entity)
        else { continue }
        let paths = (expression.pathsOfSource ?? []).filter { $0.count == 1 }
        sources[end.id, default: []].formUnion(paths.joined())
      }
    }
  }

  func contains(_ end: Declared<Relationship>) -> Bool { sources[end.id] != nil }

  /// Whether a source relationship is copied to a destination relationship.
  func copies(_ source: String, to end: Declared<Relationship>) -> Bool {
    sources[end.id]?.contains(source) == true
  }

  /// A destination relationship that nothing sets, and no inverse of it either: a link that the other direction continues
  /// is lost in this one.
  package func unsetEnd(named name: String, of entity: String) -> Declared<Relationship>? {
    guard let end = destination.relationship(name, of: entity), !end.property.isTransient,
      !contains(end)
    else { return nil }
    let inverse = destination.inverse(of: end.property)
    return inverse.map(contains) == true ? nil : end
  }
}
