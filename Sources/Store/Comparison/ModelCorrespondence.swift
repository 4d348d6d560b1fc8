/// Which entities and properties of a second model continue those of a first one.
///
/// What is not named continues what has its name, unless something else does.
package struct ModelCorrespondence: Sendable {
  /// By entity of the second model, the entity of the first.
  package let entities: [String: String]
  /// Entities of the first model that one of the second continues.
  private let continued: Set<String>
  /// By entity of the second model, and by its stored names, those of the first.
  package let properties: [String: [String: String]]

  package init(entities: [String: String] = [:], properties: [String: [String: String]] = [:]) {
    self.entities = entities
    continued = Set(entities.values)
    self.properties = properties
  }

  /// The same names in both models.
  package static let byName = ModelCorrespondence()

  /// Marks what continues nothing: no name of a model begins with a space.
  private static let newMark = " "

  /// What an entity of the second model is compared as.
  func entity(_ name: String) -> String {
    if let known = entities[name] { return known }
    return continued.contains(name) ? Self.newMark + name : name
  }

  /// What a property of an entity of the second model is compared as.
  func property(_ name: String, of entity: String) -> String {
    guard let known = properties[entity] else { return name }
    return known[name] ?? Self.newMark + name
  }

  /// The name that a person knows.
  static func shown(_ name: String) -> String {
    name.hasPrefix(newMark) ? String(name.dropFirst()) : name
  }
}
