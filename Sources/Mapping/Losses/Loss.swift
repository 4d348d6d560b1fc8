package import StrataBase

/// Something that a mapping loses of every store that has it: known from the models alone.
package struct Loss: Sendable, Hashable {
  /// What is lost in the objects of a store.
  package enum Kind: Sendable, Hashable {
    /// Whole objects.
    case objects
    /// Values of an attribute.
    case values
    /// All links of a relationship.
    case links
    /// Numbers that another type does not hold, and fractions.
    case numbers(AttributeType)
    /// Of several destination objects, all but one.
    case others
    /// The order of several destination objects.
    case order
  }

  /// Where to look for it: a source entity itself, without its subentities.
  package struct Source: Sendable, Hashable {
    package var entity: String
    /// A property, of a composite attribute one of its elements; `nil` for the objects themselves.
    package var property: String?
  }

  package var kind: Kind
  /// Where a model declares the property; with evidence where it was counted.
  package var finding: Finding
  package var sources: [Source]

  /// What it says.
  package var rule: LossRule? { finding.lossRule }
}
