/// An object by its entity and its primary key: what an object URI ends in (`Topic/p3`).
package struct ObjectRef: Sendable, Codable, Hashable, CustomStringConvertible {
  package var entity: String
  package var key: Int64

  package init(entity: String, key: Int64) {
    self.entity = entity
    self.key = key
  }

  package var description: String { "\(entity)/p\(key)" }
}
