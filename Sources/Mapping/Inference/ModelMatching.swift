internal import StrataBase
internal import StrataObjectModel

/// The matching of two models, by entity and property.
///
/// Source: `Docs/Facts/inference.md`, section 1.
struct ModelMatching {
  let source: MatchableModel
  let destination: MatchableModel
  let entities: NameMatching
  /// Destination entity to source entity.
  let sourceNames: [String: String]
  let pairs: [Pair]

  /// An entity of the source and its destination.
  struct Pair {
    var source: String
    var destination: String
    /// Whether the entities are equal for inference: equal hashes, and equal renaming identifiers unless all hashes are
    /// equal.
    var isIdentical: Bool
    /// Empty if `isIdentical`; see ``properties(of:)``.
    var attributes: NameMatching
    var relationships: NameMatching

    /// - Parameter isCompatible: Whether all hashes of the models are equal, so that nothing changes.
    init(
      _ old: String, of source: MatchableModel, _ new: String, of destination: MatchableModel,
      isCompatible: Bool = false
    ) {
      let (before, after) = (source.properties(of: old), destination.properties(of: new))
      self.source = old
      self.destination = new
      isIdentical =
        old == new && source.hashes[old] == destination.hashes[new]
        && (isCompatible ? before.hasNames(of: after) : before.isNamed(like: after))
      attributes =
        isIdentical
        ? Self.nothing
        : before.matchedAttributes(to: after) { source.hashes[$0] == destination.hashes[$0] }
      relationships = isIdentical ? Self.nothing : before.matchedRelationships(to: after)
    }

    private static let nothing = NameMatching(source: [], destination: [])
  }

  /// - Parameter isCompatible: Whether all hashes are known to be equal: a store of the one model opens with the other
  ///   unchanged, and renaming identifiers, which are not hashed, move nothing.
  init(from source: MatchableModel, to destination: MatchableModel, isCompatible: Bool = false) {
    self.source = source
    self.destination = destination
    func candidates(_ model: MatchableModel) -> [NameMatching.Candidate] {
      isCompatible
        ? model.entities.map { NameMatching.Candidate(name: $0.name, renamingIdentifier: nil) }
        : model.entities
    }
    entities = NameMatching(source: candidates(source), destination: candidates(destination))
    sourceNames = Dictionary(first: entities.pairs.map { ($0.destination, $0.source) })
    pairs = entities.pairs.map {
      Pair($0.source, of: source, $0.destination, of: destination, isCompatible: isCompatible)
    }
  }

  /// Destination property to source property, for the properties of one kind.
  func sourceNames(
    of pair: Pair, _ kind: KeyPath<Pair, NameMatching>, allNames: [String]
  ) -> [String: String] {
    guard !pair.isIdentical else {
      return Dictionary(uniqueKeysWithValues: allNames.map { ($0, $0) })
    }
    return Dictionary(first: pair[keyPath: kind].pairs.map { ($0.destination, $0.source) })
  }

  /// Whether an entity has the same name and hash in both models, so its rows are only copied.
  func isCopied(_ old: String, _ new: String) -> Bool {
    old == new && source.hashes[old] == destination.hashes[new]
  }

  /// The source entities without losses by inference: their properties are copied, and their destinations keep
  /// their names.
  ///
  /// Equal version hashes are not sufficient: the type of a derived attribute is not hashed.
  var keptEntities: Set<String> {
    guard keepsParents else { return [] }
    return Set(
      pairs.filter { pair in
        guard pair.isIdentical else { return false }
        let before = source.properties(of: pair.source)
        let after = destination.properties(of: pair.destination)
        return zip(before.attributes, after.attributes).allSatisfy {
          isStoredAlike($0.property, $1.property)
        }
          && zip(before.relationships, after.relationships).allSatisfy {
            isLinkedAlike($0.property, $1.property)
          }
      }.map(\.source))
  }

  /// Whether no entity has another parent: the entities at the other end of a relationship stay the same.
  private var keepsParents: Bool {
    // An identical entity has the same parent: its hash is part of that of the entity.
    pairs.allSatisfy { pair in
      guard !pair.isIdentical else { return true }
      let before = source.model[pair.source]?.superentityName
      let after = destination.model[pair.destination]?.superentityName
      return before == after || pairs.contains { $0.source == before && $0.destination == after }
    }
  }

  private func isStoredAlike(_ old: Attribute, _ new: Attribute) -> Bool {
    guard old.type == .composite, new.type == .composite else { return old.type == new.type }
    let (before, after) = (
      source.model.storedAttributes(of: old), destination.model.storedAttributes(of: new)
    )
    return before.map(\.name) == after.map(\.name) && before.map(\.type) == after.map(\.type)
  }

  private func isLinkedAlike(_ old: Relationship, _ new: Relationship) -> Bool {
    // The entities at the other end have no property of their own whose loss is found.
    old.inverseName != nil && old.inverseName == new.inverseName && old.isToMany == new.isToMany
      && old.isOrdered == new.isOrdered
      && old.destinationName == new.destinationName
      && sourceNames[new.destinationName] == old.destinationName
  }
}
