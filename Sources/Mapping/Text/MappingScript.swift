internal import StrataBase
package import StrataExpressions
internal import StrataObjectModel

/// A parsed mapping model in text form.
///
/// Omitted properties are mapped automatically, as in Xcode, once the models are known.
///
/// ```swift
/// let script = try MappingScript(
///   parsing: """
///     mapping from Topics/Model1 to Topics/Model2
///
///     TopicToTopic: Topic -> Topic
///       timeBudget = $source.content.length * 0.2
///     """)
/// script.models?.source  // "Topics/Model1"
/// try script.mapping(from: MatchableModel(model1), to: MatchableModel(model2))
/// ```
package struct MappingScript: Sendable, Hashable {
  /// The references to the two models, if the text names them.
  package var models: Models?
  /// The mapping model without omitted properties.
  package var mapping: MappingModel
  /// For each entity mapping, the properties that have no mapping.
  var omitted: [[LinePart.Name]]
  /// The entity mappings whose hashes are in the text.
  var hashed: Set<String> = []
  /// For each entity mapping, the lines of its properties, and of its heading for `nil`.
  var lines: [String: [String?: Int]] = [:]

  /// Whether the text contains the hashes of all entities, so they identify its models.
  package var tellsHashes: Bool {
    !mapping.entityMappings.isEmpty
      && mapping.entityMappings.allSatisfy { hashed.contains($0.name) }
  }

  package struct Models: Sendable, Hashable {
    package var source: String
    package var destination: String
    /// The line that names them, from 1.
    package var line: Int
  }

  /// The intentionally omitted properties, by entity mapping.
  package var omittedProperties: [String: Set<String>] {
    Dictionary(first: zip(mapping.entityMappings, omitted).map { ($0.name, Set($1.map(\.text))) })
  }

  /// The line of a property, from 1, or of the entity mapping's heading; `nil` if the text does not have it.
  package func line(of property: String?, in mapping: String) -> Int? {
    lines[mapping].flatMap { $0[property] ?? $0[nil] }
  }

  /// The mapping model for these models, with their hashes and with automatic mappings of omitted properties.
  ///
  /// - Throws: ``LineError`` for an omitted property that the destination lacks.
  package func mapping(
    from source: MatchableModel, to destination: MatchableModel
  ) throws(LineError) -> MappingModel {
    try checkOmitted(destination)
    var completed = mapping
    for index in completed.entityMappings.indices {
      let names = completed.entityMappings[index]
      guard !hashed.contains(names.name) else { continue }
      completed.entityMappings[index].sourceHash = names.sourceName.flatMap { source.hashes[$0] }
      completed.entityMappings[index].destinationHash = names.destinationName.flatMap {
        destination.hashes[$0]
      }
    }
    let automatic = AutomaticExpressions(
      from: source, to: destination, completed.entityMappings)
    for index in completed.entityMappings.indices {
      completed.entityMappings[index].complete(
        with: automatic, destination: destination,
        omitting: Set(omitted[index].map(\.text)))
    }
    return completed
  }
}

extension MappingScript {
  private func checkOmitted(_ destination: MatchableModel) throws(LineError) {
    for (entity, omissions) in zip(mapping.entityMappings, omitted) {
      guard let name = entity.destinationName, destination.model[name] != nil else { continue }
      let known = destination.properties(of: name).candidates.map(\.name)
      for omission in omissions where !known.contains(omission.text) {
        throw omission.part.problem(
          "\(name) has no property \(omission.text)",
          fix: NearestName.of(omission.text, in: known).map(NearestName.question))
      }
    }
  }
}

extension EntityMapping {
  fileprivate mutating func complete(
    with automatic: AutomaticExpressions, destination: MatchableModel, omitting: Set<String>
  ) {
    guard let destinationName else { return }
    let properties = destination.properties(of: destinationName)
    // A relationship can be written like an attribute: the model determines the kind.
    for name in properties.relationships.map(\.property.name) {
      guard let index = attributeMappings.firstIndex(where: { $0.name == name }) else { continue }
      relationshipMappings.append(attributeMappings.remove(at: index))
    }
    let mapped = Set((attributeMappings + relationshipMappings).map(\.name)).union(omitting)
    for attribute in properties.attributes where !mapped.contains(attribute.property.name) {
      attributeMappings.append(
        PropertyMapping(
          name: attribute.property.name,
          expression: automatic.attribute(attribute.property.name, of: self)))
    }
    for relationship in properties.relationships
    where !mapped.contains(relationship.property.name) {
      relationshipMappings.append(
        PropertyMapping(
          name: relationship.property.name,
          expression: automatic.relationship(relationship.property.name, of: self)))
    }
    attributeMappings.sort { $0.name.precedesInBytes($1.name) }
    relationshipMappings.sort { $0.name.precedesInBytes($1.name) }
  }
}
