internal import StrataExpressions
internal import StrataObjectModel

/// The default value expressions of property mappings, as inserted by Xcode.
///
/// Source: `Docs/Facts/migration-process.md`, section 3: a real `.cdm`
/// beside its `.xcmappingmodel`, which omits these expressions.
final class AutomaticExpressions {
  private let matching: ModelMatching?
  private let entityMappings: [EntityMapping]
  /// By source and destination entity; several entity mappings can have the same pair.
  private var known: [[String]: Answers] = [:]

  /// The only entity mapping between a source and a destination entity, by the pair.
  private var only: [[String]: String?] = [:]

  private struct Answers {
    var attributes: [String: Expression]
    var relationships: [String: Expression]
  }

  /// - Parameter mappings: All entity mappings of the mapping model, to which relationship mappings refer.
  init(from source: MatchableModel?, to destination: MatchableModel?, _ mappings: [EntityMapping]) {
    matching =
      if let source, let destination { ModelMatching(from: source, to: destination) } else { nil }
    entityMappings = mappings
  }

  /// The source attribute with the same name, or the renamed one; `nil` if there is none.
  func attribute(_ name: String, of mapping: EntityMapping) -> Expression? {
    guard let sourceName = mapping.sourceName, let destinationName = mapping.destinationName else {
      return nil
    }
    guard let matching else { return .sourceValue([name]) }
    return answers(matching, sourceName, destinationName).attributes[name]
  }

  /// The destinations of the source relationship, through the entity mapping that creates them if there is only
  /// one.
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

  /// The only entity mapping from an entity or its subentities to another; `nil` if there are several or none.
  private func through(
    _ matching: ModelMatching, from source: String, to destination: String
  ) -> String? {
    if let known = only[[source, destination]] { return known }
    let sources = Set(matching.source.model.familyNames(of: source))
    let destinations = Set(matching.destination.model.familyNames(of: destination))
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
  /// Xcode's name of an entity mapping of these entities: `TopicToTopic`, or `Member` for one without a source.
  ///
  /// Source: `Docs/Facts/inference.md`, section 2; without a destination by analogy.
  package static func standardName(source: String?, destination: String?) -> String {
    guard let source, let destination else { return source ?? destination ?? "" }
    return "\(source)To\(destination)"
  }

  /// The kind that Xcode's compiler assigns to an entity mapping, from its entities and policy.
  ///
  /// Source: `Docs/Facts/migration-process.md`, section 3:
  /// the five entity mappings of a real `.cdm`: one with a policy is custom, one without
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
