package import StrataBase

/// A reason why a migration with a mapping model fails or loses data.
package indirect enum MappingRule: FindingRule {
  // MARK: Matching models
  case unknownSource(String, near: String?)
  case unknownDestination(String, near: String?)
  /// The hash is that of another version of the entity, so Core Data does not find the mapping model.
  case staleHash(entity: String, isSource: Bool)
  /// A source entity without an entity mapping; its objects are lost. If the destination also has the entity,
  /// Core Data does not choose the mapping model.
  case unmappedSource(String, isKept: Bool)
  /// A new entity without an entity mapping; no objects of it are created.
  case unmappedDestination(String)

  // MARK: Properties
  case unknownProperty(String, near: String?)
  case wrongList(String, isAttribute: Bool)
  case missingProperty(String)
  /// A required property without a value.
  case missingValue(String)
  /// A required property whose source value can be nil.
  case mayBeMissing(String)
  /// A relationship mapping that returns source objects instead of destination objects, because no entity
  /// mapping is named.
  case notThrough(String, gives: String, near: String?)
  /// A key path without an object; the source object is `$source`.
  case withoutSource(String, expression: String)
  /// The source has an attribute with this name that is not copied.
  case leftBehind(String)
  /// The expression cannot be evaluated; the reason.
  case badExpression(String, expression: String, why: String, fix: String?)
  /// The expression returns a value of the wrong type for the attribute.
  case unfitting(String, gives: String, wants: String)
  /// Several objects for a to-one relationship.
  case severalForOne(String)
  /// A property mapping that fails without the policy of the entity mapping; values are checked after the
  /// policy.
  case decidedByPolicy(MappingRule, policy: String)

  // MARK: Entity mappings that refer to one another
  case unknownMapping(String, property: String, near: String?)
  /// The entity mapping creates objects of another entity than the destination of the relationship.
  case wrongMapping(
    String, property: String, makes: String, wants: String, effect: Effect, near: String?)
  /// The source objects are not of the source entity of the entity mapping.
  case wrongSources(String, property: String, gives: String, takes: String, effect: Effect)

  // MARK: Filters
  case badFilter(String, why: String, fix: String?)
  /// A source expression that is not a filter, and is not evaluated.
  case customSource(String)
  /// Objects that no entity mapping of their entity accepts; examples.
  case gap(entity: String, examples: [String])
  /// Objects that only entity mappings to another entity accept; examples.
  case diverted(entity: String, destination: String, examples: [String])
  /// Objects that several entity mappings to one destination entity accept; an example.
  case overlap(entity: String, mappings: [String], example: String)

  /// The effect of a relationship mapping that names the wrong entity mapping.
  package enum Effect: Sendable, Hashable {
    /// The migration fails.
    case fails
    /// The association table has no such objects: no links are set, and they are lost.
    case none
    /// The association table has no such objects, but the relationship mapping of the inverse sets the links.
    case inverse
  }

  package static let domain = "mapping"

  /// An error if the migration fails or Core Data does not find the mapping model; a warning if data is lost or
  /// the mapping is probably not intended.
  package var severity: Diagnostic.Severity {
    switch self {
    case .unmappedSource, .unmappedDestination, .missingProperty, .leftBehind, .mayBeMissing,
      .severalForOne, .gap,
      .diverted, .overlap, .decidedByPolicy:
      .warning
    case .wrongMapping(_, _, _, _, let effect, _), .wrongSources(_, _, _, _, let effect):
      effect == .fails ? .error : .warning
    default: .error
    }
  }

  /// Whether it is about a name of the mapping model, and not about a value.
  var isOfName: Bool {
    switch self {
    case .unknownProperty, .unknownMapping, .wrongMapping: true
    default: false
    }
  }

  /// Whether the finding is about the value of a property without a policy.
  var isAboutDefault: Bool {
    switch self {
    case .unknownProperty, .wrongList, .missingProperty, .missingValue, .mayBeMissing, .notThrough,
      .withoutSource, .leftBehind, .badExpression, .unfitting, .severalForOne, .unknownMapping,
      .wrongMapping, .wrongSources:
      true
    case .unknownSource, .unknownDestination, .staleHash, .unmappedSource, .unmappedDestination,
      .decidedByPolicy, .badFilter, .customSource, .gap, .diverted, .overlap:
      false
    }
  }
}
