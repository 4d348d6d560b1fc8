package import StrataBase
package import StrataExpressions

/// A breakpoint of a migration.
package struct Breakpoint: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    /// The start of a pass; `nil` for any pass.
    case pass(Pass?)
    /// The start of an entity mapping; with a condition, each of its objects that matches.
    case entityMapping(String)
    /// A source object, or the destination object created from it.
    case object(ObjectRef)
    /// A property of a destination entity is set, or a statement in place uses its column.
    case property(PropertyID)
    /// A statement that matches a pattern: `*` stands for any text.
    case sql(String)
    /// A call of a policy; without a call, every call.
    case policy(String?, call: PolicyCall?)
    /// An error, or an object that is invalid in the new model.
    case error
    /// An object without a destination object, or a number that does not fit.
    case warning
  }

  /// The seven calls of an entity migration policy.
  package enum PolicyCall: String, Sendable, Hashable, CaseIterable {
    case begin, createDestinationInstances, endInstanceCreation, createRelationships
    case endRelationshipCreation, performCustomValidation, end
  }

  /// The number, starting at 1, shared with watchpoints.
  package internal(set) var number: Int
  package var kind: Kind
  /// The condition on `$source` and `$destination`, if there are objects.
  package var condition: Predicate?
  /// The remaining number of hits to ignore.
  package var ignoreCount: Int
  package var isOnce: Bool
  /// The positions of hits, including ignored ones.
  var hitPositions: [StepPosition] = []
  package var hits: Int { hitPositions.count }

  package init(
    _ kind: Kind, when condition: Predicate? = nil, ignoring ignoreCount: Int = 0,
    once isOnce: Bool = false
  ) {
    number = 0
    self.kind = kind
    self.condition = condition
    self.ignoreCount = ignoreCount
    self.isOnce = isOnce
  }
}
