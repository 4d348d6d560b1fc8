internal import StrataBase
package import StrataExpressions

/// The expressions that every mapping model is made of.
///
/// Source: facts on inference, section 3; the compiled mapping model of the corpus.
extension Expression {
  /// `$source.name`: a value of the source object.
  package static func sourceValue(_ keys: [String]) -> Expression {
    keys.isEmpty ? .variable("source") : .keyPath(of: .variable("source"), keys)
  }

  /// What the source objects became in the entity mapping of that name.
  package static func destinations(
    through mapping: String, of sources: Expression
  ) -> Expression {
    .function(
      MappingFunction.throughMapping, on: .variable("manager"),
      arguments: [.constant(.text(mapping)), sources])
  }

  /// What the source objects became in whichever entity mapping took them: what Xcode writes where
  /// several entity mappings fit a relationship.
  package static func destinations(
    ofRelationship name: String, of sources: Expression
  ) -> Expression {
    .function(
      MappingFunction.throughRelationship, on: .variable("manager"),
      arguments: [.constant(.text(name)), sources])
  }

  /// The source objects of an entity that fit a predicate: what an entity mapping works through.
  static func sources(of entity: String, where predicate: String) -> Expression {
    .fetch(
      request: .function(
        MappingFunction.fetchRequest, on: .variable("manager"),
        arguments: [.constant(.text(entity)), .constant(.text(predicate))]),
      context: .keyPath(of: .variable("manager"), ["sourceContext"]), countOnly: false)
  }
}

/// The methods of the migration manager that mapping models call.
package enum MappingFunction {
  package static let throughMapping = "destinationInstancesForEntityMappingNamed:sourceInstances:"
  package static let throughRelationship =
    "destinationInstancesForSourceRelationshipNamed:sourceInstances:"
  package static let back = "sourceInstancesForEntityMappingNamed:destinationInstances:"
  package static let sourceEntity = "sourceEntityForEntityMapping:"
  package static let destinationEntity = "destinationEntityForEntityMapping:"
  static let fetchRequest = "fetchRequestForSourceEntityNamed:predicateString:"
}

/// What a relationship mapping says, where it has one of the usual forms.
package enum RelationshipSource: Sendable, Hashable {
  /// The source objects under an expression, as they went through an entity mapping.
  case mapping(String, of: Expression)
  /// The same, through whichever entity mapping took them.
  case relationship(String, of: Expression)

  package init?(_ expression: Expression) {
    guard case .function(let name, on: .variable("manager"), let arguments) = expression,
      arguments.count == 2, case .constant(.text(let first)) = arguments[0]
    else { return nil }
    switch name {
    case MappingFunction.throughMapping: self = .mapping(first, of: arguments[1])
    case MappingFunction.throughRelationship: self = .relationship(first, of: arguments[1])
    default: return nil
    }
  }

  /// The entity mapping that is named.
  package var mappingName: String? {
    if case .mapping(let name, of: _) = self { name } else { nil }
  }

  /// The source objects whose destinations are meant.
  package var sources: Expression {
    switch self {
    case .mapping(_, let sources), .relationship(_, let sources): sources
    }
  }

  package var expression: Expression {
    switch self {
    case .mapping(let name, let sources): .destinations(through: name, of: sources)
    case .relationship(let name, let sources): .destinations(ofRelationship: name, of: sources)
    }
  }
}
