package import StrataBase

/// An object of a store: its key, its attributes, and the destinations of its to-one relationships.
package struct StoredObject: Sendable, Hashable {
  /// The concrete entity.
  package var entity: String
  /// `Z_PK`, unique in the table of the entity's root.
  package var key: Int64
  /// By attribute name; the elements of a composite have their own names.
  package var attributes: [String: AttributeValue]
}
