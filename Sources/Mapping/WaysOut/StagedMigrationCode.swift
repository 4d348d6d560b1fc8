internal import StrataBase
package import StrataObjectModel

/// The Swift code with which an app goes through the steps of a ``VersionChain``: Core Data's staged
/// migration.
///
/// What the app copies is in the handler before the step that removes the old values: there the store is at the
/// version that has room for both, and stays there when the copying is interrupted, so that it is done again.
///
/// ```swift
/// StagedMigrationCode(chain, from: NamedModel(name: "Model1", model: first), names: ["Model1a", "Model2"])
///   .text
/// ```
///
/// Source: facts on the migration process, section 4: a store must be in a stage; it is inferred straight to
/// where the next custom stage begins, whose first handler runs before it leaves that version.
package struct StagedMigrationCode: Sendable, Hashable {
  package let text: String

  /// - Parameter names: Those of the versions, one for each step.
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
    for (place, model) in models.enumerated() {
      lines += [
        "  let version\(place) = NSManagedObjectModelReference(",
        "    name: \(Self.literal(versions[place])), in: bundle,",
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
      for place in 1..<chain.steps.count {
        lines.append("    copying(from: version\(place), to: version\(place + 1)),")
      }
    }
    lines += ["  ]", "  return NSStagedMigrationManager(stages)", "}"]
    if !chain.copies.isEmpty { lines += StageHandlerCode(chain.copies).lines }
    text = lines.joined(separator: "\n") + "\n"
  }

  static let availability = "@available(iOS 17, macOS 14, tvOS 17, watchOS 10, visionOS 1, *)"

  /// What Core Data would do without the stages; `nil` where the stages copy nothing.
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

  /// What happens without the stages, and what is lost with them too.
  private static func remarks(
    _ chain: VersionChain, from source: NamedModel, to last: String
  ) -> [String] {
    var lines = [withoutStages(chain, from: source, to: last)].compactMap { sentence in
      sentence.map { "W\($0.dropFirst())." }
    }
    lines += chain.notKept.map { "Not kept: \($0.text)." }
    return lines.isEmpty ? [] : ["///"] + lines.map { "/// " + plain($0) }
  }

  /// A name in a comment, which ends with its line.
  static func plain(_ name: String) -> String {
    String(
      String.UnicodeScalarView(
        name.unicodeScalars.map { scalar in
          scalar.properties.generalCategory == .control || scalar.value == 0x2028
            || scalar.value == 0x2029 ? " " : scalar
        }))
  }

  /// A string literal of Swift.
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
  /// What a copy loses of numbers, for a comment: as an inferred conversion does.
  var narrowingWords: String? {
    guard case .values(let values) = kind, let rule = values.narrowing else { return nil }
    let rest = values.newType == .boolean ? "" : "; what does not fit is not stored"
    return "\(entity).\(values.attribute): \(rule.reason)\(rest). Each one is counted."
  }

  /// Whether whole objects are copied.
  var isOfObjects: Bool { if case .objects = kind { true } else { false } }

  /// What is copied: attributes, or an entity.
  var sourceNames: [String] {
    switch kind {
    case .objects: [entity]
    case .values(let values): ["\(entity).\(values.attribute)"]
    case .parts(let attribute, _): ["\(entity).\(attribute)"]
    case .linked(let link): link.attributes.map { "\(entity).\($0.old)" }
    }
  }
}
