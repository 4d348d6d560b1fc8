package import StrataBase

/// One edit of a model, as made by `try`: applied to a copy and then checked.
package enum ModelEdit: Sendable, Hashable {
  /// An element: the model itself, an entity, or one of its properties.
  package enum Target: Sendable, Hashable {
    case model
    case entity(String)
    case property(String, of: String)
  }

  package enum NewElement: String, Sendable, Hashable, CaseIterable {
    case entity, attribute, relationship, constraint
  }

  /// Sets a key of the element's XML; `nil` removes it. `userInfo.<key>` sets an entry.
  case set(Target, key: String, value: String?)
  case add(NewElement, named: String, to: Target, keys: [String: String])
  case remove(Target)
  /// Renames the element, keeping its old name as renaming identifier, and every reference to it.
  case rename(Target, to: String)
}

extension ModelDocument {
  /// The entity that a user means by an unknown name: the renamed one that had it, otherwise one with a similar
  /// name.
  package func entityName(insteadOf name: String) -> String? {
    entities.first { $0.renamingIdentifier == name }?.name
      ?? NearestName.of(name, in: entities.map(\.name))
  }
}

extension ObjectModel {
  /// The entity that a user names.
  ///
  /// - Throws: ``ModelEditError/unknownEntity(_:near:)``.
  package func existingEntity(_ name: String) throws(ModelEditError) -> Entity {
    guard let entity = self[name] else {
      throw .unknownEntity(name, near: document.entityName(insteadOf: name))
    }
    return entity
  }
}

extension Sequence<Entity> {
  /// The property that a user means by an unknown name: the renamed one that had it, otherwise one with a similar
  /// name.
  ///
  /// - Complexity: Linear in the number of properties of these entities.
  package func propertyName(insteadOf name: String) -> String? {
    let renamed = lazy.flatMap { entity in
      entity.attributes.map { ($0.name, $0.renamingIdentifier) }
        + entity.relationships.map { ($0.name, $0.renamingIdentifier) }
    }.first { $0.1 == name }
    return renamed?.0 ?? NearestName.of(name, in: flatMap(\.propertyNames))
  }
}

/// Why an edit cannot be made.
package enum ModelEditError: Error, Hashable, Sendable {
  case unknownEntity(String, near: String?)
  case unknownProperty(String, entity: String, near: String?)
  case unknownKey(String, on: String, near: String?)
  case notPossible(String)
}

extension ModelEditError: DiagnosticError {
  package var diagnostic: Diagnostic {
    switch self {
    case .unknownEntity(let name, let near):
      Diagnostic(
        id: "model.unknownEntity", what: "the model has no entity \(name)",
        fix: near.map(NearestName.question) ?? "`show <model>` lists the entities")
    case .unknownProperty(let name, let entity, let near):
      Diagnostic(
        id: "model.unknownProperty", what: "\(entity) has no property \(name)",
        fix: near.map(NearestName.question) ?? "`show <model>.\(entity)` lists its properties")
    case .unknownKey(let key, let element, let near):
      Diagnostic(
        id: "model.unknownKey", what: "\(element) has no key \(key)",
        fix: near.map(NearestName.question)
          ?? "keys are those of the model's XML; `help try` lists them")
    case .notPossible(let what):
      Diagnostic(
        id: "model.impossibleEdit", what: what, fix: "`help try` lists the possible edits")
    }
  }
}
