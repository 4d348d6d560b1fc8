/// A reference to an object by entity and primary key, the end of an object URI (`Topic/p3`).
package struct ObjectRef: Sendable, Hashable, CustomStringConvertible {
  package var entity: String
  package var key: Int64

  package init(entity: String, key: Int64) {
    self.entity = entity
    self.key = key
  }

  package var description: String { "\(entity)/p\(key)" }
}
