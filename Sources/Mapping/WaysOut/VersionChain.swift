package import StrataBase
package import StrataObjectModel

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
package struct VersionChain: Sendable, Hashable {
  package struct Step: Sendable, Hashable {
    package var model: ObjectModel
    /// What the app copies once a store is at this step, before it goes on.
    package var copies: [Copy]
  }

  /// Values or objects that the app takes from one place to another.
  package struct Copy: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
      /// Whole objects, to objects of another entity.
      case objects(to: String)
      case values(ValueCopy)
      /// The parts of a text, at each space; the last attribute gets the rest.
      case parts(of: String, to: [String])
      case linked(LinkedCopy)
    }

    /// The entity of the objects that are copied from.
    package var entity: String
    package var kind: Kind
  }

  /// The values of an attribute, to another attribute of the same objects.
  package struct ValueCopy: Sendable, Hashable {
    package var attribute: String
    package var type: AttributeType
    package var newName: String
    package var newType: AttributeType

    /// Whether the app has to say how a value is converted.
    package var isUnknown: Bool { type != newType && !(type.isNumber && newType.isNumber) }

    /// What the copy loses of numbers, as an inferred conversion does; `nil` where every value fits.
    package var narrowing: LossRule? {
      guard type.isNumber, newType.isNumber, !newType.holds(type) else { return nil }
      return .narrowedNumber(from: type, to: newType)
    }
  }

  /// The values of attributes, to an object that a to-one relationship leads to.
  package struct LinkedCopy: Sendable, Hashable {
    package var relationship: String
    /// The entity of the object.
    package var entity: String
    /// The attributes, with those of the object.
    package var attributes: [Pair]
    /// Whether objects with the same value share one.
    package var isShared: Bool

    package struct Pair: Sendable, Hashable {
      package var old: String
      package var new: String
    }
  }

  /// Where the steps may fail or lose something besides what the app copies.
  package var warnings: [Finding]

  /// The renaming identifiers by which elements of the last step continue those that were probably renamed:
  /// `Topic.color` with `colour`.
  package var identifiers: [String: String] = [:]

  /// From the first after the source to the one with the destination's hashes.
  package var steps: [Step]

  package var copies: [Copy] { steps.flatMap(\.copies) }
}
