internal import StrataBase
internal import StrataObjectModel

/// Finds all obstacles of inference between two models.
///
/// Source: `Docs/Facts/inference.md`, sections 1 and 4.
struct ObstacleFinder {
  let source: MatchableModel
  let destination: MatchableModel

  /// An obstacle of two entities.
  struct Obstacle {
    var finding: Finding
    /// The same about the declaring entity: several entities inherit a property, whose obstacle is reported once.
    var original: Finding?
  }

  func obstacles(of matching: ModelMatching) -> [Finding] {
    Self.merged(
      obstacles(of: matching.entities), matching.pairs.lazy.map { obstacles(of: $0) })
  }

  /// The obstacles of matched entities and their hierarchies, then those of pairs of entities, each once.
  static func merged(
    _ obstacles: [Finding], _ ofPairs: some Sequence<[Obstacle]>
  ) -> [Finding] {
    var merged = obstacles
    var seen: Set<Finding> = []
    for obstacle in ofPairs.joined() {
      if let original = obstacle.original, !seen.insert(original).inserted { continue }
      merged.append(obstacle.finding)
    }
    return merged
  }

  // MARK: Entities

  /// The obstacles that depend on the names and renaming identifiers of the entities and on their hierarchies alone.
  func obstacles(of entities: NameMatching) -> [Finding] {
    entities.ambiguous.map {
      Finding(InferenceRule(ambiguous: $0), entity: $0.destination)
    } + mergedHierarchies(entities)
  }

  /// Finds entities without a common ancestor in the source that get one in the destination.
  private func mergedHierarchies(_ entities: NameMatching) -> [Finding] {
    guard destination.model.entities.contains(where: { $0.superentityName != nil }) else {
      return []
    }
    var roots: [String: Set<String>] = [:]
    for pair in entities.pairs {
      roots[destination.model.rootName(of: pair.destination), default: []]
        .insert(source.model.rootName(of: pair.source))
    }
    return roots.sorted { $0.key.precedesInBytes($1.key) }.filter { $0.value.count > 1 }.map {
      Finding(
        .mergedHierarchies(roots: $0.value.sorted { $0.precedesInBytes($1) }), entity: $0.key)
    }
  }

  // MARK: Pairs of entities

  func obstacles(of pair: ModelMatching.Pair) -> [Obstacle] {
    guard !pair.isIdentical else { return [] }
    var obstacles: [Obstacle] = []
    for element in pair.attributes.ambiguous + pair.relationships.ambiguous {
      let finding = Finding(
        InferenceRule(ambiguous: element), entity: pair.destination,
        property: element.destination)
      var original: Finding?
      if let declared = declaration(of: element.destination, pair.destination) {
        original = finding
        original?.location.entity = declared
      }
      obstacles.append(Obstacle(finding: finding, original: original))
    }
    let before = source.properties(of: pair.source)
    let after = destination.properties(of: pair.destination)
    for (old, new) in pair.attributes.pairs {
      guard let first = before.attributeIndex(old), let second = after.attributeIndex(new),
        before.attributeTypes[first] != after.attributeTypes[second]
          || after.attributeTypes[second] == .composite
      else { continue }
      let found = typeObstacles(before.attributes[first].property, after.attributes[second])
      obstacles += found.map { Obstacle(finding: $0, original: $0) }
    }
    return obstacles
  }

  private func typeObstacles(_ old: Attribute, _ new: Declared<Attribute>) -> [Finding] {
    func obstacle(_ from: AttributeType, _ to: AttributeType, _ name: String) -> Finding? {
      guard !to.takes(from) else { return nil }
      return Finding(
        .incompatibleTypes(from: from.name, to: to.name), entity: new.declaringEntity,
        property: name)
    }
    guard old.type == .composite, new.property.type == .composite else {
      return obstacle(old.type, new.property.type, new.property.name).map { [$0] } ?? []
    }
    let before = source.model.storedAttributes(of: old)
    return destination.model.storedAttributes(of: new.property).compactMap { leaf in
      let path = leaf.elementPath(in: new.property.name)
      return before.first { $0.elementPath(in: old.name) == path }
        .flatMap { obstacle($0.type, leaf.type, leaf.name) }
    }
  }

  private func declaration(of property: String, _ entity: String) -> String? {
    let known = destination.properties(of: entity)
    return known.attribute(property)?.declaringEntity
      ?? known.relationship(property)?.declaringEntity
  }
}

extension InferenceRule {
  fileprivate init(ambiguous element: NameMatching.Ambiguity) {
    self =
      element.rivals.isEmpty
      ? .ambiguousIdentifier(sources: element.sources)
      : .rivalIdentifiers(others: element.rivals, source: element.sources.first ?? "")
  }
}
