#if canImport(CoreData)
  import CoreData
  import Foundation

  /// Core Data itself. Each call opens what it needs and closes it again.
  struct Framework {
    func version() -> String {
      let information = Bundle(identifier: "com.apple.CoreData")?.infoDictionary
      return information?["CFBundleVersion"] as? String ?? "unknown"
    }

    func compile(_ model: URL, to compiled: URL) throws { try runTool("momc", model, compiled) }

    func compileMapping(_ mapping: URL, to compiled: URL) throws {
      try runTool("mapc", mapping, compiled)
    }

    private func runTool(_ tool: String, _ input: URL, _ output: URL) throws {
      let printed = try Printed.run("/usr/bin/xcrun", [tool, input.path, output.path])
      guard printed.status == 0, FileManager.default.fileExists(atPath: output.path) else {
        throw Failure("\(tool): \(printed.output) \(printed.errors)")
      }
    }

    private func load(_ model: Model) throws -> NSManagedObjectModel {
      guard let loaded = NSManagedObjectModel(contentsOf: model.compiled) else {
        throw Failure("Core Data cannot read the compiled model")
      }
      return loaded
    }

    private func load(mapping: URL) throws -> NSMappingModel {
      guard let loaded = NSMappingModel(contentsOf: mapping) else {
        throw Failure("Core Data cannot read the compiled mapping model")
      }
      return loaded
    }

    func hashes(_ model: Model) throws -> Facts {
      let loaded = try load(model)
      var facts = ["checksum": loaded.versionChecksum]
      for (name, hash) in loaded.entityVersionHashesByName { facts[name] = hex(hash) }
      for (name, entity) in loaded.entitiesByName {
        for (property, description) in entity.propertiesByName where !description.isTransient {
          facts["\(name).\(property)"] = hex(description.versionHash)
        }
      }
      return facts
    }

    private func hex(_ data: Data) -> String { data.map { String(format: "%02x", $0) }.joined() }

    private func type(_ store: Store) -> String {
      switch store.type {
      case "xml": NSXMLStoreType
      case "binary": NSBinaryStoreType
      default: NSSQLiteStoreType
      }
    }

    private func options(_ store: Store) -> [AnyHashable: Any] {
      store.hasHistory ? [NSPersistentHistoryTrackingKey: NSNumber(value: true)] : [:]
    }

    /// Does some work with a store, and closes it.
    private func withStore<Result>(
      _ store: Store, adding others: [AnyHashable: Any] = [:], model: NSManagedObjectModel? = nil,
      _ work: (NSPersistentStoreCoordinator, NSPersistentStore) throws -> Result
    ) throws -> Result {
      let coordinator = NSPersistentStoreCoordinator(
        managedObjectModel: try model ?? load(store.model))
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
        var texts: [String] = []
        var next: NSError? = error as NSError
        while let current = next, texts.count < 5 {
          let keys = [
            "reason", "entity", "property", "attribute", NSLocalizedFailureReasonErrorKey,
          ]
          let details = keys.compactMap { key in current.userInfo[key].map { "\(key): \($0)" } }
          texts.append("\(current.domain) \(current.code) \(details.joined(separator: ", "))")
          next = current.userInfo[NSUnderlyingErrorKey] as? NSError
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
      _ entity: String, _ predicate: NSPredicate? = nil, in context: NSManagedObjectContext
    ) throws -> [NSManagedObject] {
      let request = NSFetchRequest<NSManagedObject>(entityName: entity)
      request.predicate = predicate
      request.includesSubentities = predicate != nil
      return try context.fetch(request)
    }

    func objects(_ store: Store) throws -> Facts {
      let entities = try load(store.model).entities.filter { !$0.isAbstract }
      return try withContext(store) { context in
        var facts: Facts = [:]
        for name in entities.compactMap(\.name) {
          for object in try fetch(name, in: context) { add(object, to: &facts) }
        }
        return facts
      }
    }

    private func add(_ object: NSManagedObject, to facts: inout Facts) {
      let key = key(object)
      facts[key] = "object"
      for (name, attribute) in object.entity.attributesByName where !attribute.isTransient {
        add(object.value(forKey: name), "\(key).\(name)", attribute, to: &facts)
      }
      for (name, relationship) in object.entity.relationshipsByName where !relationship.isTransient
      {
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

    func infer(_ source: Model, _ destination: Model) throws -> Facts {
      try describingErrors {
        mappings(
          try NSMappingModel.inferredMappingModel(
            forSourceModel: try load(source), destinationModel: try load(destination)))
      }
    }

    func mapping(_ compiled: URL) throws -> Facts { mappings(try load(mapping: compiled)) }

    private func mappings(_ model: NSMappingModel) -> Facts {
      var facts: Facts = [:]
      for mapping in model.entityMappings ?? [] {
        let name = mapping.name ?? ""
        facts[name] = text(mapping.mappingType)
        for property in (mapping.attributeMappings ?? []) + (mapping.relationshipMappings ?? []) {
          facts["\(name).\(property.name ?? "")"] = property.valueExpression.map { "\($0)" }
        }
      }
      return facts
    }

    private func text(_ type: NSEntityMappingType) -> String {
      switch type {
      case .addEntityMappingType: "add"
      case .removeEntityMappingType: "remove"
      case .copyEntityMappingType: "copy"
      case .transformEntityMappingType: "transform"
      case .customEntityMappingType: "custom"
      default: "undefined"
      }
    }

    /// The mapping model that Core Data finds in a folder for two models.
    func choice(in folder: URL, _ source: Model, _ destination: Model) throws -> Facts? {
      guard let bundle = Bundle(url: folder) else { throw Failure("the folder is no bundle") }
      return NSMappingModel(
        from: [bundle], forSourceModel: try load(source), destinationModel: try load(destination)
      ).map(mappings)
    }

    func migrate(_ store: Store, to model: Model, isDeferred: Bool = false) throws {
      let deferring = isDeferred ? [NSPersistentStoreDeferredLightweightMigrationOptionKey] : []
      try migrate(store, to: model, adding: deferring.map { ($0, NSNumber(value: true)) })
    }

    private func migrate(_ store: Store, to model: Model, adding others: [(String, Any)]) throws {
      let names = [
        NSMigratePersistentStoresAutomaticallyOption, NSInferMappingModelAutomaticallyOption,
      ]
      var options: [AnyHashable: Any] = [:]
      for (name, value) in names.map({ ($0, NSNumber(value: true)) }) + others {
        options[name] = value
      }
      try withStore(store, adding: options, model: try load(model)) { _, _ in }
    }

    func migrate(_ store: Store, to model: Model, mapping: URL, output: URL) throws {
      let manager = NSMigrationManager(
        sourceModel: try load(store.model), destinationModel: try load(model))
      try describingErrors {
        try manager.migrateStore(
          from: store.url, sourceType: type(store), options: nil, with: try load(mapping: mapping),
          toDestinationURL: output, destinationType: type(store), destinationOptions: nil)
      }
    }

    /// Migrates in custom stages; the handler after the last one fails.
    func migrateAndFail(_ store: Store, through models: [Model]) throws {
      let references = try models.map(load).map {
        NSManagedObjectModelReference(model: $0, versionChecksum: $0.versionChecksum)
      }
      let stages = zip(references, references.dropFirst()).map {
        NSCustomMigrationStage(migratingFrom: $0, to: $1)
      }
      stages.last?.didMigrateHandler = { _, _ in throw Failure("stopped by the handler") }
      guard let last = models.last else { return }
      let key = NSPersistentStoreStagedMigrationManagerOptionKey
      try migrate(store, to: last, adding: [(key, NSStagedMigrationManager(stages))])
    }

    func keys(_ store: Store, entity: String, where predicate: String) throws -> [String] {
      try withContext(store) { context in
        try fetch(entity, NSPredicate(format: predicate), in: context).map(key).sorted()
      }
    }

    func delete(_ key: String, in store: Store) throws {
      try withContext(store) { context in
        let objects = try fetch(String(key.prefix { $0 != "/" }), in: context)
        guard let object = objects.first(where: { self.key($0) == key }) else {
          throw Failure("there is no \(key)")
        }
        context.delete(object)
        try context.save()
      }
    }

    func insert(_ values: [Any], entity: String, attribute: String, in store: Store) throws {
      try withContext(store) { context in
        for value in values {
          let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
          object.setValue(value, forKey: attribute)
        }
        try context.save()
      }
    }
  }
#endif
