package import StrataBase

/// What makes a migration by a mapping model fail, or lose something.
package indirect enum MappingRule: FindingRule {
  // MARK: Which models it is for
  case unknownSource(String, near: String?)
  case unknownDestination(String, near: String?)
  /// The hash is that of another version of the entity: the mapping model is not found for this one.
  case staleHash(entity: String, isSource: Bool)
  /// A source entity without an entity mapping, whose objects are lost. Where the destination has the
  /// entity too, Core Data does not choose the mapping model.
  case unmappedSource(String, isKept: Bool)
  /// A new entity without an entity mapping, of which no objects are created.
  case unmappedDestination(String)

  // MARK: Properties
  case unknownProperty(String, near: String?)
  case wrongList(String, isAttribute: Bool)
  case missingProperty(String)
  /// A required property that nothing gives a value.
  case missingValue(String)
  /// A required property that gets what may be nothing in the source.
  case mayBeMissing(String)
  /// The source objects themselves, and not what became of them: no entity mapping is named.
  case notThrough(String, gives: String, near: String?)
  /// A key path that is asked of nothing: the source object is `$source`.
  case withoutSource(String, expression: String)
  /// The source has an attribute of this name, which nothing copies.
  case leftBehind(String)
  /// The expression cannot be evaluated, and why.
  case badExpression(String, expression: String, why: String, fix: String?)
  /// The expression gives another kind of value than the attribute takes.
  case unfitting(String, gives: String, wants: String)
  /// A to-one relationship that gets several objects.
  case severalForOne(String)
  /// A property mapping that fails by itself, of an entity mapping with a policy: values are judged when the
  /// policy is done.
  case decidedByPolicy(MappingRule, policy: String)

  // MARK: Entity mappings that refer to one another
  case unknownMapping(String, property: String, near: String?)
  /// The entity mapping makes objects of another entity than the relationship leads to.
  case wrongMapping(
    String, property: String, makes: String, wants: String, effect: Effect, near: String?)
  /// The source objects are not those that the entity mapping takes.
  case wrongSources(String, property: String, gives: String, takes: String, effect: Effect)

  // MARK: Filters
  case badFilter(String, why: String, fix: String?)
  /// Objects that no entity mapping of their entity takes: examples.
  case gap(entity: String, examples: [String])
  /// Objects that only other entity mappings take, so that they do not arrive as what the entity became:
  /// examples.
  case diverted(entity: String, destination: String, examples: [String])
  /// Objects that several entity mappings to one destination take: an example.
  case overlap(entity: String, mappings: [String], example: String)

  /// What follows where a relationship mapping names an entity mapping that is not the one of its objects.
  package enum Effect: Sendable, Hashable {
    /// The migration fails.
    case fails
    /// The association table has no such objects: nothing is set, and the links are lost.
    case none
    /// The same, but the relationship mapping of the inverse sets the links.
    case inverse
  }

  package static let domain = "mapping"

  /// An error where the migration fails or Core Data does not find the mapping model; a warning where something is
  /// lost, or is probably not meant.
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

  /// Whether it is about what a property gets without a policy.
  var isAboutDefault: Bool {
    switch self {
    case .unknownProperty, .wrongList, .missingProperty, .missingValue, .mayBeMissing, .notThrough,
      .withoutSource, .leftBehind, .badExpression, .unfitting, .severalForOne, .unknownMapping,
      .wrongMapping, .wrongSources:
      true
    case .unknownSource, .unknownDestination, .staleHash, .unmappedSource, .unmappedDestination,
      .decidedByPolicy, .badFilter, .gap, .diverted, .overlap:
      false
    }
  }
}
