internal import StrataBase

extension ObjectModel {
  package var configurationNames: [String] { document.configurations.map(\.name) }

  /// The sorted names of the entities of a configuration; of all entities for `nil`.
  ///
  /// - Throws: ``ModelError/Problem/unknownConfiguration(_:near:)``.
  package func entityNames(inConfiguration name: String?) throws(ModelError) -> [String] {
    guard let name else { return entityNames }
    guard let found = document.configurations.first(where: { $0.name == name }) else {
      throw ModelError(
        .unknownConfiguration(name, near: NearestName.of(name, in: configurationNames)))
    }
    let members = Set(found.entityNames)
    return entityNames.filter(members.contains)
  }

  /// The model of the entities of a configuration, which is the model of stores with this configuration.
  ///
  /// - Throws: ``ModelError`` for an unknown configuration, or if its entities do not form a complete model: a
  ///   parent or a destination is missing,
  ///   ``ModelError/Problem/incompleteConfiguration(_:entity:missing:)``.
  package func narrowed(toConfiguration name: String) throws(ModelError) -> ObjectModel {
    let names = Set(try entityNames(inConfiguration: name))
    for entity in entities where names.contains(entity.name) {
      let needed =
        (entity.superentityName.map { [$0] } ?? []) + entity.relationships.map(\.destinationName)
      if let missing = needed.first(where: { !names.contains($0) }) {
        throw ModelError(
          .incompleteConfiguration(name, entity: entity.name, missing: missing),
          entity: entity.name, line: entity.extras.line)
      }
    }
    var part = document
    part.entities.removeAll { !names.contains($0.name) }
    part.configurations.removeAll { $0.name != name }
    part.fetchRequests.removeAll { !names.contains($0.entityName) }
    return try ObjectModel(part)
  }
}
