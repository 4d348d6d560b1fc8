internal import StrataBase
internal import StrataExpressions
internal import StrataObjectModel

extension MappingModel {
  /// A mapping model to start from: all matching elements are mapped, with the names and types that Xcode uses;
  /// values that cannot be converted are left to value expressions and policies.
  ///
  /// ```swift
  /// let (source, destination) = (MatchableModel(model1), MatchableModel(model2))
  /// MappingModel(startingFrom: source, to: destination).entityMappings.map(\.name)
  /// // ["TopicToTopic", "TopicListToTopicList"]
  /// ```
  package init(startingFrom source: MatchableModel, to destination: MatchableModel) {
    let matching = ModelMatching(from: source, to: destination)
    let obstacles = ObstacleFinder(source: source, destination: destination)
      .obstacles(of: matching)
    let unfitting = Set(
      obstacles.compactMap { obstacle -> [String]? in
        guard case .incompatibleTypes = obstacle.inferenceRule, let property = obstacle.property
        else {
          return nil
        }
        return [obstacle.entity, property]
      })
    self.init(entityMappings: [])
    // A removed entity and an added one of the same name would get the same entity mapping name.
    let fresh = Set(matching.entities.added)
    // An abstract entity has no objects to map.
    entityMappings = matching.inferredMapping().entityMappings.filter { mapping in
      !(mapping.kind == .remove && mapping.sourceName.map(fresh.contains) == true)
        && !(mapping.sourceName.map { source.model[$0]?.isAbstract ?? false }
          ?? mapping.destinationName.flatMap { destination.model[$0]?.isAbstract } ?? false)
    }
    for mappingIndex in entityMappings.indices {
      let (old, new) = (
        entityMappings[mappingIndex].sourceName, entityMappings[mappingIndex].destinationName
      )
      entityMappings[mappingIndex].name = EntityMapping.standardName(source: old, destination: new)
      entityMappings[mappingIndex].kind = EntityMapping.standardKind(
        source: old, destination: new, policy: nil)
      guard let new else { continue }
      let family = destination.model.lineageNames(of: new)
      for index in entityMappings[mappingIndex].attributeMappings.indices {
        let name = entityMappings[mappingIndex].attributeMappings[index].name
        if family.contains(where: { unfitting.contains([$0, name]) }) {
          entityMappings[mappingIndex].attributeMappings[index].expression = nil
        }
      }
    }
    let automatic = AutomaticExpressions(from: source, to: destination, entityMappings)
    for mappingIndex in entityMappings.indices {
      let mapping = entityMappings[mappingIndex]
      for index in mapping.relationshipMappings.indices {
        entityMappings[mappingIndex].relationshipMappings[index].expression =
          automatic.relationship(
            mapping.relationshipMappings[index].name, of: mapping)
      }
    }
  }
}
