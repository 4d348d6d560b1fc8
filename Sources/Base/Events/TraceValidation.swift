/// The validation of all objects of an entity: the rules, and the number of objects that violate one.
///
/// It belongs to the event of the step, and has the number of that event.
package struct TraceValidation: Sendable, Hashable {
  /// A rule of the destination model: `rating`, `maximum`, `10`.
  package struct Rule: Sendable, Hashable {
    /// A property, or the properties of a uniqueness constraint.
    package var property: String
    package var rule: String
    /// The bound, if it has one.
    package var bound: String?
    /// The number of objects that violate it.
    package var violations = 0

    package init(_ property: String, _ rule: String, _ bound: String? = nil) {
      self.property = property
      self.rule = rule
      self.bound = bound
    }
  }

  package var entity: String
  /// The number of objects that were validated.
  package var objects: Int
  package var rules: [Rule]

  package init(entity: String, objects: Int, rules: [Rule]) {
    self.entity = entity
    self.objects = objects
    self.rules = rules
  }
}
