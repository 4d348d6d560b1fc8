import CoreData
import Foundation

/// Core Data itself. Each call opens what it needs and closes it again.
struct Framework {
  var strata: Strata

  var version: String {
    "\(Bundle(identifier: "com.apple.CoreData")?.infoDictionary?["CFBundleVersion"] ?? "unknown")"
  }

  /// Compiles a model, or a mapping model, by Xcode's tools.
  func compile(_ source: URL, to compiled: URL) throws {
    let tool = source.pathExtension == "xcmappingmodel" ? "mapc" : "momc"
    let printed = try Printed.run("/usr/bin/xcrun", [tool, source.path, compiled.path])
    guard FileManager.default.fileExists(atPath: compiled.path) else {
      throw Failure("\(tool): \(printed.output) \(printed.errors)")
    }
  }

  private func load<Loaded>(_ loaded: Loaded?) throws -> Loaded {
    guard let loaded else { throw Failure("Core Data cannot read a compiled model") }
    return loaded
  }

  private func load(_ model: Model) throws -> NSManagedObjectModel {
    try load(NSManagedObjectModel(contentsOf: model.compiled))
  }

  func hashes(_ model: Model) throws -> Facts {
    func hex(_ data: Data) -> String { data.map { String(format: "%02x", $0) }.joined() }
    let loaded = try load(model)
    var facts = loaded.entityVersionHashesByName.mapValues(hex)
    facts["checksum"] = loaded.versionChecksum
    for (name, entity) in loaded.entitiesByName {
      for (property, description) in entity.propertiesByName where !description.isTransient {
        facts["\(name).\(property)"] = hex(description.versionHash)
      }
    }
    return facts
  }

  private func type(_ store: Store) -> String {
    ["xml": NSXMLStoreType, "binary": NSBinaryStoreType][store.type] ?? NSSQLiteStoreType
  }

  private func options(_ store: Store) -> [AnyHashable: Any] {
    store.hasHistory ? [NSPersistentHistoryTrackingKey: true] : [:]
  }

  /// Does some work with a store, and closes it.
  private func withStore<Result>(
    _ store: Store, _ others: [AnyHashable: Any] = [:], model: NSManagedObjectModel? = nil,
    _ work: (NSPersistentStoreCoordinator, NSPersistentStore) throws -> Result
  ) throws -> Result {
    let model = try model ?? load(store.model)
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    return try describingErrors {
      let opened = try coordinator.addPersistentStore(
        ofType: type(store), configurationName: store.configuration, at: store.url,
        options: options(store).merging(others) { $1 })
      let result = try work(coordinator, opened)
      for open in coordinator.persistentStores { try coordinator.remove(open) }
      return result
    }
  }

  /// Codes and reasons of an error and of those below it.
  private func describingErrors<Result>(_ work: () throws -> Result) throws -> Result {
    do {
      return try work()
    } catch let failure as Failure {
      throw failure
    } catch {
      let keys = ["reason", "entity", "property", "attribute", NSLocalizedFailureReasonErrorKey]
      let next = { (error: NSError) in error.userInfo[NSUnderlyingErrorKey] as? NSError }
      let errors = sequence(first: error as NSError, next: next)
      let texts = errors.prefix(5).map { error in
        let details = keys.compactMap { key in error.userInfo[key].map { "\(key): \($0)" } }
        return "\(error.domain) \(error.code) \(details.joined(separator: ", "))"
      }
      throw Failure(texts.joined(separator: " < "))
    }
  }

  private func withContext<Result>(
    _ store: Store, _ work: (NSManagedObjectContext) throws -> Result
  ) throws -> Result {
    try withStore(store) { coordinator, _ in
      let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      context.persistentStoreCoordinator = coordinator
      return try context.performAndWait { try work(context) }
    }
  }

  func create(_ store: Store) throws { try withStore(store) { _, _ in } }

  func copy(_ store: Store, to other: Store) throws {
    try withStore(store) { coordinator, opened in
      _ = try coordinator.migratePersistentStore(
        opened, to: other.url, options: options(other), withType: type(other))
    }
  }

  private func key(_ object: NSManagedObject) -> String {
    Text.key(object.objectID.uriRepresentation().absoluteString)
  }

  private func fetch(
    _ entity: String, _ context: NSManagedObjectContext, _ predicate: NSPredicate? = nil
  ) throws -> [NSManagedObject] {
    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
    request.predicate = predicate
    request.includesSubentities = false
    return try context.fetch(request)
  }

  func objects(_ store: Store) throws -> Facts {
    let entities = try load(store.model).entities.filter { !$0.isAbstract }
    return try withContext(store) { context in
      try entities.compactMap(\.name).flatMap { try fetch($0, context) }
        .reduce(into: [:]) { add($1, to: &$0) }
    }
  }

  private func add(_ object: NSManagedObject, to facts: inout Facts) {
    let key = key(object)
    facts[key] = "object"
    for (name, attribute) in object.entity.attributesByName where !attribute.isTransient {
      add(object.value(forKey: name), "\(key).\(name)", attribute, to: &facts)
    }
    for (name, relationship) in object.entity.relationshipsByName where !relationship.isTransient {
      switch object.value(forKey: name) {
      case let one as NSManagedObject: facts["\(key).\(name)"] = self.key(one)
      case let some as NSOrderedSet where some.count > 0:
        let keys = some.array.compactMap { $0 as? NSManagedObject }.map(self.key)
        facts["\(key).\(name)"] = "[\(keys.joined(separator: " "))]"
      case let some as Set<NSManagedObject> where !some.isEmpty:
        facts["\(key).\(name)"] = "{\(some.map(self.key).sorted().joined(separator: " "))}"
      default: break
      }
    }
  }

  private func add(
    _ value: Any?, _ name: String, _ attribute: NSAttributeDescription, to facts: inout Facts
  ) {
    if let composite = attribute as? NSCompositeAttributeDescription {
      for element in composite.elements {
        let inner = (value as? [String: Any])?[element.name]
        add(inner, "\(name).\(element.name)", element, to: &facts)
      }
    } else if let value, !(value is NSNull) {
      facts[name] = text(value, attribute.attributeType)
    }
  }

  private func text(_ value: Any, _ type: NSAttributeType) -> String {
    switch (type, value) {
    case (.booleanAttributeType, let number as NSNumber): number.boolValue ? "true" : "false"
    case (.transformableAttributeType, _): "bytes"
    case (.integer64AttributeType, let number as NSNumber): "\(number.int64Value)"
    case (_, let number as NSNumber): Text.number(number.doubleValue)
    case (_, let date as Date): Text.date(date.timeIntervalSinceReferenceDate)
    case (_, let data as Data): Text.bytes(data)
    case (_, let uuid as UUID): uuid.uuidString
    case (_, let url as URL): url.absoluteString
    default: "\(value)"
    }
  }

  func infer(_ first: Model, _ second: Model) throws -> Facts {
    let (source, destination) = (try load(first), try load(second))
    return try describingErrors {
      try mappings(.inferredMappingModel(forSourceModel: source, destinationModel: destination))
    }
  }

  func mapping(_ file: URL) throws -> Facts { mappings(try load(NSMappingModel(contentsOf: file))) }

  private func mappings(_ model: NSMappingModel) -> Facts {
    let types = ["undefined", "custom", "add", "remove", "copy", "transform"]
    var facts: Facts = [:]
    for mapping in model.entityMappings ?? [] {
      let name = mapping.name ?? ""
      facts[name] = types[Int(min(mapping.mappingType.rawValue, 5))]
      for property in (mapping.attributeMappings ?? []) + (mapping.relationshipMappings ?? []) {
        facts["\(name).\(property.name ?? "")"] = property.valueExpression.map { "\($0)" }
      }
    }
    facts["order."] = (model.entityMappings ?? []).compactMap(\.name).joined(separator: " ")
    return facts
  }

  /// The mapping model that Core Data finds in a folder for two models.
  func choice(in folder: URL, _ first: Model, _ second: Model) throws -> Facts? {
    let (source, destination) = (try load(first), try load(second))
    return NSMappingModel(
      from: [try load(Bundle(url: folder))], forSourceModel: source, destinationModel: destination
    ).map(mappings)
  }

  /// Migrates by inference. The source model is beside the program, where Core Data finds it, unless
  /// the part is `cached`: then the store's own copy must do.
  func migrate(
    _ store: Store, to model: Model, _ part: String = "", stages: Any? = nil
  ) throws {
    var options: [AnyHashable: Any] = [
      NSMigratePersistentStoresAutomaticallyOption: true,
      NSInferMappingModelAutomaticallyOption: true,
    ]
    if part == "deferred" { options[NSPersistentStoreDeferredLightweightMigrationOptionKey] = true }
    options[NSPersistentStoreStagedMigrationManagerOptionKey] = stages
    let copy = Bundle.main.bundleURL.appendingPathComponent(store.model.compiled.lastPathComponent)
    if part != "cached" { try FileManager.default.copyItem(at: store.model.compiled, to: copy) }
    defer { try? FileManager.default.removeItem(at: copy) }
    try withStore(store, options, model: try load(model)) { _, _ in }
  }

  func migrate(_ store: Store, to model: Model, mapping: URL, output: URL) throws {
    let manager = NSMigrationManager(
      sourceModel: try load(store.model), destinationModel: try load(model))
    let loaded = try load(NSMappingModel(contentsOf: mapping))
    try describingErrors {
      try manager.migrateStore(
        from: store.url, sourceType: type(store), options: nil, with: loaded,
        toDestinationURL: output, destinationType: type(store), destinationOptions: nil)
    }
  }

  /// Migrates in custom stages; the handler after the last one fails.
  func migrateAndFail(_ store: Store, through models: [Model]) throws {
    let references = try models.map(load).map {
      NSManagedObjectModelReference(model: $0, versionChecksum: $0.versionChecksum)
    }
    let hops = zip(references, references.dropFirst())
    let stages = hops.map { NSCustomMigrationStage(migratingFrom: $0, to: $1) }
    stages.last?.didMigrateHandler = { _, _ in throw Failure("stopped by the handler") }
    try migrate(store, to: models[2], stages: NSStagedMigrationManager(stages))
  }

  /// The objects of A for which a predicate is true.
  func keys(_ store: Store, where predicate: String) throws -> [String] {
    try withContext(store) { context in
      try fetch("A", context, NSPredicate(format: predicate)).map(key).sorted()
    }
  }

  func delete(_ key: String, in store: Store) throws {
    try withContext(store) { context in
      let objects = try fetch(String(key.prefix { $0 != "/" }), context)
      context.delete(try load(objects.first { self.key($0) == key }))
      try context.save()
    }
  }

  /// Inserts an object of A for each value of an attribute.
  func insert(_ values: [Any], attribute: String, in store: Store) throws {
    try withContext(store) { context in
      for value in values {
        let object = NSEntityDescription.insertNewObject(forEntityName: "A", into: context)
        object.setValue(value, forKey: attribute)
      }
      try context.save()
    }
  }
}
