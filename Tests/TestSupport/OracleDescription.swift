import StrataExpressions
import StrataMapping
package import StrataMigration
import StrataObjectModel

/// Two models, and what goes on as what, for `Tests/Oracle`.
package struct OracleDescription: Encodable, Sendable {
  /// What the objects of an entity continue; by property of the destination, that of the source.
  private struct Continuation: Encodable {
    var source: String?
    var destination: String
    var attributes: [String: String]
    var relationships: [String: String]
  }

  private var old: OracleModel
  private var new: OracleModel
  private var entities: [Continuation]

  /// - Parameter hop: Of an inferred mapping model.
  package init(_ hop: MigrationPlan.Hop) {
    old = OracleModel(hop.from.model)
    new = OracleModel(hop.to.model)
    entities = hop.entityMappings.compactMap { mapping in
      guard let destination = mapping.destinationName else { return nil }
      return Continuation(
        source: mapping.sourceName, destination: destination,
        attributes: Self.names(mapping.attributeMappings) { $0 },
        relationships: Self.names(mapping.relationshipMappings) { expression in
          switch RelationshipSource(expression) {
          case .mapping(_, of: let sources)?, .relationship(_, of: let sources)?: sources
          case nil: expression
          }
        })
    }
  }

  private static func names(
    _ mappings: [PropertyMapping], _ sources: (Expression) -> Expression
  ) -> [String: String] {
    var names: [String: String] = [:]
    for mapping in mappings {
      guard case .keyPath(of: .variable("source"), let keys)? = mapping.expression.map(sources),
        keys.count == 1
      else { continue }
      names[mapping.name] = keys[0]
    }
    return names
  }
}
