/// An object of the store that is migrated. It is read-only.
public struct SourceObject {
  package let record: any SourceRecord

  package init(_ record: any SourceRecord) { self.record = record }

  /// The name of the object's entity.
  public var entity: String { record.entity }

  /// The primary key: 3 in the object URI that ends in `Topic/p3`.
  public var key: Int64 { record.key }

  /// The value of an attribute as the store holds it: a date is a number of seconds since
  /// 2001-01-01 00:00:00 UTC.
  public func attributeValue(_ name: String) throws -> AttributeValue {
    try record.attributeValue(name)
  }

  /// The text of an attribute; `nil` if it has another value or none.
  public func text(_ name: String) throws -> String? { try attributeValue(name).text }

  /// The objects of a relationship: at most one if it is to-one.
  public func destinations(_ name: String) throws -> [SourceObject] {
    try record.sourceRecords(name).map(SourceObject.init)
  }
}
