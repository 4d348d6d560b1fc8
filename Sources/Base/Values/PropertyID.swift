/// A property by the name of an entity and its own name; of an element of a composite attribute, its key path.
///
/// ```swift
/// PropertyID(entity: "Topic", name: "title").description  // "Topic.title"
/// ```
public struct PropertyID: Hashable, Sendable, Comparable, CustomStringConvertible {
  public var entity: String
  public var name: String

  public init(entity: String, name: String) {
    self.entity = entity
    self.name = name
  }

  public var description: String { "\(entity).\(name)" }

  /// In byte order of the descriptions.
  public static func < (a: PropertyID, b: PropertyID) -> Bool {
    a.description.precedesInBytes(b.description)
  }
}
