internal import StrataBase

/// The Swift code of the stage in which an app copies values, with its functions.
struct StageHandlerCode {
  let lines: [String]

  init(_ copies: [VersionChain.Copy]) {
    var lines = [
      "",
      "/// Copies the old values before the step that removes them. Values that are already copied are skipped, so",
      "/// an interrupted migration can be repeated.",
      StagedMigrationCode.availability,
      "private func copying(",
      "  from old: NSManagedObjectModelReference, to new: NSManagedObjectModelReference",
      ") -> NSCustomMigrationStage {",
      "  let stage = NSCustomMigrationStage(migratingFrom: old, to: new)",
      "  stage.willMigrateHandler = { manager, _ in",
      "    guard let container = manager.container else { throw CocoaError(.coreData) }",
      "    let context = container.newBackgroundContext()", "    try context.performAndWait {",
    ]
    lines += copies.flatMap(Self.call)
    let objects = copies.compactMap { copy -> String? in
      guard case .objects(let new) = copy.kind else { return nil }
      return "          (from: \(Self.literal(copy.entity)), to: \(Self.literal(new))),"
    }
    if !objects.isEmpty {
      lines += ["      try copyObjects(", "        ["] + objects + ["        ], in: context)"]
    }
    lines += ["      try context.save()", "    }", "  }", "  return stage", "}"]
    lines += copies.flatMap(Self.converter)
    let helpers: [(VersionChain.Copy) -> String?] = [
      { if case .values = $0.kind { Self.valueCopier } else { nil } },
      { if case .parts = $0.kind { Self.partCopier } else { nil } },
      { if case .linked = $0.kind { Self.linkCopier } else { nil } },
      { if case .objects = $0.kind { Self.objectCopier } else { nil } },
    ]
    for helper in helpers {
      guard let text = copies.lazy.compactMap(helper).first else { continue }
      lines += text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }
    self.lines = lines
  }

  private static func literal(_ text: String) -> String { StagedMigrationCode.literal(text) }

  private static func call(_ copy: VersionChain.Copy) -> [String] {
    switch copy.kind {
    case .objects: []
    case .values(let values):
      [
        "      try copyValues(",
        "        of: \(literal(copy.entity)), from: \(literal(values.attribute)), to: \(literal(values.newName)),",
        "        in: context, \(converterName(copy.entity, values)))",
      ]
    case .parts(let old, let parts):
      [
        "      try copyParts(",
        "        of: \(literal(copy.entity)), from: \(literal(old)), to: [\(parts.map(literal).joined(separator: ", "))],",
        "        in: context)",
      ]
    case .linked(let link):
      [
        "      try copyToObjects(",
        "        of: \(literal(copy.entity)), [\(link.attributes.map { "\(literal($0.old)): \(literal($0.new))" }.joined(separator: ", "))],",
        "        to: \(literal(link.entity)), by: \(literal(link.relationship)), isShared: \(link.isShared), in: context)",
      ]
    }
  }

  // MARK: Conversions

  /// The name of the conversion function, such as `convertedTopicContent`.
  private static func converterName(
    _ entity: String, _ values: VersionChain.ValueCopy
  ) -> String {
    let attribute = values.attribute
    let name = entity + attribute.prefix(1).uppercased() + attribute.dropFirst()
    // Core Data allows characters in names that Swift does not.
    return "converted"
      + String(
        String.UnicodeScalarView(
          name.unicodeScalars.map { scalar in
            scalar.properties.isAlphabetic || scalar.properties.numericType != nil ? scalar : "_"
          }))
  }

  private static func converter(_ copy: VersionChain.Copy) -> [String] {
    guard case .values(let values) = copy.kind else { return [] }
    let source = StagedMigrationCode.plain("\(copy.entity).\(values.attribute)")
    let loss = values.narrowing.map { ["/// \(StagedMigrationCode.plain($0.reason))."] } ?? []
    return [
      "", "/// Converts a value of \(source) from \(values.type.name) to \(values.newType.name).",
    ] + loss + [
      "private func \(converterName(copy.entity, values))(_ value: Any) throws -> Any? {"
    ] + conversion(values) + ["}"]
  }

  /// The code of a conversion like that of inference: fractions are truncated, and numbers out of range are not
  /// stored.
  private static func conversion(_ values: VersionChain.ValueCopy) -> [String] {
    guard values.type != values.newType else { return ["  value"] }
    guard !values.isUnknown else { return ["  <#convert the value#>"] }
    let number = "  guard let number = value as? NSNumber else { return nil }"
    let whole =
      switch values.type {
      // As a Double it would lose digits.
      case .decimal: #""\(number.decimalValue)".prefix { $0 != "." }"#
      case .double, .float: "exactly: number.doubleValue.rounded(.towardZero)"
      default: "exactly: number.int64Value"
      }
    let conversion =
      switch values.newType {
      case .integer16: "Int16(\(whole)).map { NSNumber(value: $0) }"
      case .integer32: "Int32(\(whole)).map { NSNumber(value: $0) }"
      case .integer64: "Int64(\(whole)).map { NSNumber(value: $0) }"
      case .boolean: "NSNumber(value: number.doubleValue != 0)"
      case .float: "NSNumber(value: number.floatValue)"
      case .decimal: "NSDecimalNumber(decimal: number.decimalValue)"
      default: "NSNumber(value: number.doubleValue)"
      }
    return [number, "  return \(conversion)"]
  }

  // MARK: Functions

  private static let valueCopier = """

    private func copyValues(
      of entity: String, from old: String, to new: String, in context: NSManagedObjectContext,
      _ convert: (Any) throws -> Any?
    ) throws {
      let request = NSFetchRequest<NSManagedObject>(entityName: entity)
      request.predicate = NSPredicate(format: "%K != nil AND %K == nil", old, new)
      request.fetchBatchSize = 500
      for object in try context.fetch(request) {
        guard let value = object.value(forKey: old), let converted = try convert(value) else {
          continue
        }
        object.setValue(converted, forKey: new)
      }
    }
    """

  private static let partCopier = """

    /// Splits strings at spaces; the last attribute gets the rest.
    private func copyParts(
      of entity: String, from old: String, to new: [String], in context: NSManagedObjectContext
    ) throws {
      let request = NSFetchRequest<NSManagedObject>(entityName: entity)
      request.predicate = NSPredicate(format: "%K != nil AND %K == nil", old, new[0])
      request.fetchBatchSize = 500
      for object in try context.fetch(request) {
        guard let text = object.value(forKey: old) as? String else { continue }
        let parts = text.split(
          separator: " ", maxSplits: new.count - 1, omittingEmptySubsequences: false)
        for (name, part) in zip(new, parts) { object.setValue(String(part), forKey: name) }
      }
    }
    """

  private static let linkCopier = """

    /// Copies values into a new object, or into one that all objects with the same value share.
    private func copyToObjects(
      of entity: String, _ attributes: [String: String], to other: String, by relationship: String,
      isShared: Bool, in context: NSManagedObjectContext
    ) throws {
      var known: [AnyHashable: NSManagedObject] = [:]
      if isShared, let name = attributes.values.first {
        for object in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: other)) {
          if let value = object.value(forKey: name) as? AnyHashable { known[value] = object }
        }
      }
      let request = NSFetchRequest<NSManagedObject>(entityName: entity)
      request.predicate = NSPredicate(format: "%K == nil", relationship)
      request.fetchBatchSize = 500
      for object in try context.fetch(request) {
        let values = object.dictionaryWithValues(forKeys: Array(attributes.keys))
          .filter { !($0.value is NSNull) }
        guard let first = values.values.first as? AnyHashable else { continue }
        let linked = isShared ? known[first] : nil
        let copy =
          linked ?? NSEntityDescription.insertNewObject(forEntityName: other, into: context)
        for (name, value) in values { copy.setValue(value, forKey: attributes[name] ?? name) }
        object.setValue(copy, forKey: relationship)
        if isShared { known[first] = copy }
      }
    }
    """

  private static let objectCopier = """

    /// Copies all objects with their attributes, then connects the copies like the originals. All copies are
    /// saved at once: if one copy exists, all exist.
    private func copyObjects(
      _ entities: [(from: String, to: String)], in context: NSManagedObjectContext
    ) throws {
      for entity in entities {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity.to)
        if try context.count(for: request) > 0 { return }
      }
      var copies: [NSManagedObject: NSManagedObject] = [:]
      for entity in entities {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity.from)
        request.includesSubentities = false
        for object in try context.fetch(request) {
          let copy = NSEntityDescription.insertNewObject(forEntityName: entity.to, into: context)
          // Renamed attributes must be copied explicitly.
          for name in copy.entity.attributesByName.keys
          where object.entity.attributesByName[name] != nil {
            copy.setValue(object.value(forKey: name), forKey: name)
          }
          copies[object] = copy
        }
      }
      for (object, copy) in copies {
        for (name, relationship) in copy.entity.relationshipsByName
        where object.entity.relationshipsByName[name] != nil {
          let value = object.value(forKey: name)
          if !relationship.isToMany {
            copy.setValue((value as? NSManagedObject).map { copies[$0] ?? $0 }, forKey: name)
          } else if relationship.isOrdered {
            let objects = (value as? NSOrderedSet)?.array as? [NSManagedObject] ?? []
            copy.setValue(NSOrderedSet(array: objects.map { copies[$0] ?? $0 }), forKey: name)
          } else {
            let objects = value as? Set<NSManagedObject> ?? []
            copy.setValue(Set(objects.map { copies[$0] ?? $0 }), forKey: name)
          }
        }
      }
    }
    """

}
