internal import StrataExpressions
package import StrataObjectModel

/// The entities that the keys and variables of a condition belong to.
///
/// ```swift
/// let scope = ConditionScope(object: .init(name: "Topic", model: model1))
/// scope.candidates(of: "content = 'a' AND topicList.ti").map(\.name)  // ["title"]
/// scope.candidates(of: "content ").map(\.name)  // ["==", "!=", "<", …]
/// ```
package struct ConditionScope {
  package struct Entity {
    var name: String
    var model: ObjectModel

    package init(name: String, model: ObjectModel) {
      (self.name, self.model) = (name, model)
    }
  }

  /// The entity of keys without a variable.
  var object: Entity?
  /// The entities of the variables, by their names without the dollar sign.
  var variables: [String: Entity]

  package init(object: Entity? = nil, variables: [String: Entity] = [:]) {
    (self.object, self.variables) = (object, variables)
  }

  private static let operators = [
    "==", "!=", "<", "<=", ">", ">=", "BEGINSWITH", "CONTAINS", "ENDSWITH", "LIKE", "MATCHES", "IN",
    "BETWEEN", "AND", "OR",
  ]
  /// Words that begin an operand; they are only suggested to one who types them.
  private static let operandWords = ["ANY", "ALL", "NONE", "NOT", "SELF", "YES", "NO", "nil"]

  private static let functions = ExpressionFunction.all.map { "\($0.name)(" } + ["SUBQUERY("]

  private static let collectionOperators = ["@count", "@sum.", "@avg.", "@min.", "@max."]

  /// What can follow a typed part: keys, variables and operators, as far as the syntax allows them there.
  package func candidates(of text: String) -> [Completion.Candidate] {
    let word = text.suffixOfKeyPath
    let before = String(text.dropLast(word.count))
    let words = Self.operators + (word.isEmpty ? [] : Self.operandWords)
    let functions = word.isEmpty ? [] : Self.functions
    let candidates =
      keyCandidates(of: word) + words.map { .init($0, .phrase) }
      + functions.map { .init($0, .continues) }
    return candidates.map { $0.after(before) }.filter { candidate in
      [Predicate.canBegin(with:), Expression.canBegin(with:)].contains { $0(candidate.text) }
    }
  }

  /// The properties and variables that can continue a key path.
  func keyCandidates(of path: Substring) -> [Completion.Candidate] {
    var keys = path.split(separator: ".", omittingEmptySubsequences: false)
    keys.removeLast()
    let place = keys.map { $0 + "." }.joined()
    var names: [Completion.Candidate] = []
    var owner = object
    if keys.isEmpty {
      names = variables.keys.map { .init("$\($0).", .continues) }
    } else if keys[0].hasPrefix("$") {
      owner = variables[String(keys.removeFirst().dropFirst())]
    }
    guard let (owner, isMany) = owner?.reached(by: keys) else { return names }
    if isMany {
      names += Self.collectionOperators.map { .init(place + $0, .continues, after: place) }
    }
    return names
      + owner.properties.map {
        .init(place + $0.name, $0.isValue ? .phrase : .continues, after: place)
      }
  }
}

extension ConditionScope.Entity {
  /// The destination entity of the last of these relationships, and whether it is a to-many; `nil` if one of them is
  /// no relationship.
  fileprivate func reached(by keys: [Substring]) -> (owner: Self, isMany: Bool)? {
    var (owner, isMany) = (self, false)
    for key in keys {
      // `@sum` and others are followed by a key of the same objects.
      guard !key.hasPrefix("@") else {
        isMany = false
        continue
      }
      guard let relationship = model.relationship(String(key), of: owner.name) else { return nil }
      owner.name = relationship.property.destinationName
      isMany = relationship.property.isToMany
    }
    return (owner, isMany)
  }

  fileprivate var properties: [(name: String, isValue: Bool)] {
    model.allAttributes(of: name).filter { !$0.property.isTransient }
      .map { ($0.property.name, true) }
      + model.allRelationships(of: name).map { ($0.property.name, false) }
  }
}

extension String {
  /// The longest suffix of the text that can be a key path, with its variable.
  fileprivate var suffixOfKeyPath: Substring {
    suffix(reversed().prefix { $0.isLetter || $0.isNumber || "_.$@".contains($0) }.count)
  }
}
