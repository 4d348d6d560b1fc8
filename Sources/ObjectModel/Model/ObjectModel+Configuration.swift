internal import StrataDiagnostics

extension ObjectModel {
  public var configurationNames: [String] { document.configurations.map(\.name) }

  /// The names of the entities that a configuration holds, sorted; of all for `nil`.
  ///
  /// - Throws: ``ModelError/Problem/unknownConfiguration(_:near:)``.
  public func entityNames(inConfiguration name: String?) throws(ModelError) -> [String] {
    guard let name else { return entityNames }
    guard let found = document.configurations.first(where: { $0.name == name }) else {
      throw ModelError(
        .unknownConfiguration(name, near: NearestName.of(name, in: configurationNames)))
    }
    let members = Set(found.entityNames)
    return entityNames.filter(members.contains)
  }
}
