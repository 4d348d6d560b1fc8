public import StrataBase

/// Something that a mapping loses of every store that has it: known from the models alone.
public struct Loss: Sendable, Hashable {
  /// What is lost in the objects of a store.
  public enum Kind: Sendable, Hashable {
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
  public struct Source: Sendable, Hashable {
    public var entity: String
    /// A property, of a composite attribute one of its elements; `nil` for the objects themselves.
    public var property: String?
  }

  public var kind: Kind
  /// Where a model declares the property; with evidence where it was counted.
  public var finding: Finding
  public var sources: [Source]

  /// What it says.
  public var rule: LossRule? { finding.lossRule }
}
