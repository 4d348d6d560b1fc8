package import StrataBase
package import StrataExpressions

/// Where a migration is to stop.
package struct Breakpoint: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    /// A pass begins; `nil` is any.
    case pass(Pass?)
    /// An entity mapping begins; with a condition, at each of its objects that fits.
    case entityMapping(String)
    /// It is the turn of a source object, or of what became of it.
    case object(ObjectRef)
    /// A property of a destination entity gets its value, or a statement in place names its column.
    case property(PropertyID)
    /// A statement is run whose text fits: `*` stands for anything.
    case sql(String)
    /// A policy is called; without a call, at each.
    case policy(String?, call: PolicyCall?)
    /// Something fails, or the new model refuses an object.
    case error
    /// An object is let go, or a number is cut.
    case warning
  }

  /// The seven calls of an entity migration policy.
  package enum PolicyCall: String, Sendable, Hashable, CaseIterable {
    case begin, createDestinationInstances, endInstanceCreation, createRelationships
    case endRelationshipCreation, performCustomValidation, end
  }

  /// Counted from 1; watchpoints are counted with them.
  package internal(set) var number: Int
  package var kind: Kind
  /// Asked of `$source` and `$destination`, where there are objects.
  package var condition: Predicate?
  /// How many more times it lets pass.
  package var ignoreCount: Int
  package var isOnce: Bool
  /// Where it was met, those places included where it let pass.
  var meetings: [StepPosition] = []
  package var hits: Int { meetings.count }

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

  /// Whether only what was made by the step can tell: then it is asked behind it.
  func isAsked(behind pass: Pass) -> Bool {
    pass == .createInstances && condition?.variables.contains("destination") == true
  }
}
