/// A property by entity name and own name; for an element of a composite attribute, its key path.
///
/// ```swift
/// PropertyID(entity: "Topic", name: "title").description  // "Topic.title"
/// ```
package struct PropertyID: Hashable, Sendable, Comparable, CustomStringConvertible {
  package var entity: String
  package var name: String

  package init(entity: String, name: String) {
    self.entity = entity
    self.name = name
  }

  package var description: String { "\(entity).\(name)" }

  /// Ordered by the bytes of the descriptions.
  package static func < (a: PropertyID, b: PropertyID) -> Bool {
    a.description.precedesInBytes(b.description)
  }
}
