package import StrataBase
package import StrataObjectModel

/// A model change that cannot be inferred or loses values, split into steps that keep them.
///
/// The first step adds elements: attributes of the new types, and entities and relationships for the values; if
/// a name is used, the new one begins with `tmp`. The app copies the values into them. The last step is the
/// destination model, whose elements continue the copies by renaming identifiers; these are not part of any
/// hash.
///
/// ```swift
/// let chain = VersionChain(from: MatchableModel(recipes1), to: MatchableModel(recipes2))
/// chain?.steps.flatMap(\.copies).map(\.entity)  // ["Chef", "Recipe"]
/// ```
///
/// Source: `Docs/Facts/samples.md`, section 4.
package struct VersionChain: Sendable, Hashable {
  package struct Step: Sendable, Hashable {
    package var model: ObjectModel
    /// The copies that the app makes at this step, before the next one.
    package var copies: [Copy]
  }

  /// Values or objects that the app copies.
  package struct Copy: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
      /// Whole objects, to objects of another entity.
      case objects(to: String)
      case values(ValueCopy)
      /// The parts of a string, split at spaces; the last attribute gets the rest.
      case parts(of: String, to: [String])
      case linked(LinkedCopy)
    }

    /// The entity of the source objects.
    package var entity: String
    package var kind: Kind
  }

  /// The values of an attribute, to another attribute of the same objects.
  package struct ValueCopy: Sendable, Hashable {
    package var attribute: String
    package var type: AttributeType
    package var newName: String
    package var newType: AttributeType

    /// Whether the app must define the conversion of a value.
    package var isUnknown: Bool { type != newType && !(type.isNumber && newType.isNumber) }

    /// The losses of numbers, as in an inferred conversion; `nil` if every value fits.
    package var narrowing: LossRule? {
      guard type.isNumber, newType.isNumber, !newType.holds(type) else { return nil }
      return .narrowedNumber(from: type, to: newType)
    }
  }

  /// The values of attributes, to the destination object of a to-one relationship.
  package struct LinkedCopy: Sendable, Hashable {
    package var relationship: String
    /// The entity of the object.
    package var entity: String
    /// The source attributes and those of the object.
    package var attributes: [Pair]
    /// Whether objects with the same value share one.
    package var isShared: Bool

    package struct Pair: Sendable, Hashable {
      package var old: String
      package var new: String
    }
  }

  /// The risks and losses of the steps, except for copied values.
  package var warnings: [Finding]

  /// The added renaming identifiers for probable renames in the last step: `Topic.color` with `colour`.
  package var identifiers: [String: String] = [:]

  /// From the first step after the source to the one with the destination's hashes.
  package var steps: [Step]

  package var copies: [Copy] { steps.flatMap(\.copies) }
}
