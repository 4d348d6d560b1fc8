package import StrataBase
internal import StrataExpressions

/// A policy without Swift: statements for each pass, in the expression language.
///
/// ```
/// policy RecipeToCuisine
///   skip when $source.cuisine == nil
///   one destination for each $source.cuisine
/// policy ChefToChef
///   split $source.name at ' ' into firstName, lastName
/// policy TopicToTopic
///   in relationships: set presenter = find or create Member where firstName == $source.presenterName
///                     with email = $source.presenterEmail
///   in validation: require presenter != nil, "no presenter for \(title)"
///   keep first by dateCreated
/// ```
///
/// `$source` is the source object; a key alone is one of the destination object. A line indented further than
/// the one above continues it; `#` after white space begins a comment.
package struct PolicyScript: Sendable, Hashable {
  /// The policy class that entity mappings name.
  package var name: String
  /// The entity mappings and hops to which it applies.
  var condition = Condition()
  package internal(set) var statements: [Statement]
  /// Its methods for value expressions.
  var methods: [Method] = []
  /// The file, as the user names it; `nil` for a sample.
  package var file: String?

  /// `method join:$a with:$b = EXPRESSION`
  struct Method: Sendable, Hashable {
    /// `join:with:`
    var selector: String
    /// The names of the parameters, without dollar signs.
    var parameters: [String]
    var value: Expression
    var position: LinePart
  }

  /// A statement in one of the seven methods of a policy.
  package struct Statement: Sendable, Hashable {
    /// In the order of execution, with the names in `in …:`.
    enum Call: String, Sendable, Hashable, CaseIterable {
      case begin, creation
      case endOfCreation = "end of creation"
      case relationships
      case endOfRelationships = "end of relationships"
      case validation, end
    }

    var call: Call
    var verb: Verb
    var position: LinePart

    /// The pass in which it runs.
    package var pass: Pass {
      switch call {
      case .begin, .creation, .endOfCreation: .createInstances
      case .relationships, .endOfRelationships: .createRelationships
      case .validation, .end: .validate
      }
    }
  }

  enum Verb: Sendable, Hashable {
    /// No object is created from a source object.
    case skip(when: Predicate)
    /// Source objects with the same value become one object.
    case oneDestination(forEach: Expression)
    case set(attribute: String, Expression)
    /// The parts of a string; the last attribute gets the rest.
    case split(Expression, at: String, into: [String])
    case join([Expression], with: String, into: String)
    case relate(relationship: String, Search)
    /// Keeps the first object of a to-one relationship in an order; without a name, of all to-one
    /// relationships.
    case keepFirst(of: String?, by: [String], isAscending: Bool)
    case require(Predicate, message: [MessagePart])
    /// Creates an object, once.
    case make(Search)
    /// Deletes objects among those created by the entity mapping.
    case delete(when: Predicate)

    /// The methods in which it is allowed, the default first.
    var calls: [Statement.Call] {
      switch self {
      case .skip, .oneDestination: [.creation]
      case .set, .split, .join:
        [.creation, .endOfCreation, .relationships, .endOfRelationships, .end]
      case .relate: [.relationships, .endOfCreation, .endOfRelationships, .end]
      case .keepFirst: [.relationships]
      case .require: [.validation, .endOfCreation, .endOfRelationships, .end]
      case .make: [.begin, .endOfCreation, .endOfRelationships, .end]
      case .delete: [.endOfRelationships, .endOfCreation, .end]
      }
    }
  }

  /// An object found by an attribute value, created if there is none.
  struct Search: Sendable, Hashable {
    var entity: String
    /// `nil` if an object is always created.
    var key: Assignment?
    var creates: Bool
    /// The other attribute values of a new object.
    var values: [Assignment]

    /// The attribute values of a new object.
    var allValues: [Assignment] { (key.map { [$0] } ?? []) + values }
  }

  struct Assignment: Sendable, Hashable {
    var attribute: String
    var value: Expression
  }

  enum MessagePart: Sendable, Hashable {
    case text(String)
    /// A value of a store; the message shows only its type, unless values are revealed.
    case value(Expression, isRevealed: Bool = false)
  }

  /// Whether it differs from a policy for the same entity mappings: one of the two would be ignored.
  package func replaces(_ other: PolicyScript) -> Bool {
    name == other.name && condition == other.condition
      && (statements, methods) != (other.statements, other.methods)
  }

  /// A copy of the policy whose messages show values of the store.
  package var revealing: PolicyScript {
    var script = self
    for index in script.statements.indices {
      guard case .require(let condition, let message) = script.statements[index].verb else {
        continue
      }
      script.statements[index].verb = .require(
        condition,
        message: message.map { part in
          if case .value(let expression, _) = part {
            .value(expression, isRevealed: true)
          } else {
            part
          }
        })
    }
    return script
  }
}
