public import StrataObjectModel

/// The Swift code with which an app goes through the steps of a ``VersionChain``: Core Data's staged
/// migration.
///
/// What the app copies stands in the handler before the step that lets go of the old values: there the store
/// is at the version that has room for both, and stays there when the copying is interrupted, so that it is
/// done again.
///
/// ```swift
/// StagedMigrationCode(chain, from: NamedModel(name: "Model1", model: first), names: ["Model1a", "Model2"])
///   .text
/// ```
///
/// Source: facts on the migration process, section 4: a custom stage is one hop, and its first handler runs
/// with the store still at the version that it leaves; a checksum stands in one stage only.
public struct StagedMigrationCode: Sendable, Hashable {
  public let text: String

  /// - Parameter names: Those of the versions, one for each step.
  public init(_ chain: VersionChain, from source: NamedModel, names: [String]) {
    let versions = [source.versionName] + names
    let last = Self.plain(versions[versions.count - 1])
    let models = [source.model] + chain.steps.map(\.model)
    var lines = [
      "import CoreData", "",
      "/// Takes stores from \(versions[0]) to \(versions[versions.count - 1]), step by step.",
      "///",
      "///     description.setOption(", "///       stagedMigration(in: .main),",
      "///       forKey: NSPersistentStoreStagedMigrationManagerOptionKey)", "///",
      "/// Without it Core Data would go straight to \(last), which can be inferred,",
      "/// and let the old values go.",
      "@available(iOS 17, macOS 14, tvOS 17, watchOS 10, visionOS 1, *)",
      "func stagedMigration(in bundle: Bundle) -> NSStagedMigrationManager {",
    ]
    for (place, model) in models.enumerated() {
      lines += [
        "  let version\(place) = NSManagedObjectModelReference(",
        "    name: \(Self.literal(versions[place])), in: bundle,",
        "    versionChecksum: \(Self.literal(model.versionHashes().versionChecksum)))",
      ]
    }
    lines += [
      "  let stages: [NSMigrationStage] = ["
    ]
    var copies: [VersionChain.Copy] = []
    for (place, step) in chain.steps.enumerated() {
      let label = Self.literal("\(versions[place]) to \(versions[place + 1])")
      let stage =
        copies.isEmpty
        ? "NSLightweightMigrationStage([version\(place + 1).versionChecksum])"
        : "copying(from: version\(place), to: version\(place + 1))"
      lines.append("    labelled(\(label), \(stage)),")
      copies = step.copies
    }
    lines += [
      "  ]", "  return NSStagedMigrationManager(stages)", "}", "",
      "@available(iOS 17, macOS 14, tvOS 17, watchOS 10, visionOS 1, *)",
      "private func labelled<Stage: NSMigrationStage>(_ label: String, _ stage: Stage) -> NSMigrationStage {",
      "  stage.label = label", "  return stage", "}",
    ]
    let all = chain.steps.flatMap(\.copies)
    if !all.isEmpty { lines += Self.copying(all) }
    text = lines.joined(separator: "\n") + "\n"
  }

  /// The stage in which the app copies, with what it needs.
  private static func copying(_ copies: [VersionChain.Copy]) -> [String] {
    var lines = [
      "",
      "/// Copies before the step that lets the old values go; what is copied already is left alone, so that",
      "/// it can be done again.",
      "@available(iOS 17, macOS 14, tvOS 17, watchOS 10, visionOS 1, *)",
      "private func copying(",
      "  from old: NSManagedObjectModelReference, to new: NSManagedObjectModelReference",
      ") -> NSCustomMigrationStage {",
      "  let stage = NSCustomMigrationStage(migratingFrom: old, to: new)",
      "  stage.willMigrateHandler = { manager, _ in",
      "    guard let container = manager.container else { throw CocoaError(.coreData) }",
      "    let context = container.newBackgroundContext()", "    try context.performAndWait {",
    ]
    let objects = copies.filter { $0.attribute == nil }
    for copy in copies {
      guard let attribute = copy.attribute else { continue }
      lines += [
        "      try copyValues(",
        "        of: \(literal(copy.entity)), from: \(literal(attribute)), to: \(literal(copy.newName)),",
        "        in: context, \(converter(of: copy)))",
      ]
    }
    if !objects.isEmpty {
      lines.append("      try copyObjects(")
      lines.append("        [")
      lines += objects.map {
        "          (from: \(literal($0.entity)), to: \(literal($0.newName))),"
      }
      lines += ["        ], in: context)"]
    }
    lines += ["      try context.save()", "    }", "  }", "  return stage", "}"]
    for copy in copies where copy.attribute != nil {
      lines += [
        "",
        "/// A value of \(plain(copy.entity)).\(plain(copy.attribute ?? "")), \(copy.type ?? ""), as \(copy.newType ?? "").",
        "private func \(converter(of: copy))(_ value: Any) throws -> Any {",
        "  <#convert the value#>", "}",
      ]
    }
    if copies.contains(where: { $0.attribute != nil }) { lines += valueCopier }
    if !objects.isEmpty { lines += objectCopier }
    return lines
  }

  /// `convertedTopicContent`.
  private static func converter(of copy: VersionChain.Copy) -> String {
    let attribute = copy.attribute ?? ""
    let name = copy.entity + attribute.prefix(1).uppercased() + attribute.dropFirst()
    // Core Data allows more in a name than Swift does.
    return "converted"
      + String(
        String.UnicodeScalarView(
          name.unicodeScalars.map { scalar in
            scalar.properties.isAlphabetic || scalar.properties.numericType != nil ? scalar : "_"
          }))
  }

  private static let valueCopier = """

    private func copyValues(
      of entity: String, from old: String, to new: String, in context: NSManagedObjectContext,
      _ convert: (Any) throws -> Any
    ) throws {
      let request = NSFetchRequest<NSManagedObject>(entityName: entity)
      request.predicate = NSPredicate(format: "%K != nil AND %K == nil", old, new)
      request.fetchBatchSize = 500
      for object in try context.fetch(request) {
        guard let value = object.value(forKey: old) else { continue }
        object.setValue(try convert(value), forKey: new)
      }
    }
    """.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)

  private static let objectCopier = """

    /// Copies all objects with their attributes, then connects the copies as the originals are. Everything is
    /// saved at once: where there is one copy, there are all.
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
          // Attributes of other names than before need a line of their own.
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
    """.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)

  /// A name in a comment, which ends with its line.
  private static func plain(_ name: String) -> String {
    String(
      String.UnicodeScalarView(
        name.unicodeScalars.map { scalar in
          scalar.properties.generalCategory == .control || scalar.value == 0x2028
            || scalar.value == 0x2029 ? " " : scalar
        }))
  }

  /// A string literal of Swift.
  private static func literal(_ text: String) -> String {
    var literal = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": literal += "\\\(scalar)"
      case "\n": literal += "\\n"
      case _ where scalar.properties.generalCategory == .control:
        literal += "\\u{\(String(scalar.value, radix: 16))}"
      default: literal.unicodeScalars.append(scalar)
      }
    }
    return literal + "\""
  }
}
