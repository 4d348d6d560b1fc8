internal import StrataExpressions
internal import StrataObjectModel

/// What a property mapping says when its author says nothing: what Xcode fills in.
///
/// Source: the `.cdm` of the corpus beside its `.xcmappingmodel`, which says nothing for these.
struct AutomaticExpressions {
  private let matching: ModelMatching?
  private let entityMappings: [EntityMapping]

  /// - Parameter entityMappings: All of the mapping model: relationships lead through them.
  init(from source: MatchableModel?, to destination: MatchableModel?, _ mappings: [EntityMapping]) {
    matching =
      if let source, let destination { ModelMatching(from: source, to: destination) } else { nil }
    entityMappings = mappings
  }

  /// The source attribute of the same name, or the one that was renamed; nothing where there is none.
  func attribute(_ name: String, of mapping: EntityMapping) -> Expression? {
    guard let sourceName = mapping.sourceName, let destinationName = mapping.destinationName else {
      return nil
    }
    guard let matching else { return .sourceValue([name]) }
    let before = matching.source.properties(of: sourceName)
    let after = matching.destination.properties(of: destinationName)
    let names = NameMatching(
      properties: before.attributes.map(\.property), after.attributes.map(\.property))
    return names.pairs.first { $0.destination == name }.map { .sourceValue([$0.source]) }
  }

  /// The destinations of the source relationship: through the entity mapping that took them, where only
  /// one can have.
  func relationship(_ name: String, of mapping: EntityMapping) -> Expression? {
    guard let sourceName = mapping.sourceName, let destinationName = mapping.destinationName else {
      return nil
    }
    guard let matching else {
      return .destinations(ofRelationship: name, of: .sourceValue([name]))
    }
    let before = matching.source.properties(of: sourceName)
    let after = matching.destination.properties(of: destinationName)
    let names = NameMatching(
      properties: before.relationships.map(\.property), after.relationships.map(\.property))
    guard let old = names.pairs.first(where: { $0.destination == name })?.source,
      let relationship = before.relationship(old)?.property, let wanted = after.relationship(name)
    else { return nil }
    let fitting = through(from: relationship.destinationName, to: wanted.property.destinationName)
    return fitting.count == 1
      ? .destinations(through: fitting[0].name, of: .sourceValue([old]))
      : .destinations(ofRelationship: old, of: .sourceValue([old]))
  }

  /// The entity mappings that take objects of an entity, or of one below it, to those of another.
  private func through(from source: String, to destination: String) -> [EntityMapping] {
    guard let matching else { return [] }
    let sources = [source] + matching.source.model.descendantNames(of: source)
    let destinations = [destination] + matching.destination.model.descendantNames(of: destination)
    return entityMappings.filter { mapping in
      mapping.sourceName.map(sources.contains) == true
        && mapping.destinationName.map(destinations.contains) == true
    }
  }
}

extension EntityMapping {
  /// What Xcode calls an entity mapping of these entities: `TopicToTopic`, or `Member` for one without a
  /// source.
  ///
  /// Source: facts on inference, section 2; without a destination by analogy.
  public static func standardName(source: String?, destination: String?) -> String {
    guard let source, let destination else { return source ?? destination ?? "" }
    return "\(source)To\(destination)"
  }

  /// The kind that Xcode's compiler gives an entity mapping of which only these are known.
  ///
  /// Source: the five entity mappings of the corpus's `.cdm`: one with a policy is custom, one without
  /// copies, whatever the hashes. That entities of different names are transformed is by analogy.
  public static func standardKind(
    source: String?, destination: String?, policy: String?
  ) -> Kind {
    switch (source, destination) {
    case (nil, _): .add
    case (_, nil): .remove
    case _ where policy != nil: .custom
    case (let source, let destination): source == destination ? .copy : .transform
    }
  }

  var hasStandardKind: Bool {
    kind
      == Self.standardKind(
        source: sourceName, destination: destinationName, policy: policyName)
  }
}
