internal import StrataExpressions

/// A policy without Swift: what to do in each pass, in the expression language.
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
/// `$source` is the source object, a key alone one of the destination object. A line that is moved in
/// further than the one above goes on with it; `#` behind white space begins a comment.
package struct PolicyScript: Sendable, Hashable {
  /// The policy class that entity mappings name.
  package var name: String
  /// Which entity mappings of which hops it is for.
  var condition = Condition()
  var statements: [Statement]
  /// What value expressions may call on it.
  var methods: [Method] = []

  /// `method join:$a with:$b = EXPRESSION`
  struct Method: Sendable, Hashable {
    /// `join:with:`
    var selector: String
    /// The names of the variables, without dollar signs.
    var parameters: [String]
    var value: Expression
  }

  /// One thing to do, in one of the seven calls of a policy.
  struct Statement: Sendable, Hashable {
    /// In the order in which they are done, named as `in …:` names them.
    enum Call: String, Sendable, Hashable, CaseIterable {
      case begin, creation
      case endOfCreation = "end of creation"
      case relationships
      case endOfRelationships = "end of relationships"
      case validation, end
    }

    var call: Call
    var verb: Verb
  }

  enum Verb: Sendable, Hashable {
    /// Nothing is made of a source object.
    case skip(when: Predicate)
    /// Source objects with the same value become one object.
    case oneDestination(forEach: Expression)
    case set(attribute: String, Expression)
    /// The parts of a text; the last name gets the rest.
    case split(Expression, at: String, into: [String])
    case join([Expression], with: String, into: String)
    case relate(relationship: String, Search)
    /// Of what a to-one relationship finds, the first in an order; without a name every one.
    case keepFirst(of: String?, by: [String], isAscending: Bool)
    case require(Predicate, message: [MessagePart])
    /// An object, once.
    case make(Search)
    /// Of all objects that the entity mapping has made.
    case delete(when: Predicate)

    /// Where it is done, the usual call first.
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

  /// An object by a value of it, created where there is none.
  struct Search: Sendable, Hashable {
    var entity: String
    /// `nil` where an object is created each time.
    var key: Assignment?
    var creates: Bool
    /// The other values of a new object.
    var values: [Assignment]

    /// The values of a new object.
    var allValues: [Assignment] { (key.map { [$0] } ?? []) + values }
  }

  struct Assignment: Sendable, Hashable {
    var attribute: String
    var value: Expression
  }

  enum MessagePart: Sendable, Hashable {
    case text(String)
    /// A value of a store, of which the message tells the kind alone, unless it is revealed.
    case value(Expression, isRevealed: Bool = false)
  }

  /// The same policy, whose messages show values of the store.
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
