public import StrataBase
public import StrataObjectModel

/// A change that inference refuses, or that loses values, cut into steps that keep them.
///
/// The first step adds room: attributes of the new types, entities and relationships that values move to; where
/// a name is taken, under one that begins with `tmp`. The app copies into it. The last step is the wanted
/// model, whose elements take over what the copies hold by their renaming identifiers; these are not part of
/// any hash.
///
/// ```swift
/// VersionChain(from: first, to: second)?.steps.flatMap(\.copies)
/// ```
///
/// Source: facts on the demonstrations, section 4.
public struct VersionChain: Sendable, Hashable {
  public struct Step: Sendable, Hashable {
    public var model: ObjectModel
    /// What the app copies once a store is at this step, before it goes on.
    public var copies: [Copy]
  }

  /// Values or objects that the app takes from one place to another.
  public struct Copy: Sendable, Hashable {
    public enum Kind: Sendable, Hashable {
      /// Whole objects, to objects of another entity.
      case objects(to: String)
      case values(ValueCopy)
      /// The parts of a text, at each space; the last attribute gets the rest.
      case parts(of: String, to: [String])
      case linked(LinkedCopy)
    }

    /// The entity of the objects that are copied from.
    public var entity: String
    public var kind: Kind
  }

  /// The values of an attribute, to another attribute of the same objects.
  public struct ValueCopy: Sendable, Hashable {
    public var attribute: String
    public var type: AttributeType
    public var newName: String
    public var newType: AttributeType

    /// Whether the app has to say how a value is converted.
    public var isUnknown: Bool { type != newType && !(type.isNumber && newType.isNumber) }

    /// What the copy loses of numbers, as an inferred conversion does; `nil` where every value fits.
    public var narrowing: LossRule? {
      guard type.isNumber, newType.isNumber, !newType.holds(type) else { return nil }
      return .narrowedNumber(from: type, to: newType)
    }
  }

  /// The values of attributes, to an object that a to-one relationship leads to.
  public struct LinkedCopy: Sendable, Hashable {
    public var relationship: String
    /// The entity of the object.
    public var entity: String
    /// The attributes, with those of the object.
    public var attributes: [Pair]
    /// Whether objects with the same value share one.
    public var isShared: Bool

    public struct Pair: Sendable, Hashable {
      public var old: String
      public var new: String
    }
  }

  /// Where the steps may fail or lose something besides what the app copies.
  public var warnings: [Finding]

  /// The renaming identifiers by which elements of the last step continue those that were probably renamed:
  /// `Topic.color` with `colour`.
  public var identifiers: [String: String] = [:]

  /// From the first after the source to the one with the destination's hashes.
  public var steps: [Step]

  public var copies: [Copy] { steps.flatMap(\.copies) }
}
