internal import StrataBase

extension ObjectModel {
  package var configurationNames: [String] { document.configurations.map(\.name) }

  /// The names of the entities that a configuration holds, sorted; of all for `nil`.
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

  /// The model of the entities of a configuration: what a store of this configuration is of.
  ///
  /// - Throws: ``ModelError`` for an unknown configuration, and where its entities are no model of their own: a
  ///   parent or a destination is not among them.
  package func narrowed(toConfiguration name: String) throws(ModelError) -> ObjectModel {
    let names = Set(try entityNames(inConfiguration: name))
    var part = document
    part.entities.removeAll { !names.contains($0.name) }
    part.configurations.removeAll { $0.name != name }
    part.fetchRequests.removeAll { !names.contains($0.entityName) }
    return try ObjectModel(part)
  }
}
