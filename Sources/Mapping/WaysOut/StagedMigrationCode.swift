public import StrataObjectModel

/// The Swift code with which an app goes through the steps of a ``VersionChain``: Core Data's staged
/// migration, with handlers that copy in batches and can be started again.
///
/// ```swift
/// StagedMigrationCode(chain, from: NamedModel(name: "Model1", model: first), names: ["Model1a", "Model2"])
///   .text
/// ```
///
/// Source: facts on the migration process, section 4: a custom stage is one hop, its handler runs in the
/// store's new model; a checksum stands in one stage only.
public struct StagedMigrationCode: Sendable, Hashable {
  public let text: String

  /// - Parameter names: Those of the versions, one for each step.
  public init(_ chain: VersionChain, from source: NamedModel, names: [String]) {
    var lines = [
      "import CoreData", "",
      "/// Takes a store from \(source.name) to \(names.last ?? ""), step by step.",
      "func migrationStages(in bundle: Bundle) -> [NSMigrationStage] {",
    ]
    let models = [source] + zip(names, chain.steps).map { NamedModel(name: $0, model: $1.model) }
    for (place, model) in models.enumerated() {
      lines += [
        "  let version\(place) = NSManagedObjectModelReference(",
        "    name: \(Self.literal(model.name)), in: bundle,",
        "    versionChecksum: \(Self.literal(model.model.versionHashes().versionChecksum)))",
      ]
    }
    var stages: [String] = []
    for (place, step) in chain.steps.enumerated() {
      let name = "stage\(place + 1)"
      stages.append(name)
      lines.append("")
      if step.copies.isEmpty {
        lines += [
          "  let \(name) = NSLightweightMigrationStage([version\(place + 1).versionChecksum])"
        ]
      } else {
        lines += [
          "  let \(name) = NSCustomMigrationStage(migratingFrom: version\(place), to: version\(place + 1))",
          "  // Runs again where it was interrupted: only what is not copied yet is taken.",
          "  \(name).didMigrateHandler = { manager, _ in",
          "    guard let container = manager.container else { return }",
          "    let context = container.newBackgroundContext()",
          "    try context.performAndWait {",
        ]
        for copy in step.copies { lines += Self.lines(for: copy) }
        lines += ["      try context.save()", "    }", "  }"]
      }
      lines.append(
        "  \(name).label = \(Self.literal("\(models[place].name) to \(models[place + 1].name)"))")
    }
    lines += ["  return [\(stages.joined(separator: ", "))]", "}"]
    for copy in chain.steps.flatMap(\.copies) { lines += Self.function(for: copy) }
    text = lines.joined(separator: "\n") + "\n"
  }

  private static func lines(for copy: VersionChain.Copy) -> [String] {
    guard let attribute = copy.attribute else {
      return ["      try copy\(copy.newName)(in: context)"]
    }
    return [
      "      do {",
      "        let request = NSFetchRequest<NSManagedObject>(entityName: \(literal(copy.entity)))",
      "        request.predicate = NSPredicate(",
      "          format: \"%K != nil AND %K == nil\", \(literal(attribute)), \(literal(copy.newName)))",
      "        request.fetchBatchSize = 500",
      "        for object in try context.fetch(request) {",
      "          guard let value = object.value(forKey: \(literal(attribute))) else { continue }",
      "          object.setValue(try \(copy.newName)(value), forKey: \(literal(copy.newName)))",
      "        }",
      "      }",
    ]
  }

  /// What only the app knows, with a placeholder that Xcode shows.
  private static func function(for copy: VersionChain.Copy) -> [String] {
    guard let attribute = copy.attribute else {
      return [
        "",
        "/// Copies every \(copy.entity) that has no copy yet into a new \(copy.newName), with its links.",
        "func copy\(copy.newName)(in context: NSManagedObjectContext) throws {",
        "  <#copy the objects#>", "}",
      ]
    }
    return [
      "",
      "/// A value of \(copy.entity).\(attribute), \(copy.type ?? ""), as \(copy.newType ?? "").",
      "func \(copy.newName)(_ value: Any) throws -> Any {", "  <#convert the value#>", "}",
    ]
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
