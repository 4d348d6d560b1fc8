package import StrataBase

/// Runs policies and does the work of ``MigrationManager``.
///
/// Records that another engine created are refused by an error.
package protocol MigrationEngine: AnyObject {
  var sourceVersion: String { get }
  var destinationVersion: String { get }
  var userInfo: [String: any Sendable] { get set }

  func createDestinationInstance(
    for source: any SourceRecord, in mapping: EntityMapping
  ) throws -> (any DestinationRecord)?
  func createRelationships(
    for destination: any DestinationRecord, in mapping: EntityMapping) throws

  func associate(
    _ source: any SourceRecord, with destination: any DestinationRecord, for mapping: EntityMapping
  ) throws
  func destinationInstances(
    forEntityMappingNamed name: String?, sources: [any SourceRecord]
  ) throws -> [any DestinationRecord]
  func sourceInstances(
    for destination: any DestinationRecord, in mapping: EntityMapping
  ) throws -> [any SourceRecord]
  func forEachDestinationInstance(
    of mapping: EntityMapping, _ body: (any DestinationRecord) throws -> Void) throws

  func forEachSourceObject(
    of entity: String, _ body: (any SourceRecord) throws -> Void) throws
  func destinationObjects(of entity: String) throws -> [any DestinationRecord]
  func destinationObjects(
    of entity: String, where name: String, is value: AttributeValue
  ) throws -> [any DestinationRecord]
  func insert(
    _ entity: String, _ values: [String: AttributeValue]
  ) throws -> any DestinationRecord
  func delete(_ object: any DestinationRecord) throws
}

/// An object of the source store, as the engine reads it.
package protocol SourceRecord {
  var entity: String { get }
  var key: Int64 { get }
  func attributeValue(_ name: String) throws -> AttributeValue
  func sourceRecords(_ relationship: String) throws -> [any SourceRecord]
}

/// An object of the destination store, as the engine reads and writes it.
package protocol DestinationRecord {
  var entity: String { get }
  var key: Int64 { get }
  var isDeleted: Bool { get throws }
  func attributeValue(_ name: String) throws -> AttributeValue
  func set(_ name: String, to value: AttributeValue) throws
  func destinationRecords(_ relationship: String) throws -> [any DestinationRecord]
  func relate(_ name: String, toRecords objects: [any DestinationRecord]) throws
}
