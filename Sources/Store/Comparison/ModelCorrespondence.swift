/// The correspondence of entities and properties of two models.
///
/// An element that is not listed corresponds to the one with its name, unless another one does.
package struct ModelCorrespondence: Sendable {
  /// For each entity of the second model, the entity of the first.
  package let entities: [String: String]
  /// Entities of the first model with a corresponding entity.
  private let continued: Set<String>
  /// For each entity of the second model, the stored names of the first model by those of the second.
  package let properties: [String: [String: String]]

  /// Entities of the first model whose objects may have the keys of others in the second store.
  let rekeyed: Set<String>

  package init(
    entities: [String: String] = [:], properties: [String: [String: String]] = [:],
    rekeyed: Set<String> = []
  ) {
    (self.entities, self.rekeyed) = (entities, rekeyed)
    continued = Set(entities.values)
    self.properties = properties
  }

  /// The correspondence of equal names.
  package static let byName = ModelCorrespondence()

  /// Marks elements without a counterpart: no name in a model begins with a space.
  private static let newMark = " "

  /// The name under which an entity of the second model is compared.
  func entity(_ name: String) -> String {
    if let known = entities[name] { return known }
    return continued.contains(name) ? Self.newMark + name : name
  }

  /// The name under which a property of the second model is compared.
  func property(_ name: String, of entity: String) -> String {
    guard let known = properties[entity] else { return name }
    return known[name] ?? Self.newMark + name
  }

  /// The name for messages.
  static func shown(_ name: String) -> String {
    name.hasPrefix(newMark) ? String(name.dropFirst()) : name
  }
}
