/// An object by its entity and its primary key: what an object URI ends in (`Topic/p3`).
public struct ObjectRef: Sendable, Codable, Hashable, CustomStringConvertible {
  public var entity: String
  public var key: Int64

  public init(entity: String, key: Int64) {
    self.entity = entity
    self.key = key
  }

  public var description: String { "\(entity)/p\(key)" }
}
