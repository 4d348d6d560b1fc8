// swift-format-ignore-file
// The calls of Core Data that Framework.swift makes, for a type check on Linux. Written from Apple's documentation of
// macOS 15; nothing here runs.
import Foundation
public let NSSQLiteStoreType = "", NSXMLStoreType = "", NSBinaryStoreType = "", NSPersistentHistoryTrackingKey = ""
public let NSMigratePersistentStoresAutomaticallyOption = "", NSInferMappingModelAutomaticallyOption = ""
public let NSPersistentStoreDeferredLightweightMigrationOptionKey = "", NSPersistentStoreStagedMigrationManagerOptionKey = ""
public enum NSAttributeType: UInt { case integer64AttributeType = 300, booleanAttributeType = 800, transformableAttributeType = 1800 }
public enum NSManagedObjectContextConcurrencyType: UInt { case privateQueueConcurrencyType = 1 }; public enum NSEntityMappingType: UInt { case undefinedEntityMappingType }

open class NSManagedObjectModel: NSObject { public init?(contentsOf url: URL) {}; public private(set) var entities: [NSEntityDescription] = [], entitiesByName: [String: NSEntityDescription] = [:]; public private(set) var entityVersionHashesByName: [String: Data] = [:], versionChecksum = "" }
open class NSEntityDescription: NSObject {
  open var name: String?, isAbstract = false
  public private(set) var propertiesByName: [String: NSPropertyDescription] = [:], attributesByName: [String: NSAttributeDescription] = [:]
  public private(set) var relationshipsByName: [String: NSRelationshipDescription] = [:]
  open class func insertNewObject(forEntityName entityName: String, into context: NSManagedObjectContext) -> NSManagedObject { fatalError() }
}
open class NSPropertyDescription: NSObject { open var name = "", isTransient = false; public private(set) var versionHash = Data() }
open class NSAttributeDescription: NSPropertyDescription { open var attributeType = NSAttributeType.booleanAttributeType }
open class NSCompositeAttributeDescription: NSAttributeDescription { open var elements: [NSAttributeDescription] = [] }
open class NSRelationshipDescription: NSPropertyDescription {}; open class NSManagedObjectID: NSObject { open func uriRepresentation() -> URL { fatalError() } }
open class NSManagedObject: NSObject, NSFetchRequestResult { open var entity: NSEntityDescription { fatalError() }; open var objectID: NSManagedObjectID { fatalError() }; open func value(forKey key: String) -> Any? { nil }; open func setValue(_ value: Any?, forKey key: String) {} }
open class NSFetchRequest<ResultType: NSFetchRequestResult>: NSObject { public init(entityName: String) {}; open var predicate: NSPredicate?, includesSubentities = true }
open class NSManagedObjectContext: NSObject {
  public init(concurrencyType: NSManagedObjectContextConcurrencyType) {}; open var persistentStoreCoordinator: NSPersistentStoreCoordinator?
  public func performAndWait<T>(_ block: () throws -> T) rethrows -> T { try block() }; public func fetch<T>(_ request: NSFetchRequest<T>) throws -> [T] { [] }
  open func delete(_ object: NSManagedObject) {}; open func save() throws {}
}
open class NSPersistentStore: NSObject {}; open class NSMigrationStage: NSObject {}; public protocol NSFetchRequestResult {}
open class NSPersistentStoreCoordinator: NSObject {
  public init(managedObjectModel model: NSManagedObjectModel) {}; public private(set) var persistentStores: [NSPersistentStore] = []
  open func addPersistentStore(ofType storeType: String, configurationName configuration: String?, at storeURL: URL?, options: [AnyHashable: Any]? = nil) throws -> NSPersistentStore { fatalError() }
  open func remove(_ store: NSPersistentStore) throws {}
  open func migratePersistentStore(_ store: NSPersistentStore, to URL: URL, options: [AnyHashable: Any]? = nil, withType storeType: String) throws -> NSPersistentStore { fatalError() }
}
open class NSPropertyMapping: NSObject { open var name: String?, valueExpression: NSObject? }  // NSExpression is not in Foundation on Linux
open class NSEntityMapping: NSObject { open var name: String!, mappingType = NSEntityMappingType.undefinedEntityMappingType; open var attributeMappings: [NSPropertyMapping]?, relationshipMappings: [NSPropertyMapping]? }
open class NSMappingModel: NSObject {
  open var entityMappings: [NSEntityMapping]!; public init?(contentsOf url: URL?) {}
  public init?(from bundles: [Bundle]?, forSourceModel sourceModel: NSManagedObjectModel?, destinationModel: NSManagedObjectModel?) {}
  open class func inferredMappingModel(forSourceModel sourceModel: NSManagedObjectModel, destinationModel: NSManagedObjectModel) throws -> NSMappingModel { fatalError() }
}
open class NSMigrationManager: NSObject { public init(sourceModel: NSManagedObjectModel, destinationModel: NSManagedObjectModel) {}; open func migrateStore(from sourceURL: URL, sourceType sStoreType: String, options sOptions: [AnyHashable: Any]? = nil, with mappings: NSMappingModel?, toDestinationURL dURL: URL, destinationType dStoreType: String, destinationOptions dOptions: [AnyHashable: Any]? = nil) throws {} }
open class NSManagedObjectModelReference: NSObject { public init(model: NSManagedObjectModel, versionChecksum: String) {} }
open class NSCustomMigrationStage: NSMigrationStage { public init(migratingFrom currentModel: NSManagedObjectModelReference, to nextModel: NSManagedObjectModelReference) {}; public var didMigrateHandler: ((NSStagedMigrationManager, NSCustomMigrationStage) throws -> Void)? }
open class NSStagedMigrationManager: NSObject { public init(_ stages: [NSMigrationStage]) {} }
extension NSPredicate { public convenience init(format predicateFormat: String, _ args: any CVarArg...) { fatalError() } }
