internal import StrataDiagnostics
internal import StrataExpressions
internal import StrataObjectModel
internal import StrataSQLite
internal import StrataStore
internal import StrataValues

/// What a stage changes in the objects of an entity and of those below it, before or after its migration:
/// what a policy file says of one object, done to the object itself.
public struct StageChange: Sendable, Hashable {
  public let entity: String
  private let verbs: [PolicyScript.Verb]
  /// As the file has it.
  public let words: String

  /// What a stage can do.
  static let verbs = "set, split, join, skip when, require"

  /// - Returns: `nil` for what makes other objects.
  init?(entity: String, verbs: [PolicyScript.Verb], words: String) {
    let isPossible = verbs.allSatisfy { verb in
      switch verb {
      case .set, .split, .join, .skip, .require: true
      case .oneDestination, .relate, .keepFirst: false
      }
    }
    guard isPossible else { return nil }
    self.entity = entity
    self.verbs = verbs
    self.words = words
  }

  /// The attributes that get values.
  var attributes: Set<String> {
    verbs.reduce(into: []) { names, verb in
      switch verb {
      case .set(let name, _), .join(_, _, let name): names.insert(name)
      case .split(_, _, let parts): names.formUnion(parts)
      default: break
      }
    }
  }

  /// Changes the objects, in the transaction that the store is in.
  ///
  /// - Returns: How many have changed.
  /// - Throws: ``MigrationError/unknownEntity(_:near:)``, ``MigrationError/unknownProperty(_:of:near:)``,
  ///   what an expression throws, and ``Diagnostic`` where what is required is not so.
  func perform(on reader: consuming StoreReader) throws -> Int {
    let model = reader.model
    guard model[entity] != nil else {
      throw MigrationError.unknownEntity(
        entity, near: NearestName.of(entity, in: model.entityNames))
    }
    let objects = StoreObjects(reader)
    var unmet = UnmetRequirements()
    var count = 0
    for name in [entity] + model.descendantNames(of: entity) {
      let changer = try StageChanger(name, objects)
      for key in try objects.keys(of: name, where: nil) {
        try Interruption.check()
        if try change(key, changer, &unmet) { count += 1 }
      }
    }
    try unmet.check()
    return count
  }

  private func change(
    _ key: Int64, _ changer: StageChanger, _ unmet: inout UnmetRequirements
  ) throws -> Bool {
    var hasChanged = false
    for verb in verbs {
      let object = changer.object(key)
      var context = EvaluationContext(object: object, variables: ["source": .object(object)])
      switch verb {
      case .skip(let condition):
        context.arithmetic = changer.arithmetic.arithmetic(of: condition)
        if try context.holds(condition) { return hasChanged }
      case .set, .split, .join:
        try FilePolicy.assign(by: verb, context, changer.arithmetic, typeOf: changer.type) {
          name, value in
          try changer.set(name, to: value, key)
          hasChanged = true
        }
      case .require(let condition, let message):
        context.arithmetic = changer.arithmetic.arithmetic(of: condition)
        if try !context.holds(condition) {
          try unmet.add("\(changer.entity)/p\(key)", message, context)
        }
      case .oneDestination, .relate, .keepFirst: continue
      }
    }
    return hasChanged
  }
}

/// Gives the objects of one entity other values.
private final class StageChanger {
  let entity: String
  private let objects: StoreObjects
  private let shape: StoreRowShape
  /// How expressions over an object compute.
  let arithmetic: ArithmeticChoice

  init(_ entity: String, _ objects: StoreObjects) throws {
    guard let shape = objects.shape(of: entity) else { throw StoreError.missingTable(entity) }
    self.entity = entity
    self.objects = objects
    self.shape = shape
    let start = ArithmeticChoice.Start(model: objects.model, entity: entity)
    arithmetic = ArithmeticChoice(object: start, variables: ["source": start])
  }

  func type(of name: String) -> AttributeType? { objects.model.storedType(of: name, in: entity) }

  func object(_ key: Int64) -> BrowsedObject { objects.object(key, of: entity) }

  func set(_ name: String, to value: AttributeValue, _ key: Int64) throws {
    guard let place = shape.place(of: name), case .attribute(let attribute) = shape.contents[place]
    else {
      throw MigrationError.unknownProperty(
        name, of: entity, near: NearestName.of(name, in: shape.names))
    }
    let stored = attribute.stored(value)
    guard stored.loss == nil else {
      throw Diagnostic(
        id: "migration.numberDoesNotFit",
        what: "the value for \(entity).\(name) does not fit \(attribute.type.name)",
        location: Location(element: "\(entity)/p\(key)"),
        mend: "change the expression, or the type of the attribute")
    }
    try objects.update(key, of: entity, place: place, to: stored.value)
  }
}
