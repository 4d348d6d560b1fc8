internal import StrataExpressions
package import StrataObjectModel

/// The attributes that an entity mapping copies, with their destination attributes; for composite attributes,
/// the common elements.
package struct CopiedAttributes {
  package typealias Pair = (old: Attribute, new: Attribute)
  private let before: [Substring: [Attribute]]
  private let after: [Substring: [Attribute]]

  package init(_ mapping: EntityMapping, from source: ObjectModel, to destination: ObjectModel) {
    before = Self.leaves(of: mapping.sourceName, source)
    after = Self.leaves(of: mapping.destinationName, destination)
  }

  /// The stored attributes of an entity, by attribute name.
  private static func leaves(
    of entity: String?, _ model: ObjectModel
  ) -> [Substring: [Attribute]] {
    guard let entity else { return [:] }
    return Dictionary(
      grouping: model.allStoredAttributes(of: entity), by: { root(of: $0.name) })
  }

  private static func root(of path: String) -> Substring { path.prefix { $0 != "." } }

  private static func leaves(
    below path: String, among known: [Substring: [Attribute]]
  ) -> [Attribute] {
    (known[root(of: path)] ?? []).filter { $0.name.isPath(atOrBelow: path) }
  }

  /// Whether an attribute of the destination is stored: a transient one keeps no value that it is given.
  func stores(_ name: String) -> Bool { !Self.leaves(below: name, among: after).isEmpty }

  /// `nil` for a property mapping that is not a copy.
  package func pairs(_ mapping: PropertyMapping) -> [Pair]? {
    guard case .keyPath(of: .variable("source"), let keys)? = mapping.expression else {
      return nil
    }
    let path = keys.joined(separator: ".")
    let (old, new) = (
      Self.leaves(below: path, among: before), Self.leaves(below: mapping.name, among: after)
    )
    guard !old.isEmpty, !new.isEmpty,
      old.contains(where: { $0.name == path }) == new.contains(where: { $0.name == mapping.name })
    else { return nil }
    return old.compactMap { leaf in
      new.first { $0.elementPath(in: mapping.name) == leaf.elementPath(in: path) }
        .map { (leaf, $0) }
    }
  }
}
