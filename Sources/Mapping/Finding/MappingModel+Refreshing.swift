internal import StrataBase
internal import StrataExpressions
package import StrataObjectModel

extension MappingModel {
  /// The mapping model updated for two models: with their version hashes and all existing expressions;
  /// properties that were added to the destination are mapped automatically.
  ///
  /// ```swift
  /// let (source, destination) = (MatchableModel(model2), MatchableModel(model3))
  /// let refreshed = mapping.refreshed(from: source, to: destination, since: model2)
  /// refreshed.fit(from: source, to: destination).isPart  // true
  /// ```
  ///
  /// - Parameter old: The destination model for which the mapping model was saved: properties that it lacks are
  ///   new, and its unmapped properties were omitted intentionally. If `nil`, nothing is added.
  package func refreshed(
    from source: MatchableModel, to destination: MatchableModel, since old: ObjectModel?
  ) -> MappingModel {
    var refreshed = self
    let automatic = AutomaticExpressions(from: source, to: destination, entityMappings)
    for index in refreshed.entityMappings.indices {
      let mapping = entityMappings[index]
      refreshed.entityMappings[index].sourceHash = mapping.sourceName.flatMap { source.hashes[$0] }
      refreshed.entityMappings[index].destinationHash = mapping.destinationName.flatMap {
        destination.hashes[$0]
      }
      guard let name = mapping.destinationName, let old, old[name] != nil else { continue }
      let (properties, known) = (destination.properties(of: name), Set(mapping.propertyNames))
      func isNew(_ property: String) -> Bool {
        !known.contains(property) && old.attribute(property, of: name) == nil
          && old.relationship(property, of: name) == nil
      }
      refreshed.entityMappings[index].attributeMappings += properties.attributes
        .map(\.property.name).filter(isNew).map {
          PropertyMapping(name: $0, expression: automatic.attribute($0, of: mapping))
        }
      refreshed.entityMappings[index].relationshipMappings += properties.relationships
        .map(\.property.name).filter(isNew).map {
          PropertyMapping(name: $0, expression: automatic.relationship($0, of: mapping))
        }
      refreshed.entityMappings[index].attributeMappings.sort { $0.name.precedesInBytes($1.name) }
      refreshed.entityMappings[index].relationshipMappings.sort {
        $0.name.precedesInBytes($1.name)
      }
    }
    return refreshed
  }
}

extension EntityMapping {
  fileprivate var propertyNames: [String] {
    (attributeMappings + relationshipMappings).map(\.name)
  }
}
