internal import StrataExpressions
internal import StrataMapping
internal import StrataStore

/// What is done for the objects of an entity mapping in a pass: by default, by a policy file or by a policy
/// in Swift.
///
/// It is a value, so that a run can go back.
protocol RunningPolicy {
  /// Called for each source object in pass 1.
  mutating func createInstances(
    from source: BrowsedObject, in mapping: EntityMapping, _ manager: PassManager) throws

  /// Called for each new object in pass 2.
  mutating func createRelationships(
    of object: NewObject, in mapping: EntityMapping, _ manager: PassManager) throws

  /// One of the other five calls.
  mutating func perform(
    _ call: PolicyScript.Statement.Call, _ mapping: EntityMapping, _ manager: PassManager) throws

  /// The selectors that value expressions may call.
  var methods: Set<String> { get }
  /// The result of a method; called on a copy.
  func value(
    ofMethod selector: String, arguments: [ExpressionValue], _ manager: PassManager
  ) throws -> ExpressionValue
}

/// The work of an entity mapping without a policy.
struct DefaultPolicy: RunningPolicy {
  func createInstances(
    from source: BrowsedObject, in mapping: EntityMapping, _ manager: PassManager
  ) throws {
    try manager.createDestinationInstance(for: source, in: mapping)
  }

  func createRelationships(
    of object: NewObject, in mapping: EntityMapping, _ manager: PassManager
  ) throws {
    try manager.createRelationships(for: object, in: mapping)
  }

  func perform(
    _ call: PolicyScript.Statement.Call, _ mapping: EntityMapping, _ manager: PassManager
  ) {}

  var methods: Set<String> { [] }

  func value(
    ofMethod selector: String, arguments: [ExpressionValue], _ manager: PassManager
  ) throws -> ExpressionValue {
    throw ExpressionError(.unknownFunction(selector, near: nil))
  }
}
