// swift-format-ignore-file
// The calls of Core Data that Framework.swift makes, for a type check on Linux. Written from Apple's documentation of
// macOS 15; nothing here runs.
import Foundation

public let NSSQLiteStoreType = "", NSXMLStoreType = "", NSBinaryStoreType = "", NSPersistentHistoryTrackingKey = ""
public let NSMigratePersistentStoresAutomaticallyOption = "", NSInferMappingModelAutomaticallyOption = ""
public let NSPersistentStoreDeferredLightweightMigrationOptionKey = "", NSPersistentStoreStagedMigrationManagerOptionKey = ""

open class NSManagedObjectModel: NSObject {
  public init?(contentsOf url: URL) { fatalError() }
  open var entities: [NSEntityDescription] { fatalError() }
  open var entitiesByName: [String: NSEntityDescription] { fatalError() }
  open var entityVersionHashesByName: [String: Data] { fatalError() }
  open var versionChecksum: String { fatalError() }
}
open class NSEntityDescription: NSObject {
  open var name: String?
  open var isAbstract: Bool { fatalError() }
  open var propertiesByName: [String: NSPropertyDescription] { fatalError() }
  open var attributesByName: [String: NSAttributeDescription] { fatalError() }
  open var relationshipsByName: [String: NSRelationshipDescription] { fatalError() }
  open class func insertNewObject(forEntityName entityName: String, into context: NSManagedObjectContext) -> NSManagedObject { fatalError() }
}
open class NSPropertyDescription: NSObject {
  open var name: String { fatalError() }
  open var isTransient: Bool { fatalError() }
  open var versionHash: Data { fatalError() }
}
public enum NSAttributeType: UInt {
  case undefinedAttributeType = 0, integer64AttributeType = 300, booleanAttributeType = 800, transformableAttributeType = 1800
}
open class NSAttributeDescription: NSPropertyDescription {
  open var attributeType: NSAttributeType { fatalError() }
}
open class NSCompositeAttributeDescription: NSAttributeDescription {
  open var elements: [NSAttributeDescription] { fatalError() }
}
open class NSRelationshipDescription: NSPropertyDescription {}
open class NSManagedObjectID: NSObject {
  open func uriRepresentation() -> URL { fatalError() }
}
open class NSManagedObject: NSObject, NSFetchRequestResult {
  open var entity: NSEntityDescription { fatalError() }
  open var objectID: NSManagedObjectID { fatalError() }
  open func value(forKey key: String) -> Any? { fatalError() }
  open func setValue(_ value: Any?, forKey key: String) { fatalError() }
}
public protocol NSFetchRequestResult {}
open class NSFetchRequest<ResultType: NSFetchRequestResult>: NSObject {
  public init(entityName: String) { fatalError() }
  open var predicate: NSPredicate?
  open var includesSubentities: Bool { get { fatalError() } set { fatalError() } }
}
public enum NSManagedObjectContextConcurrencyType: UInt { case privateQueueConcurrencyType = 1 }
open class NSManagedObjectContext: NSObject {
  public init(concurrencyType: NSManagedObjectContextConcurrencyType) { fatalError() }
  open var persistentStoreCoordinator: NSPersistentStoreCoordinator?
  public func performAndWait<T>(_ block: () throws -> T) rethrows -> T { fatalError() }
  public func fetch<T>(_ request: NSFetchRequest<T>) throws -> [T] { fatalError() }
  open func delete(_ object: NSManagedObject) { fatalError() }
  open func save() throws { fatalError() }
}
open class NSPersistentStore: NSObject {}
open class NSPersistentStoreCoordinator: NSObject {
  public init(managedObjectModel model: NSManagedObjectModel) { fatalError() }
  open var persistentStores: [NSPersistentStore] { fatalError() }
  open func addPersistentStore(ofType storeType: String, configurationName configuration: String?, at storeURL: URL?, options: [AnyHashable: Any]? = nil) throws -> NSPersistentStore { fatalError() }
  open func remove(_ store: NSPersistentStore) throws { fatalError() }
  open func migratePersistentStore(_ store: NSPersistentStore, to URL: URL, options: [AnyHashable: Any]? = nil, withType storeType: String) throws -> NSPersistentStore { fatalError() }
}
public enum NSEntityMappingType: UInt {
  case undefinedEntityMappingType, customEntityMappingType, addEntityMappingType, removeEntityMappingType, copyEntityMappingType, transformEntityMappingType
}
open class NSPropertyMapping: NSObject {
  open var name: String?
  open var valueExpression: NSObject?  // NSExpression, which Foundation lacks on Linux
}
open class NSEntityMapping: NSObject {
  open var name: String! { fatalError() }
  open var mappingType: NSEntityMappingType { fatalError() }
  open var attributeMappings: [NSPropertyMapping]?
  open var relationshipMappings: [NSPropertyMapping]?
}
open class NSMappingModel: NSObject {
  public init?(contentsOf url: URL?) { fatalError() }
  public init?(from bundles: [Bundle]?, forSourceModel sourceModel: NSManagedObjectModel?, destinationModel: NSManagedObjectModel?) { fatalError() }
  open class func inferredMappingModel(forSourceModel sourceModel: NSManagedObjectModel, destinationModel: NSManagedObjectModel) throws -> NSMappingModel { fatalError() }
  open var entityMappings: [NSEntityMapping]! { fatalError() }
}
open class NSMigrationManager: NSObject {
  public init(sourceModel: NSManagedObjectModel, destinationModel: NSManagedObjectModel) { fatalError() }
  open func migrateStore(from sourceURL: URL, sourceType sStoreType: String, options sOptions: [AnyHashable: Any]? = nil, with mappings: NSMappingModel?, toDestinationURL dURL: URL, destinationType dStoreType: String, destinationOptions dOptions: [AnyHashable: Any]? = nil) throws { fatalError() }
}
open class NSManagedObjectModelReference: NSObject {
  public init(model: NSManagedObjectModel, versionChecksum: String) { fatalError() }
}
open class NSMigrationStage: NSObject {}
open class NSCustomMigrationStage: NSMigrationStage {
  public init(migratingFrom currentModel: NSManagedObjectModelReference, to nextModel: NSManagedObjectModelReference) { fatalError() }
  public var didMigrateHandler: ((NSStagedMigrationManager, NSCustomMigrationStage) throws -> Void)?
}
open class NSStagedMigrationManager: NSObject {
  public init(_ stages: [NSMigrationStage]) { fatalError() }
}
extension NSPredicate {
  public convenience init(format predicateFormat: String, _ args: any CVarArg...) { fatalError() }
}
