/// An object of the destination store, which a policy may change until the migration ends.
///
/// It is a handle: a policy may keep it as long as the migration runs. It keeps the destination store open,
/// and refuses changes once the migration has ended.
public struct DestinationObject {
  package let record: any DestinationRecord

  package init(_ record: any DestinationRecord) { self.record = record }

  /// The name of the object's entity.
  public var entity: String { record.entity }

  /// The primary key in the destination store.
  public var key: Int64 { record.key }

  /// Whether a policy has deleted the object.
  public var isDeleted: Bool { get throws { try record.isDeleted } }

  /// The value of an attribute as the store holds it: a date is a number of seconds since
  /// 2001-01-01 00:00:00 UTC.
  public func attributeValue(_ name: String) throws -> AttributeValue {
    try record.attributeValue(name)
  }

  /// The text of an attribute; `nil` if it has another value or none.
  public func text(_ name: String) throws -> String? { try attributeValue(name).text }

  /// Sets the value of an attribute, stored as the attribute's type requires.
  ///
  /// - Throws: An error for an unknown attribute, and for a value of a kind that it cannot have.
  public func set(_ name: String, to value: AttributeValue) throws {
    try record.set(name, to: value)
  }

  /// The objects of a relationship: at most one if it is to-one.
  public func destinations(_ name: String) throws -> [DestinationObject] {
    try record.destinationRecords(name).map(DestinationObject.init)
  }

  /// Replaces the objects of a relationship, in this order; the inverse relationship follows.
  public func relate(_ name: String, to objects: [DestinationObject]) throws {
    try record.relate(name, toRecords: objects.map(\.record))
  }
}
