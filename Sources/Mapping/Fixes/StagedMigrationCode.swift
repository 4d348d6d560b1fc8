internal import StrataBase
package import StrataObjectModel

/// The Swift code of a staged migration through the steps of a ``VersionChain``.
///
/// The app copies values in the handler before the step that removes the old ones. At that point the store has
/// a version with both old and new elements; if copying is interrupted, the store stays at that version and
/// copying is repeated.
///
/// ```swift
/// let first = NamedModel(name: "Recipes1", model: recipes1)
/// if let chain = VersionChain(from: MatchableModel(recipes1), to: MatchableModel(recipes2)) {
///   print(StagedMigrationCode(chain, from: first, names: ["Recipes1a", "Recipes2"]).text)
/// }
/// ```
///
/// Source: `Docs/Facts/migration-process.md`, section 4: the version of a store must be in a stage; the store is
/// migrated by inference in one step to the start of the next custom stage, whose first handler runs before the
/// stage's migration.
package struct StagedMigrationCode: Sendable, Hashable {
  package let text: String

  /// - Parameter names: The names of the versions, one for each step.
  package init(_ chain: VersionChain, from source: NamedModel, names: [String]) {
    let versions = [source.versionName] + names
    let models = [source.model] + chain.steps.map(\.model)
    var lines = [
      "import CoreData", "",
      "/// Migrates stores from \(Self.plain(versions[0])) to \(Self.plain(names.last ?? "")) in stages.",
      "///",
      "///     description.setOption(", "///       stagedMigration(in: .main),",
      "///       forKey: NSPersistentStoreStagedMigrationManagerOptionKey)",
    ]
    lines += Self.remarks(chain, from: source, to: names.last ?? "")
    lines += [
      Self.availability,
      "func stagedMigration(in bundle: Bundle) -> NSStagedMigrationManager {",
    ]
    for (index, model) in models.enumerated() {
      lines += [
        "  let version\(index) = NSManagedObjectModelReference(",
        "    name: \(Self.literal(versions[index])), in: bundle,",
        "    versionChecksum: \(Self.literal(model.versionHashes().versionChecksum)))",
      ]
    }
    lines += ["  let stages: [NSMigrationStage] = ["]
    if chain.steps.count == 1 {
      lines.append(
        "    NSLightweightMigrationStage([version0.versionChecksum, version1.versionChecksum])")
    } else {
      // The custom stage lists its own versions: a checksum is in one stage only.
      lines.append("    NSLightweightMigrationStage([version0.versionChecksum]),")
      for index in 1..<chain.steps.count {
        lines.append("    copying(from: version\(index), to: version\(index + 1)),")
      }
    }
    lines += ["  ]", "  return NSStagedMigrationManager(stages)", "}"]
    if !chain.copies.isEmpty { lines += StageHandlerCode(chain.copies).lines }
    text = lines.joined(separator: "\n") + "\n"
  }

  static let availability = "@available(iOS 17, macOS 14, tvOS 17, watchOS 10, visionOS 1, *)"

  /// A description of the migration without the stages; `nil` if the stages copy nothing.
  ///
  /// - Parameters:
  ///   - source: The version of the stores.
  ///   - last: The name of the last version.
  package static func withoutStages(
    _ chain: VersionChain, from source: NamedModel, to last: String
  ) -> String? {
    guard let model = chain.steps.last?.model, !chain.copies.isEmpty else { return nil }
    guard Inference(from: source.model, to: model).isInferable else {
      return
        "without these stages, Core Data could not infer a mapping model from \(source.versionName) to \(last) (\(CoreDataError.migrationMissingMappingModel))"
    }
    func names(_ copies: [VersionChain.Copy]) -> String {
      Set(copies.flatMap(\.sourceNames)).sorted { $0.precedesInBytes($1) }.joined(separator: ", ")
    }
    let (objects, values) = (
      chain.copies.filter(\.isOfObjects), chain.copies.filter { !$0.isOfObjects }
    )
    let lost =
      (values.isEmpty ? [] : ["the values of \(names(values))"])
      + (objects.isEmpty ? [] : ["the objects of \(names(objects))"])
    return
      "without these stages, Core Data would migrate from \(source.versionName) to \(last) in one step and lose \(lost.joined(separator: " and "))"
  }

  /// Comments about the migration without the stages, and about the losses with them.
  private static func remarks(
    _ chain: VersionChain, from source: NamedModel, to last: String
  ) -> [String] {
    var lines = [withoutStages(chain, from: source, to: last)].compactMap { sentence in
      sentence.map { "W\($0.dropFirst())." }
    }
    lines += chain.notKept.map { "Not kept: \($0.text)." }
    return lines.isEmpty ? [] : ["///"] + lines.map { "/// " + plain($0) }
  }

  /// A name in a line comment, without line terminators.
  static func plain(_ name: String) -> String {
    String(
      String.UnicodeScalarView(
        name.unicodeScalars.map { scalar in
          scalar.properties.generalCategory == .control || scalar.value == 0x2028
            || scalar.value == 0x2029 ? " " : scalar
        }))
  }

  /// A Swift string literal.
  static func literal(_ text: String) -> String {
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

extension VersionChain.Copy {
  /// The comment about numbers that a copy loses, as in an inferred conversion.
  var narrowingComment: String? {
    guard case .values(let values) = kind, let rule = values.narrowing else { return nil }
    let rest = values.newType == .boolean ? "" : "; values that do not fit are not stored"
    return "\(entity).\(values.attribute): \(rule.reason)\(rest). These values are counted."
  }

  /// Whether whole objects are copied.
  var isOfObjects: Bool { if case .objects = kind { true } else { false } }

  /// The names of the copied attributes or entity.
  var sourceNames: [String] {
    switch kind {
    case .objects: [entity]
    case .values(let values): ["\(entity).\(values.attribute)"]
    case .parts(let attribute, _): ["\(entity).\(attribute)"]
    case .linked(let link): link.attributes.map { "\(entity).\($0.old)" }
    }
  }
}
