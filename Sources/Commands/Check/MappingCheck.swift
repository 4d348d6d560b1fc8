internal import StrataBase
internal import StrataMapping
internal import StrataMigration
internal import StrataObjectModel

/// Finds the mapping models of a project that fit no two of its versions, or that no path uses.
struct MappingCheck {
  private(set) var findings: [Finding] = []
  private let mappings: [NamedMappingModel]
  private let checked: [CheckedBundle]
  private let hops: [MigrationPlan.Hop]?
  /// The names of the mapping models that the hops use.
  private let used: Set<String>?
  /// The name of the mapping model that counts instead of one with the same content.
  private let originals: [NamedMappingModel: String]
  private let edited: Set<[String?]>
  private let gone: [String?: String]
  /// The name of a file as findings have it.
  private let place: (String) -> String
  /// The name of a file of the project in a command.
  private let shown: (String) -> String
  /// The versions of each bundle.
  private let versions: [[Version]]
  /// Whether a mapping model fits each version of a bundle.
  private typealias Fits = [(source: Bool, destination: Bool)]
  private typealias Version = (name: String, model: MatchableModel)

  /// - Parameters:
  ///   - hops: The hops of the paths of shipped versions; `nil` if they are not known.
  ///   - edited: The bundle and the name of each shipped version that was edited.
  ///   - gone: By bundle, a version that was deleted.
  ///   - place: The name of a file as findings have it.
  ///   - shown: The name of a file of the project in a command.
  init(
    _ mappings: [NamedMappingModel], in checked: [CheckedBundle], among hops: [MigrationPlan.Hop]?,
    edited: Set<[String?]>, gone: [String?: String], place: @escaping (String) -> String,
    shown: @escaping (String) -> String
  ) throws {
    (self.mappings, self.checked, self.hops) = (mappings, checked, hops)
    (self.edited, self.gone, self.place, self.shown) = (edited, gone, place, shown)
    originals = Dictionary(
      mappings.distinct().copies.map { ($0.copy, $0.original.name) }, uniquingKeysWith: { $1 })
    used = hops.map { Set($0.flatMap(\.parts).map(\.name)) }
    versions = checked.map { checked in
      checked.bundle.versions.map { (name: $0.name, model: MatchableModel($0.model)) }
    }
    for mapping in mappings where mapping.isReadByCoreData {
      try Interruption.check()
      let fits = versions.map { versions in
        versions.map { version in
          (
            source: mapping.mapping.sourceFit(of: version.model).isPart,
            destination: mapping.mapping.destinationFit(of: version.model).isPart
          )
        }
      }
      if let index = fits.firstIndex(where: {
        $0.contains(where: \.source) && $0.contains(where: \.destination)
      }) {
        findUnused(mapping, index, fits[index])
      } else {
        findStale(mapping, fits)
      }
    }
    findTexts()
  }

  private var bundles: [ProjectState.Bundle] { checked.map(\.bundle) }

  /// Finds a mapping model that fits two versions of a bundle, and that no path uses.
  private mutating func findUnused(_ mapping: NamedMappingModel, _ index: Int, _ fits: Fits) {
    guard used?.contains(mapping.name) != true else { return }
    let bundle = checked[index].bundle
    if let original = originals[mapping] {
      note(
        .mappingShadowed, "has the same content as \(original), which counts instead", mapping,
        in: bundle, Fix("delete one of them"))
    } else if let hop = hops?.first(where: { mapping.mapping.isPart(of: $0) }) {
      note(
        .mappingShadowed,
        "is for \(hop.from.versionName) -> \(hop.to.versionName), which is migrated \(hop.isInferred ? "with an inferred mapping model" : "with \(hop.mappingName)")",
        mapping, in: bundle,
        Fix("delete one of them, or set the strategy by which the app uses it"))
    } else if hops != nil {
      let ends = Array(zip(versions[index], fits))
      let (start, end) = (
        ends.last { $0.1.source }?.0.name, ends.last { $0.1.destination }?.0.name
      )
      note(
        .mappingUnreachable,
        "is for \(start ?? "") -> \(end ?? ""): with the strategy \(checked[index].strategy.rawValue) no shipped version is migrated with it",
        mapping, in: bundle, Fix("delete it, or set the strategy by which the app uses it"))
    }
  }

  /// Finds a mapping model that fits no two versions of a bundle.
  ///
  /// - Parameter fits: For each bundle.
  private mutating func findStale(_ mapping: NamedMappingModel, _ fits: [Fits]) {
    let index =
      fits.firstIndex { $0.contains { $0.source || $0.destination } }
      ?? bundles.firstIndex { bundle in
        [mapping.source, mapping.destination].contains {
          $0.map { bundle.version(named: $0.versionName) != nil } == true
        }
      }
    // It may be for a version that cannot be read.
    guard !(index.map { [bundles[$0]] } ?? bundles).contains(where: { $0.unreadVersion != nil })
    else { return }
    guard let index else {
      return note(
        .mappingStale,
        mapping.mapping.hasHashes
          ? "fits no version of the project: it is for other models"
          : "has no version hashes, by which Core Data chooses a mapping model: it was written without its models",
        mapping, in: nil, gone.values.sorted().first.map(Self.restoringFix) ?? Self.savingFix)
    }
    let bundle = bundles[index]
    let stale = Self.stale(mapping, bundle, among: versions[index])
    note(
      .mappingStale, stale?.reason ?? Self.reason(bundle, versions[index], fits[index]), mapping,
      in: bundle, fix(of: mapping, stale, in: bundle))
  }

  /// What mends a stale mapping model.
  private func fix(
    of mapping: NamedMappingModel, _ stale: Stale?, in bundle: ProjectState.Bundle
  ) -> Fix {
    if let stale, edited.contains([bundle.label, stale.version]) {
      return Fix("restore the version \(stale.version): see version/edited")
    }
    if let version = gone[bundle.label] { return Self.restoringFix(version) }
    let refresh = stale.flatMap { stale in
      StaleMapping.refreshCommand(
        mapping.path.map { shown(place($0)) }, mapping.name,
        from: shown("\(bundle.path)/\(stale.source)"),
        to: shown("\(bundle.path)/\(stale.destination)"))
    }
    return refresh.map {
      Fix(
        "write it for the models as they are, or open and save it in Xcode; delete it if no app uses it",
        commands: [$0])
    } ?? Self.savingFix
  }

  /// Finds the texts that would be used if Core Data could read them.
  private mutating func findTexts() {
    for text in mappings where !text.isReadByCoreData {
      guard let path = text.path.map({ shown(place($0)) }),
        let hop = hops?.first(where: { $0.isInferred && text.mapping.isPart(of: $0) })
      else { continue }
      let bundle = bundles.first { bundle in
        bundle.versions.contains { $0.name == hop.to.versionName && $0.model == hop.to.model }
      }
      let target = path.dropLast(Session.mappingTextExtension.count) + Session.xcodeMappingExtension
      note(
        .mappingText,
        "is for \(hop.from.versionName) -> \(hop.to.versionName), which is inferred: Core Data cannot read a text",
        text, in: bundle,
        Fix(
          "write it for Core Data",
          commands: [CommandLineLexer.line(of: ["mapping", "write", path, String(target)])]))
    }
  }

  private static let savingFix = Fix("open and save it in Xcode, or delete it if no app uses it")

  private static func restoringFix(_ version: String) -> Fix {
    Fix("restore the version \(version): see version/gone")
  }

  /// The version that was edited after a mapping model was saved for it, and the reason why it is stale.
  private typealias Stale = (version: String, reason: String, source: String, destination: String)

  private static func stale(
    _ mapping: NamedMappingModel, _ bundle: ProjectState.Bundle, among models: [Version]
  ) -> Stale? {
    guard let source = bundle.version(named: mapping.source?.versionName),
      let destination = bundle.version(named: mapping.destination?.versionName),
      let stale = StaleMapping(mapping, from: source, to: destination, among: models)
    else { return nil }
    let edited = stale.isSource ? source.name : destination.name
    let edits = stale.edits.first.map { ": \($0)" } ?? ""
    return (
      edited,
      "is for \(source.name) -> \(destination.name), and \(edited) was edited after it was saved\(edits)",
      source.name, destination.name
    )
  }

  private static func reason(
    _ bundle: ProjectState.Bundle, _ models: [Version], _ fits: Fits
  ) -> String {
    if let start = zip(models, fits).first(where: { $0.1.source })?.0 {
      return "begins at \(start.name) and ends at no version of \(bundle.name)"
    }
    if let end = zip(models, fits).first(where: { $0.1.destination })?.0 {
      return "ends at \(end.name) and begins at no version of \(bundle.name)"
    }
    return "fits no version of \(bundle.name)"
  }

  private mutating func note(
    _ kind: CheckRule.Kind, _ reason: String, _ mapping: NamedMappingModel,
    in bundle: ProjectState.Bundle?, _ fix: Fix
  ) {
    // Several files can have one name.
    let isRepeated = mappings.count { $0.name == mapping.name } > 1
    findings.append(
      Finding(
        CheckRule(kind, reason),
        at: FindingLocation(
          bundle: bundle?.label,
          mapping: isRepeated ? mapping.path.map(place) : mapping.name,
          file: mapping.path.map(place)),
        fixes: [fix]))
  }
}

extension MappingModel {
  /// Whether an entity mapping has a version hash.
  fileprivate var hasHashes: Bool {
    entityMappings.contains { $0.sourceHash != nil || $0.destinationHash != nil }
  }

  /// Whether it maps the entities of the models of a hop, or a part of them.
  fileprivate func isPart(of hop: MigrationPlan.Hop) -> Bool {
    isPart(from: MatchableModel(hop.from.model), to: MatchableModel(hop.to.model))
  }
}
