internal import StrataBase
internal import StrataExpressions
internal import StrataObjectModel
internal import StrataSQLite
internal import StrataStore

/// A change of a stage to the objects of an entity and its subentities, before or after the migration: policy
/// file statements, applied to existing objects.
package struct StageChange: Sendable, Hashable {
  package let entity: String
  let verbs: [PolicyScript.Verb]
  /// The text in the stages file.
  package let text: String

  /// The statements allowed in a stage, for messages.
  static let verbs = "set, set … = create, set … = find or create, split, join, require"

  /// - Returns: `nil` for statements that create other objects from the source objects.
  init?(entity: String, verbs: [PolicyScript.Verb], text: String) {
    let isPossible = verbs.allSatisfy { verb in
      switch verb {
      case .set, .split, .join, .skip, .require, .relate: true
      case .oneDestination, .keepFirst, .make, .delete: false
      }
    }
    guard isPossible else { return nil }
    self.entity = entity
    self.verbs = verbs
    self.text = text
  }

  /// The relationships that are set.
  ///
  /// - Parameter onlyFound: Only those to objects that may be there already.
  func relationships(in model: ObjectModel, onlyFound: Bool = false) -> [PropertyID] {
    verbs.compactMap { verb in
      guard case .relate(let name, let search) = verb, !onlyFound || search.key != nil else {
        return nil
      }
      return model.relationship(name, of: entity)?.id
    }
  }

  /// The names of the properties of its objects that its expressions use.
  var usedNames: Set<String> {
    Set(verbs.flatMap(\.paths).compactMap { $0.split(separator: ".").first.map(String.init) })
  }

  /// The attributes that are set.
  var attributes: Set<String> { Set(verbs.flatMap(\.values).map(\.attribute)) }

  /// Changes the objects in the current transaction.
  ///
  /// - Parameters:
  ///   - origins: The origins of the values, which the change updates.
  ///   - read: The key paths that the later changes of the phase read.
  /// - Returns: The number of objects for which a statement changes something, all changed objects, and what they lose.
  /// - Throws: Errors of expressions, and ``Diagnostic`` if a requirement is not met.
  func perform(
    on reader: consuming StoreReader, _ origins: inout StageOrigins, laterReading read: Set<String>
  ) throws -> (count: Int, changed: ChangedObjects, losses: StageLosses) {
    let model = reader.model
    let objects = StoreObjects(reader)
    var failures = FailedRequirements()
    var count = 0
    var changed = ChangedObjects()
    var losses = StageLosses()
    let statements = statements(laterReading: read)
    for name in model.familyNames(of: entity) {
      let changer = try StageChanger(name, objects, origins.take(name))
      for key in try objects.keys(of: name, where: nil) {
        try Interruption.check()
        if try change(key, changer, statements, &failures) { count += 1 }
      }
      origins[name] = changer.origins
      changed.formUnion(changer.changed)
      losses.add(changer.losses)
    }
    try failures.check(text)
    return (count, changed, losses)
  }

  /// The statements, with what the later ones read and set.
  private func statements(laterReading read: Set<String>) -> [StageStatement] {
    var statements: [StageStatement] = []
    var read = read
    var copies: [StageStatement.SkippedCopy] = []
    for (number, verb) in verbs.enumerated().reversed() {
      let paths = verb.paths
      statements.append(
        StageStatement(
          number: number, verb: verb, paths: paths, laterRead: read, laterCopies: copies))
      for copy in verb.copies {
        for source in copy.sources {
          copies.append(.init(copy, of: source, number: verbs.count + copies.count))
        }
      }
      read.formUnion(paths)
    }
    return statements.reversed()
  }

  private func change(
    _ key: Int64, _ changer: StageChanger, _ statements: [StageStatement],
    _ failures: inout FailedRequirements
  ) throws -> Bool {
    var hasChanged = false
    for statement in statements {
      let verb = statement.verb
      let object = changer.object(key)
      var context = EvaluationContext(object: object, variables: ["source": .object(object)])
      switch verb {
      case .skip(let condition):
        changer.arithmetic.choose(for: condition, in: &context)
        if try context.holds(condition) {
          try changer.skip(statement, context, key)
          return hasChanged
        }
      case .set, .split, .join:
        hasChanged = try changer.assign(by: statement, context, object) || hasChanged
      case .require(let condition, let message):
        changer.arithmetic.choose(for: condition, in: &context)
        if try !context.holds(condition) {
          try failures.add("\(changer.entity)/p\(key)", message, context)
        }
      case .relate(let relationship, let search):
        hasChanged = try changer.relate(relationship, search, context, key, statement) || hasChanged
      case .oneDestination, .keepFirst, .make, .delete: continue
      }
    }
    return hasChanged
  }
}

extension Sequence<StageChange> {
  /// The key paths of their objects that the changes read.
  var paths: Set<String> { Set(flatMap(\.verbs).flatMap(\.paths)) }
}

extension PolicyScript.Verb {
  /// The key paths of the object from which a statement of a stage computes values.
  fileprivate var paths: Set<String> { pathsOfObject(orOf: "source") }
}
