internal import StrataExpressions
internal import StrataMapping
internal import StrataObjectModel

/// The properties that a policy reads and sets in addition to its entity mapping.
struct PolicyEffect {
  /// The name of the policy's class.
  var name: String
  /// Whether ``searched`` and ``computed`` are complete.
  var isKnown: Bool
  /// Key paths of the source object by which objects are looked for.
  var searched: Set<[String]> = []
  /// The attributes that are set, with the key paths of the source object from which they are computed; without
  /// an entity, attributes of the entity mapping's objects.
  var computed: [(entity: String?, attribute: String, sources: Set<[String]>)] = []
  /// Attributes of the entity mapping's objects that are set whatever the entity mapping gives them, so that its values
  /// are lost.
  var replaced: Set<String> = []
  /// The relationships that are set.
  var relationships: Set<String> = []
  /// The entities of which it creates objects besides those of the entity mapping.
  var created: Set<String> = []
  /// Whether several source objects can become one object, which has the links of all.
  var joins = false

  init(_ name: String) {
    (self.name, isKnown) = (name, false)
  }

  /// Key paths of the source object whose values continue: an attribute that is not stored keeps none.
  ///
  /// - Parameter isStored: Whether an attribute of the entity mapping's objects is stored.
  func reads(where isStored: (_ attribute: String) -> Bool = { _ in true }) -> Set<[String]> {
    searched.union(given(where: isStored))
  }

  /// Key paths of the source object from which values are computed.
  func given(where isStored: (_ attribute: String) -> Bool) -> Set<[String]> {
    computed.reduce(into: []) { paths, value in
      if value.entity != nil || isStored(value.attribute) { paths.formUnion(value.sources) }
    }
  }
}

extension PolicyRegistry {
  /// The effects of the policies of a hop, in addition to their entity mappings.
  ///
  /// - Parameter isComplete: Whether unknown policies are included, with unknown effects; otherwise they have
  ///   the default behavior.
  func effects(
    in hop: MigrationPlan.Hop, isComplete: Bool = false
  ) -> [PolicyUse: PolicyEffect] {
    var effects: [PolicyUse: PolicyEffect] = [:]
    for use in Set(hop.policyUses) {
      let policy = make(for: use)
      guard policy != nil || isComplete else { continue }
      effects[use] =
        (policy as? FilePolicy)?.effect(use.policyName) ?? PolicyEffect(use.policyName)
    }
    return effects
  }
}

extension PolicyEffect {
  /// The effect of a policy file.
  init(_ name: String, verbs: [PolicyScript.Verb]) {
    (self.name, isKnown) = (name, true)
    for verb in verbs {
      switch verb {
      case .set, .split, .join:
        for value in verb.values {
          add(value.attribute, value.expressions)
          if value.isAlwaysSet { replaced.insert(value.attribute) }
        }
      case .relate(let name, let search):
        relationships.insert(name)
        add(search)
      case .make(let search): add(search)
      // The value that objects have in common is in none of them.
      case .oneDestination: joins = true
      case .skip, .keepFirst, .require, .delete: break
      }
    }
    // What a value is computed from continues in it.
    let read = verbs.flatMap { $0.pathsOfObject(orOf: "destination") }
    replaced = replaced.filter { !read.contains(where: $0.isRead) }
  }

  private mutating func add(_ search: PolicyScript.Search) {
    guard search.creates else {
      searched.formUnion(read(search.allValues.map(\.value)))
      return
    }
    created.insert(search.entity)
    for value in search.allValues { add(value.attribute, [value.value], of: search.entity) }
  }

  private mutating func add(
    _ attribute: String, _ expressions: [Expression], of entity: String? = nil
  ) {
    computed.append((entity, attribute, read(expressions)))
  }

  private mutating func read(_ expressions: [Expression]) -> Set<[String]> {
    var paths: Set<[String]> = []
    for expression in expressions {
      guard let found = expression.pathsOfSource(whereOwnKeysAreOf: .newObject) else {
        isKnown = false
        continue
      }
      paths.formUnion(found)
    }
    return paths
  }
}

extension PolicyScript.Verb {
  /// The key paths of the object that the statement changes from which it computes values.
  ///
  /// - Parameter variable: A name of the object besides `SELF`.
  func pathsOfObject(orOf variable: String) -> Set<String> {
    let expressions =
      switch self {
      case .set, .split, .join, .relate, .make: self.expressions
      case .skip, .oneDestination, .keepFirst, .require, .delete: [Expression]()
      }
    return Set(
      expressions.flatMap(\.keyPaths).compactMap { path in
        switch path {
        case .keyPath(of: nil, let keys), .keyPath(of: .evaluatedObject, let keys):
          keys.joined(separator: ".")
        case .keyPath(of: .variable(let name), let keys) where name == variable:
          keys.joined(separator: ".")
        default: nil
        }
      })
  }
}
