internal import ArgumentParser
internal import StrataDiagnostics
internal import StrataMapping
internal import StrataMigration
internal import StrataObjectModel

/// By which way a store gets to a model.
struct StrategyOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "default, lightweight, custom, progressive or hybrid.",
      valueName: "strategy"),
    completion: .list(MigrationStrategy.allCases.map(\.rawValue)), transform: Self.strategy)
  var strategy: MigrationStrategy?
  @Option(
    name: .customLong("mapping"),
    help: ArgumentHelp(
      "A mapping model to take; several go one after the other into one destination.",
      valueName: "mapping"),
    completion: .file())
  var mappings: [String] = []
  @Option(
    name: .customLong("mappings"),
    help: ArgumentHelp(
      "A folder with mapping models, besides those beside the model.", valueName: "folder"),
    completion: .directory)
  var mappingsFolder: String?
  @Flag(help: "Infer no mapping model.") var noInfer = false

  private static func strategy(_ text: String) throws -> MigrationStrategy {
    guard let strategy = MigrationStrategy(rawValue: text) else {
      let names = MigrationStrategy.allCases.map(\.rawValue)
      throw ValidationError(
        "there is no strategy \(text)"
          + (NearestName.of(text, in: names).map { ": \(NearestName.question($0))" }
            ?? ": \(Words.list(names))"))
    }
    return strategy
  }

  mutating func validate() throws {
    guard strategy != .custom || !mappings.isEmpty else {
      throw ValidationError(
        "custom takes the mapping models that --mapping names, and there is none")
    }
    guard strategy != .lightweight || !noInfer && mappings.isEmpty else {
      throw ValidationError("lightweight is inference alone: leave --no-infer and --mapping out")
    }
  }

  /// What is done where nothing is said: mapping models that are named are taken.
  var chosen: MigrationStrategy { strategy ?? (mappings.isEmpty ? .default : .custom) }
}

extension Session {
  /// What finds the hops: the versions beside the target and those loaded, and the mapping models that are
  /// named, else all that are known.
  ///
  /// - Returns: Also what is wrong with mapping models that were left out.
  func planner(
    by options: StrategyOptions, target: NamedModel, references: [String]
  ) throws -> (planner: MigrationPlanner, problems: [Diagnostic]) {
    let versions =
      options.chosen.goesByVersions ? versions(beside: target, references: references) : []
    let infers = !options.noInfer
    guard options.mappings.isEmpty else {
      let named = try options.mappings.map { try mapping($0).forChoice }
      return (MigrationPlanner(versions: versions, mappings: named, infers: infers), [])
    }
    let known = try knownMappings(for: references, folder: options.mappingsFolder)
    return (
      MigrationPlanner(
        versions: versions, mappings: known.mappings.map(\.forChoice), infers: infers),
      known.problems
    )
  }

  /// The versions of the bundle that holds a model; where none does, what is loaded.
  private func versions(beside target: NamedModel, references: [String]) -> [NamedModel] {
    let hashes = target.model.versionHashes()
    for bundle in bundles(for: references) {
      readAll(bundle.versions)
      let models = bundle.versions.compactMap { version -> NamedModel? in
        let name = shortName(of: version, in: bundle) ?? "\(bundle.name)/\(version.name)"
        return (try? model(of: version)).map { NamedModel(name: name, model: $0) }
      }
      if models.contains(where: {
        $0.versionName == target.versionName && $0.model.versionHashes() == hashes
      }) {
        return models
      }
    }
    return loadedModels()
  }
}
