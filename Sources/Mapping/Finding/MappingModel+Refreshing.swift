internal import StrataBase
internal import StrataExpressions
package import StrataObjectModel

extension MappingModel {
  /// The mapping model for two models as they are now: with their version hashes, and with every expression that it
  /// has; what an edit has added to the destination is mapped automatically.
  ///
  /// ```swift
  /// stale.refreshed(from: model1, to: model2, since: oldModel2).fit(from: model1, to: model2).isPart  // true
  /// ```
  ///
  /// - Parameter old: The destination as the mapping model knows it: what it lacks is new, and what it has and no
  ///   property mapping sets was left out on purpose. Without it nothing is added.
  package func refreshed(
    from source: MatchableModel, to destination: MatchableModel, since old: ObjectModel?
  ) -> MappingModel {
    var refreshed = self
    let automatic = AutomaticExpressions(from: source, to: destination, entityMappings)
    for place in refreshed.entityMappings.indices {
      let mapping = entityMappings[place]
      refreshed.entityMappings[place].sourceHash = mapping.sourceName.flatMap { source.hashes[$0] }
      refreshed.entityMappings[place].destinationHash = mapping.destinationName.flatMap {
        destination.hashes[$0]
      }
      guard let name = mapping.destinationName, let old, old[name] != nil else { continue }
      let (properties, known) = (destination.properties(of: name), Set(mapping.propertyNames))
      func isNew(_ property: String) -> Bool {
        !known.contains(property) && old.attribute(property, of: name) == nil
          && old.relationship(property, of: name) == nil
      }
      refreshed.entityMappings[place].attributeMappings += properties.attributes
        .map(\.property.name).filter(isNew).map {
          PropertyMapping(name: $0, expression: automatic.attribute($0, of: mapping))
        }
      refreshed.entityMappings[place].relationshipMappings += properties.relationships
        .map(\.property.name).filter(isNew).map {
          PropertyMapping(name: $0, expression: automatic.relationship($0, of: mapping))
        }
      refreshed.entityMappings[place].attributeMappings.sort { $0.name.precedesInBytes($1.name) }
      refreshed.entityMappings[place].relationshipMappings.sort {
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
