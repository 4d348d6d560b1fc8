internal import StrataBase
internal import StrataMapping
internal import StrataMigration
internal import StrataObjectModel

/// Finds the mapping models of a project that fit no two of its versions, or that no path uses.
struct MappingCheck {
  private(set) var findings: [Finding] = []
  /// The names of several files.
  private let repeatedNames: Set<String>
  /// The name of a file as findings have it.
  private let place: (String) -> String

  /// - Parameters:
  ///   - hops: The hops of the paths of shipped versions; `nil` if they are not known.
  ///   - edited: The bundle and the name of each shipped version that was edited.
  ///   - gone: By bundle, a version that was deleted.
  ///   - place: The name of a file as findings have it.
  ///   - shown: The name of a file of the project in a command.
  init(
    _ mappings: [NamedMappingModel], in checked: [CheckedBundle], among hops: [MigrationPlan.Hop]?,
    edited: Set<[String?]>, gone: [String?: String], place: @escaping (String) -> String,
    shown: (String) -> String
  ) throws {
    self.place = place
    repeatedNames = Set(
      Dictionary(grouping: mappings, by: \.name).filter { $0.value.count > 1 }.keys)
    let bundles = checked.map(\.bundle)
    let originals = Dictionary(
      mappings.distinct().copies.map { ($0.copy, $0.original.name) }, uniquingKeysWith: { $1 })
    let used = hops.map { Set($0.flatMap(\.parts).map(\.name)) }
    let models = bundles.map { bundle in
      bundle.versions.map { (name: $0.name, model: MatchableModel($0.model)) }
    }
    for mapping in mappings where mapping.isReadByCoreData {
      try Interruption.check()
      let fits = models.map { versions in
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
        guard used?.contains(mapping.name) != true else { continue }
        if let original = originals[mapping] {
          note(
            .mappingShadowed, "has the same content as \(original), which counts instead", mapping,
            in: bundles[index], fix: "delete one of them")
          continue
        }
        guard used != nil else { continue }
        let ends = Array(zip(models[index], fits[index]))
        let (start, end) = (
          ends.last { $0.1.source }?.0.name, ends.last { $0.1.destination }?.0.name
        )
        if let hop = hops?.first(where: { mapping.mapping.isPart(of: $0) }) {
          note(
            .mappingShadowed,
            "is for \(hop.from.versionName) -> \(hop.to.versionName), which is migrated \(hop.isInferred ? "with an inferred mapping model" : "with \(hop.mappingName)")",
            mapping, in: bundles[index],
            fix: "delete one of them, or set the strategy by which the app uses it")
          continue
        }
        note(
          .mappingUnreachable,
          "is for \(start ?? "") -> \(end ?? ""): with the strategy \(checked[index].strategy.rawValue) no shipped version is migrated with it",
          mapping, in: bundles[index],
          fix: "delete it, or set the strategy by which the app uses it")
        continue
      }
      let index =
        fits.firstIndex { $0.contains { $0.source || $0.destination } }
        ?? bundles.firstIndex { bundle in
          [mapping.source, mapping.destination].contains {
            $0.map { bundle.version(named: $0.versionName) != nil } == true
          }
        }
      // It may be for a version that cannot be read.
      guard !(index.map { [bundles[$0]] } ?? bundles).contains(where: { $0.unreadVersion != nil })
      else { continue }
      guard let index else {
        note(
          .mappingStale,
          mapping.mapping.hasHashes
            ? "fits no version of the project: it is for other models"
            : "has no version hashes, by which Core Data chooses a mapping model: it was written without its models",
          mapping, in: nil, fix: gone.values.sorted().first.map(Self.restoringFix) ?? Self.savingFix
        )
        continue
      }
      let stale = Self.stale(mapping, bundles[index], among: models[index])
      let isOfEdit = stale.map { edited.contains([bundles[index].label, $0.version]) } == true
      let refresh = stale.flatMap { stale in
        let folder = bundles[index].path
        return StaleMapping.refreshCommand(
          mapping.path.map { shown(place($0)) }, mapping.name,
          from: shown("\(folder)/\(stale.source)"),
          to: shown("\(folder)/\(stale.destination)"))
      }
      note(
        .mappingStale,
        stale?.reason ?? Self.reason(bundles[index], models[index], fits[index]), mapping,
        in: bundles[index],
        fix: isOfEdit
          ? "restore the version \(stale?.version ?? ""): see version/edited"
          : gone[bundles[index].label].map(Self.restoringFix)
            ?? (refresh == nil ? Self.savingFix : Self.refreshingFix),
        commands: isOfEdit || gone[bundles[index].label] != nil ? [] : [refresh].compactMap(\.self))
    }
    findTexts(mappings, among: hops ?? [], in: bundles, shown: shown)
  }

  /// Finds the texts that would be used if Core Data could read them.
  private mutating func findTexts(
    _ mappings: [NamedMappingModel], among hops: [MigrationPlan.Hop],
    in bundles: [ProjectState.Bundle], shown: (String) -> String
  ) {
    for text in mappings where !text.isReadByCoreData {
      guard let path = text.path.map({ shown(place($0)) }),
        let hop = hops.first(where: { $0.isInferred && text.mapping.isPart(of: $0) })
      else { continue }
      let bundle = bundles.first { bundle in
        bundle.versions.contains { $0.name == hop.to.versionName && $0.model == hop.to.model }
      }
      let target = path.dropLast(Session.mappingTextExtension.count) + Session.xcodeMappingExtension
      note(
        .mappingText,
        "is for \(hop.from.versionName) -> \(hop.to.versionName), which is inferred: Core Data cannot read a text",
        text, in: bundle, fix: "write it for Core Data",
        commands: [CommandLineLexer.line(of: ["mapping", "write", path, String(target)])])
    }
  }

  private static let refreshingFix =
    "write it for the models as they are, or open and save it in Xcode; delete it if no app uses it"
  private static let savingFix = "open and save it in Xcode, or delete it if no app uses it"

  private static func restoringFix(_ version: String) -> String {
    "restore the version \(version): see version/gone"
  }

  /// The version that was edited after a mapping model was saved for it, and the reason why it is stale.
  private static func stale(
    _ mapping: NamedMappingModel, _ bundle: ProjectState.Bundle,
    among models: [(name: String, model: MatchableModel)]
  ) -> (version: String, reason: String, source: String, destination: String)? {
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
    _ bundle: ProjectState.Bundle, _ models: [(name: String, model: MatchableModel)],
    _ fits: [(source: Bool, destination: Bool)]
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
    in bundle: ProjectState.Bundle?,
    fix: String = savingFix, commands: [String] = []
  ) {
    findings.append(
      Finding(
        CheckRule(kind, reason),
        at: FindingLocation(
          bundle: bundle?.label,
          mapping: repeatedNames.contains(mapping.name) ? mapping.path.map(place) : mapping.name,
          file: mapping.path.map(place)),
        fixes: [Fix(fix, commands: commands)]))
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
