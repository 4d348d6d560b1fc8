public import StrataBase

/// A value of the new store that is looked at after each step.
public struct Watchpoint: Sendable, Hashable {
  public enum Subject: Sendable, Hashable {
    /// How many objects of an entity itself there are.
    case count(entity: String)
    /// A property of an object.
    case property(ObjectRef, name: String)
  }

  public internal(set) var number: Int
  public var subject: Subject
  public internal(set) var hits = 0
  /// Whether answers that are kept have the values in them.
  public var isRevealed: Bool

  public init(_ subject: Subject, revealed isRevealed: Bool = false) {
    number = 0
    self.subject = subject
    self.isRevealed = isRevealed
  }
}
