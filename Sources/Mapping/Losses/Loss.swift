package import StrataBase

/// A loss of a mapping, for every store that has such data; determined from the models.
package struct Loss: Sendable, Hashable {
  /// The kind of lost data.
  package enum Kind: Sendable, Hashable {
    /// Whole objects.
    case objects
    /// Values of an attribute.
    case values
    /// All links of a relationship.
    case links
    /// The links of a relationship that the objects of the sources have, while those of other entities are kept.
    case linksOfObjects
    /// The links of a relationship to objects of these entities, without their subentities.
    case linksTo(Set<String>)
    /// All links but one to each destination object.
    case shared
    /// The links whose other direction is not kept: those that are not of pairs if a to-one relationship becomes its own
    /// inverse, or that another relationship does not have whose links replace them.
    case unpaired
    /// Numbers outside the range of another type, and fractions.
    case numbers(AttributeType)
    /// All but one of several destination objects.
    case others
    /// The order of several destination objects.
    case order
  }

  /// The source entity of the lost data, without its subentities.
  package struct Source: Sendable, Hashable {
    package var entity: String
    /// A property, or an element of a composite attribute; `nil` for the objects themselves.
    package var property: String?
    /// The filters of the entity mappings with the loss: of the objects that one of them accepts; empty for all
    /// objects of the entity.
    package var filters: [String] = []
  }

  package var kind: Kind
  /// The finding at the declaration of the property, with evidence if it was counted.
  package var finding: Finding
  package var sources: [Source]

  /// The loss rule of the finding.
  package var rule: LossRule? { finding.lossRule }
}
