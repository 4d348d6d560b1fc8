internal import StrataBase
package import StrataObjectModel

/// A model with precomputed data for matching, since a version is matched with many others.
///
/// ```swift
/// let models = [model1, model2].map(MatchableModel.init)
/// Inference.Verdict(from: models[0], to: models[1])  // .inferable
/// ```
package struct MatchableModel: Sendable {
  package let model: ObjectModel
  package let hashes: [String: VersionHash]
  private let parts: Parts
  var entities: [NameMatching.Candidate] { parts.entities }
  var properties: [String: Properties] { parts.properties }

  /// The precomputed data of the entities, cached with the model.
  package struct Parts: Sendable {
    let entities: [NameMatching.Candidate]
    let properties: [String: Properties]
  }

  /// The persistent properties of an entity, including inherited ones, by name in byte order.
  struct Properties: Sendable {
    var attributes: [Declared<Attribute>]
    /// Their types: a verdict on many pairs of models compares them without copying the attributes.
    var attributeTypes: [AttributeType]
    var relationships: [Declared<Relationship>]
    /// The names and renaming identifiers of the properties.
    var attributeCandidates: [NameMatching.Candidate]
    var relationshipCandidates: [NameMatching.Candidate]
    /// The names of the transient properties.
    var transient: Set<String>
    /// Whether an attribute can be matched with one of another name: it has a renaming identifier, or its name is not
    /// hashed.
    var isNamedFreely = false

    /// All properties, attributes first.
    var candidates: [NameMatching.Candidate] { attributeCandidates + relationshipCandidates }

    /// Whether the properties can only be matched with those of the other entity by name.
    func isNamed(like other: Properties) -> Bool {
      attributeCandidates == other.attributeCandidates
        && relationshipCandidates == other.relationshipCandidates && isDeclared(like: other)
    }

    /// Whether the properties have the names of those of the other entity.
    func hasNames(of other: Properties) -> Bool {
      candidates.map(\.name) == other.candidates.map(\.name) && isDeclared(like: other)
    }

    /// Whether the same entities declare attributes of the same names: those whose names are not hashed can trade places.
    private func isDeclared(like other: Properties) -> Bool {
      !isNamedFreely || attributes.map(\.declaringEntity) == other.attributes.map(\.declaringEntity)
    }

    /// Matches by renaming identifiers, but the attributes of unchanged entities by position.
    ///
    /// An entity with equal hashes keeps its columns and their values. Renaming identifiers are not hashed, and neither
    /// are the names of composite and derived attributes: the attributes are hashed in the order of their names.
    ///
    /// - Parameter isUnchanged: Whether an entity has equal hashes in both models.
    func matchedAttributes(
      to other: Properties, isUnchanged: (_ entity: String) -> Bool = { _ in false }
    ) -> NameMatching {
      let matching = NameMatching(
        source: attributeCandidates, destination: other.attributeCandidates)
      guard isNamedFreely || other.isNamedFreely else { return matching }
      let (old, new) = (declared(isUnchanged), other.declared(isUnchanged))
      let kept = old.flatMap { entity, attributes in
        zip(attributes, new[entity] ?? []).map { (source: $0, destination: $1) }
      }
      guard !kept.isEmpty else { return matching }
      let (sources, destinations) = (
        Set(kept.map(\.source)), Set(kept.map(\.destination))
      )
      return NameMatching(
        source: attributeCandidates.filter { !sources.contains($0.name) },
        destination: other.attributeCandidates.filter { !destinations.contains($0.name) }
      ).adding(kept).withAmbiguity(of: matching)
    }

    /// The names of the attributes by declaring entity, those of some entities.
    private func declared(_ isIncluded: (String) -> Bool) -> [String: [String]] {
      Dictionary(
        grouping: attributes.filter { isIncluded($0.declaringEntity) }, by: \.declaringEntity
      )
      .mapValues { $0.map(\.property.name) }
    }

    func matchedRelationships(to other: Properties) -> NameMatching {
      NameMatching(source: relationshipCandidates, destination: other.relationshipCandidates)
    }

    func attribute(_ name: String) -> Declared<Attribute>? {
      attributes.named(name)
    }

    func attributeIndex(_ name: String) -> Int? {
      let first = attributeCandidates.partitioningIndex { !$0.name.precedesInBytes(name) }
      return first < attributeCandidates.count && attributeCandidates[first].name == name
        ? first : nil
    }

    func relationship(_ name: String) -> Declared<Relationship>? {
      relationships.named(name)
    }
  }

  /// The number of properties of all entities, including inherited ones, as a measure of the cost of matching.
  var size: Int { properties.values.reduce(0) { $0 + $1.candidates.count } }

  package init(_ model: ObjectModel) {
    self.model = model
    hashes = model.versionHashes()
    parts = model.memory.value { Parts(model) }
  }

  func properties(of entity: String) -> Properties {
    properties[entity]
      ?? Properties(
        attributes: [], attributeTypes: [], relationships: [], attributeCandidates: [],
        relationshipCandidates: [],
        transient: [])
  }
}

extension MatchableModel.Parts {
  fileprivate init(_ model: ObjectModel) {
    entities = model.entities.map(\.candidate)
    properties = Dictionary(
      uniqueKeysWithValues: model.entityNames.enumerated().map { index, name in
        let shared = model.sharedMemory(ofEntityAt: index)
        return (
          name,
          shared?.value { MatchableModel.Properties(of: name, in: model) }
            ?? MatchableModel.Properties(of: name, in: model)
        )
      })
  }
}

extension MatchableModel.Properties {
  fileprivate init(of entity: String, in model: ObjectModel) {
    let attributes = model.allAttributes(of: entity)
    let relationships = model.allRelationships(of: entity)
    let stored = attributes.filter { !$0.property.isTransient }
    let related = relationships.filter { !$0.property.isTransient }
    self.init(
      attributes: stored, attributeTypes: stored.map(\.property.type), relationships: related,
      attributeCandidates: stored.map(\.property.candidate),
      relationshipCandidates: related.map(\.property.candidate),
      transient: Set(
        (attributes.filter(\.property.isTransient).map(\.property.name))
          + relationships.filter(\.property.isTransient).map(\.property.name)),
      isNamedFreely: stored.contains {
        $0.property.renamingIdentifier != nil || $0.property.isDerived
          || $0.property.type == .composite
      })
  }
}
