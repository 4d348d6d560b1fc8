internal import StrataExpressions
internal import StrataObjectModel

/// What a property mapping says when its author says nothing: what Xcode fills in.
///
/// Source: the `.cdm` of the corpus beside its `.xcmappingmodel`, which says nothing for these.
final class AutomaticExpressions {
  private let matching: ModelMatching?
  private let entityMappings: [EntityMapping]
  /// By source and destination entity: several entity mappings may have the same two.
  private var known: [[String]: Answers] = [:]

  /// By source and destination entity, the only entity mapping between them.
  private var only: [[String]: String?] = [:]

  private struct Answers {
    var attributes: [String: Expression]
    var relationships: [String: Expression]
  }

  /// - Parameter mappings: All of the mapping model: relationships lead through them.
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
    return answers(matching, sourceName, destinationName).attributes[name]
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
    return answers(matching, sourceName, destinationName).relationships[name]
  }

  private func answers(
    _ matching: ModelMatching, _ sourceName: String, _ destinationName: String
  ) -> Answers {
    if let answers = known[[sourceName, destinationName]] { return answers }
    let before = matching.source.properties(of: sourceName)
    let after = matching.destination.properties(of: destinationName)
    let attributes = before.matchedAttributes(to: after)
    let relationships = before.matchedRelationships(to: after)
    var answers = Answers(attributes: [:], relationships: [:])
    for (old, new) in attributes.pairs { answers.attributes[new] = .sourceValue([old]) }
    for (old, new) in relationships.pairs {
      guard let relationship = before.relationship(old)?.property,
        let wanted = after.relationship(new)?.property
      else { continue }
      let only = through(
        matching, from: relationship.destinationName, to: wanted.destinationName)
      answers.relationships[new] =
        only.map { .destinations(through: $0, of: .sourceValue([old])) }
        ?? .destinations(ofRelationship: old, of: .sourceValue([old]))
    }
    known[[sourceName, destinationName]] = answers
    return answers
  }

  /// The only entity mapping that takes objects of an entity, or of one below it, to those of another;
  /// nothing where there are several, or none.
  private func through(
    _ matching: ModelMatching, from source: String, to destination: String
  ) -> String? {
    if let known = only[[source, destination]] { return known }
    let sources = Set([source] + matching.source.model.descendantNames(of: source))
    let destinations = Set(
      [destination] + matching.destination.model.descendantNames(of: destination))
    let fitting = entityMappings.filter { mapping in
      mapping.sourceName.map(sources.contains) == true
        && mapping.destinationName.map(destinations.contains) == true
    }
    let found = fitting.count == 1 ? fitting[0].name : nil
    only[[source, destination]] = .some(found)
    return found
  }
}

extension EntityMapping {
  /// What Xcode calls an entity mapping of these entities: `TopicToTopic`, or `Member` for one without a
  /// source.
  ///
  /// Source: facts on inference, section 2; without a destination by analogy.
  package static func standardName(source: String?, destination: String?) -> String {
    guard let source, let destination else { return source ?? destination ?? "" }
    return "\(source)To\(destination)"
  }

  /// The kind that Xcode's compiler gives an entity mapping of which only these are known.
  ///
  /// Source: the five entity mappings of the corpus's `.cdm`: one with a policy is custom, one without
  /// copies, whatever the hashes. That entities of different names are transformed is by analogy.
  package static func standardKind(
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
