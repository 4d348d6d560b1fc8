public import StrataBase

/// One object of a store: its key, its attributes, and what its to-one relationships point at.
public struct StoredObject: Sendable, Hashable {
  /// The concrete entity.
  public var entity: String
  /// `Z_PK`, unique in the table of the entity's root.
  public var key: Int64
  /// By attribute name; a composite's elements stand under their own names.
  public var attributes: [String: AttributeValue]
}
