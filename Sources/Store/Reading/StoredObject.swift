package import StrataBase

/// One object of a store: its key, its attributes, and what its to-one relationships point at.
package struct StoredObject: Sendable, Hashable {
  /// The concrete entity.
  package var entity: String
  /// `Z_PK`, unique in the table of the entity's root.
  package var key: Int64
  /// By attribute name; a composite's elements stand under their own names.
  package var attributes: [String: AttributeValue]
}
