internal import StrataExpressions
internal import StrataMapping
internal import StrataStore

/// The behavior of an entity mapping in a pass: the default, a policy file or a Swift policy.
///
/// It is a value type, so a run can restore checkpoints.
protocol RunningPolicy {
  /// Called for each source object in pass 1.
  mutating func createInstances(
    from source: BrowsedObject, in mapping: EntityMapping, _ manager: PassManager) throws

  /// Called for each new object in pass 2.
  mutating func createRelationships(
    of object: NewObject, in mapping: EntityMapping, _ manager: PassManager) throws

  /// Called for the other five methods.
  mutating func perform(
    _ call: PolicyScript.Statement.Call, _ mapping: EntityMapping, _ manager: PassManager) throws

  /// The selectors that value expressions can call.
  var methods: Set<String> { get }
  /// The result of a method; called on a copy.
  func value(
    ofMethod selector: String, arguments: [ExpressionValue], _ manager: PassManager
  ) throws -> ExpressionValue
}

/// The default behavior of an entity mapping without a policy.
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
