/// A statement of a policy file that was run for an object, with the values that decided.
///
/// It belongs to the event of the step, and has the number of that event.
package struct TraceDecision: Sendable, Hashable {
  package enum Effect: Sendable, Hashable {
    /// No object is created from the source object.
    case skips
    /// The statement applies to other objects only.
    case nothing
    /// The source object becomes this existing destination object.
    case joins(ObjectRef)
    /// No earlier source object has the value, so the entity mapping creates an object.
    case creates
    /// Attributes get values.
    case sets([Value])
    /// The object with the value exists, or was created by the statement.
    case finds(ObjectRef)
    case inserts(ObjectRef)
    /// The object found first, of several.
    case keeps(ObjectRef)
    case deletes
    /// The requirement is met, or not.
    case isMet(Bool)
  }

  /// A named value: an expression with its value, or an attribute.
  package struct Value: Sendable, Hashable {
    package var name: String
    package var value: TraceValue

    package init(_ name: String, _ value: TraceValue) {
      self.name = name
      self.value = value
    }
  }

  package var policy: String
  /// The pass in which it is written (`in relationships:`).
  package var call: String
  package var statement: String
  /// The source or destination object for which it was run; `nil` if it is run once.
  package var source: ObjectRef?
  package var destination: ObjectRef?
  /// The expressions of the statement with their values.
  package var values: [Value]
  package var effect: Effect

  package init(
    policy: String, call: String, statement: String, source: ObjectRef?, destination: ObjectRef?,
    values: [Value], effect: Effect
  ) {
    self.policy = policy
    self.call = call
    self.statement = statement
    self.source = source
    self.destination = destination
    self.values = values
    self.effect = effect
  }
}
