internal import StrataBase
package import StrataExpressions

/// The expressions that every mapping model contains.
///
/// Source: `Docs/Facts/inference.md`, section 3; the compiled mapping model that `CorpusTests` reads.
extension Expression {
  /// `$source.name`: a value of the source object.
  package static func sourceValue(_ keys: [String]) -> Expression {
    keys.isEmpty ? .variable("source") : .keyPath(of: .variable("source"), keys)
  }

  /// The destination objects of source objects, through the entity mapping with that name.
  package static func destinations(
    through mapping: String, of sources: Expression
  ) -> Expression {
    .function(
      MappingFunction.throughMapping, on: .variable("manager"),
      arguments: [.constant(.text(mapping)), sources])
  }

  /// The destination objects of source objects through any entity mapping, as written by Xcode if several
  /// entity mappings match a relationship.
  package static func destinations(
    ofRelationship name: String, of sources: Expression
  ) -> Expression {
    .function(
      MappingFunction.throughRelationship, on: .variable("manager"),
      arguments: [.constant(.text(name)), sources])
  }

  /// The source objects of an entity that match a predicate: the source expression of an entity mapping.
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

/// A relationship mapping in one of the usual forms.
package enum RelationshipSource: Sendable, Hashable {
  /// The destination objects of an expression's source objects, through a named entity mapping.
  case mapping(String, of: Expression)
  /// The destination objects of an expression's source objects, through any entity mapping.
  case relationship(String, of: Expression)

  package init?(_ expression: Expression) {
    guard case .function(let name, on: .variable("manager"), let arguments) = expression,
      arguments.count == 2, case .constant(.text(let first)) = arguments[0]
    else { return nil }
    switch name {
    // Without a name, all entity mappings are meant.
    case MappingFunction.throughMapping where !first.isEmpty:
      self = .mapping(first, of: arguments[1])
    case MappingFunction.throughRelationship: self = .relationship(first, of: arguments[1])
    default: return nil
    }
  }

  /// The name of the entity mapping, if any.
  package var mappingName: String? {
    if case .mapping(let name, of: _) = self { name } else { nil }
  }

  /// The expression for the source objects.
  package var sources: Expression {
    switch self {
    case .mapping(_, let sources), .relationship(_, let sources): sources
    }
  }
}
