/// The changes from one model to another, and whether they change version hashes.
///
/// ```swift
/// let difference = model2.difference(from: model1)
/// difference.entities.map(\.name)  // ["Topic"]
/// ```
package struct ModelDifference: Sendable, Hashable {
  /// Entities with any change, by name; matched by renaming identifier.
  package var entities: [EntityDifference]
  /// Changes of the model itself: version identifiers, configurations, fetch requests, settings.
  package var modelChanges: [ModelChange]

  /// Whether a store of one model is compatible with the other.
  package var isCompatible: Bool { entities.allSatisfy { !$0.movesHash } }
  package var isEmpty: Bool { entities.isEmpty && modelChanges.isEmpty }
}

/// The changes of one entity.
package struct EntityDifference: Sendable, Hashable {
  package enum Kind: String, Sendable, Hashable {
    case added, removed, renamed, changed
  }

  package var kind: Kind
  /// The name in the newer model; of a removed entity, the name in the older.
  package var name: String
  /// The name in the older model; `nil` for an added entity.
  package var oldName: String?
  package var oldHash: VersionHash?
  package var newHash: VersionHash?
  package var changes: [ModelChange]

  package var movesHash: Bool { oldHash != newHash || oldName != name }
}

/// One change of one element.
package struct ModelChange: Sendable, Hashable {
  package enum Element: String, Sendable, Hashable {
    case model, entity, attribute, relationship, fetchedProperty, fetchRequest, configuration
    /// A composite type, or an element of one: `Address.street`.
    case composite
  }

  package enum Kind: Sendable, Hashable {
    case added(description: String)
    case removed(description: String)
    case renamed(from: String)
    /// The value of a key of the model's XML; `nil` is the default.
    case key(String, from: String?, to: String?)
    /// The relationship's inverse was renamed or replaced: `owner` is the entity at the other end.
    case inverse(owner: String, from: String?, to: String?)
    /// The declaring entity of the property changed; `nil` for the entity itself.
    case moved(from: String?, to: String?)
    /// The parent's hash changed, which is part of the hashes of its subentities.
    case parent(String)
    /// The elements of the attribute's composite type changed.
    case compositeElements(String)
    case userInfo(String, from: String?, to: String?)
    /// A list changed, such as the uniqueness constraints.
    case list(String, added: [String], removed: [String])
  }

  package var element: Element
  /// The property's name; `nil` for the entity or model itself.
  package var name: String?
  package var kind: Kind
  /// Whether this change changes the entity's version hash.
  package var movesHash: Bool
  package var effect: ModelKeyEffect

  init(
    _ element: Element, _ name: String?, _ kind: Kind, movesHash: Bool,
    effect: ModelKeyEffect = .runtime
  ) {
    self.element = element
    self.name = name
    self.kind = kind
    self.movesHash = movesHash
    self.effect = movesHash ? .hashed : effect
  }
}
