package import StrataBase

/// A value of the new store that is checked after each step.
package struct Watchpoint: Sendable, Hashable {
  package enum Subject: Sendable, Hashable {
    /// The number of objects of an entity, without subentities.
    case count(entity: String)
    /// A property of all objects of an entity.
    case values(PropertyID)
    /// A property of an object.
    case property(ObjectRef, name: String)
  }

  package internal(set) var number: Int
  package var subject: Subject
  /// The positions after the steps that have changed it.
  var hitPositions: [StepPosition] = []
  package var hits: Int { hitPositions.count }
  /// Whether saved answers contain the values.
  package var isRevealed: Bool

  package init(_ subject: Subject, revealed isRevealed: Bool = false) {
    number = 0
    self.subject = subject
    self.isRevealed = isRevealed
  }
}
