/// A relationship of a destination object that a step has set: the objects followed, the association table
/// asked, and what changed at both ends.
///
/// It belongs to the event of the step, and has the number of that event.
package struct TraceLink: Sendable, Hashable {
  /// The rule by which the objects were found.
  package enum Reason: String, Sendable, Hashable {
    /// All objects of the relationship mapping's expression.
    case mapping
    /// The objects that are kept because an end has fewer objects than in the source.
    case kept
    /// A policy has set it.
    case policy
    /// It is set together with its inverse, from the other end.
    case otherEnd
  }

  /// A source object followed, and the destination objects that the association table gives for it.
  package struct Lookup: Sendable, Hashable {
    package var source: ObjectRef
    package var destinations: [ObjectRef]

    package init(source: ObjectRef, destinations: [ObjectRef]) {
      self.source = source
      self.destinations = destinations
    }
  }

  /// The change of a relationship of another object by the inverse.
  package struct Change: Sendable, Hashable {
    package var object: ObjectRef
    package var relationship: String
    package var added: [ObjectRef]
    package var removed: [ObjectRef]

    package init(
      object: ObjectRef, relationship: String, added: [ObjectRef], removed: [ObjectRef]
    ) {
      self.object = object
      self.relationship = relationship
      self.added = added
      self.removed = removed
    }
  }

  /// The destination object.
  package var object: ObjectRef
  package var relationship: String
  package var reason: Reason
  /// The expression of the source objects, or the statement of a policy file.
  package var expression: String?
  /// The entity mapping whose association table was asked; `nil` if none was.
  package var table: String?
  /// The source objects followed, in order.
  package var lookups: [Lookup] = []
  /// Source objects of the relationship that are not followed, see ``Reason/kept``.
  package var ignored: [ObjectRef] = []
  /// The objects of the relationship after the step, and the difference from before.
  package var destinations: [ObjectRef] = []
  package var added: [ObjectRef] = []
  package var removed: [ObjectRef] = []
  /// What the inverse changed in other objects.
  package var changes: [Change] = []

  package init(
    of object: ObjectRef, _ relationship: String, _ reason: Reason, expression: String? = nil,
    table: String? = nil
  ) {
    self.object = object
    self.relationship = relationship
    self.reason = reason
    self.expression = expression
    self.table = table
  }
}
