internal import ArgumentParser
internal import StrataArchives
internal import StrataBase
internal import StrataEssentials
internal import StrataExpressions
internal import StrataMapping
internal import StrataMigration
internal import StrataObjectModel
internal import StrataSamples

/// The options that select the strategy of a migration.
struct StrategyOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "default, lightweight, custom, progressive, hybrid or staged.",
      valueName: "strategy"),
    completion: .list(MigrationStrategy.allCases.map(\.rawValue)), transform: Self.strategy)
  var strategy: MigrationStrategy?
  @Option(
    .mappingModel,
    "A mapping model to run. Repeat the option for several: they run one after the other into one destination.",
    name: .customLong("mapping")
  )
  var mappings: [String] = []
  @Option(
    .folder,
    "A folder with mapping models, besides those beside the model.",
    name: .customLong("mappings")
  )
  var mappingsFolder: String?
  @Option(.file, "A policy file, besides those beside the model.", name: .customLong("policies"))
  var policyFiles: [String] = []
  @Flag(help: "Do not infer a mapping model.") var noInfer = false
  @Option(.model, "The model that wrote the store; of a bundle, the version that did.")
  var from: String?
  @Option(.file, "The file with the stages of a staged migration, or a sample.") var stages: String?

  static func strategy(_ text: String) throws -> MigrationStrategy {
    guard let strategy = MigrationStrategy(rawValue: text) else {
      let names = MigrationStrategy.allCases.map(\.rawValue)
      throw ValidationError(
        "there is no strategy \(text)"
          + (NearestName.of(text, in: names).map { ": \(NearestName.question($0))" }
            ?? ": \(Phrase.list(names))"))
    }
    return strategy
  }

  mutating func validate() throws {
    guard strategy != .lightweight || !noInfer && mappings.isEmpty else {
      throw ValidationError("lightweight uses inference only: omit --no-infer and --mapping")
    }
    guard strategy != .staged || stages != nil else {
      throw ValidationError("staged requires a stages file: --stages")
    }
    guard stages == nil || chosen == .staged && !noInfer && mappings.isEmpty else {
      throw ValidationError(
        "stages use inference: omit --no-infer, --mapping and other strategies")
    }
  }

  var isUsed: Bool {
    strategy != nil || !mappings.isEmpty || mappingsFolder != nil || !policyFiles.isEmpty || noInfer
      || from != nil || stages != nil
  }

  /// The strategy; by default `staged` with `--stages`, `custom` with `--mapping`.
  var chosen: MigrationStrategy {
    strategy ?? (stages != nil ? .staged : mappings.isEmpty ? .default : .custom)
  }
}

extension StrategyOptions {
  /// The options as typed on the command line.
  var arguments: [String] {
    var arguments: [String] = []
    if let from { arguments += ["--from", from] }
    if let strategy { arguments += ["--strategy", strategy.rawValue] }
    for mapping in mappings { arguments += ["--mapping", mapping] }
    if let mappingsFolder { arguments += ["--mappings", mappingsFolder] }
    for file in policyFiles { arguments += ["--policies", file] }
    if noInfer { arguments.append("--no-infer") }
    if let stages { arguments += ["--stages", stages] }
    return arguments
  }
}

/// The planner, and the errors of files that could not be read.
struct PlannerSetup {
  var planner: MigrationPlanner
  /// The problems with mapping models that were left out.
  var problems: [Diagnostic] = []
  /// The error of one that Core Data would read.
  var unreadableMapping: Diagnostic?
  /// The versions that a strategy cannot use, with the errors.
  var unreadableVersions: [(name: String, reason: Diagnostic)] = []

  /// The hops, if it is certain that Core Data would use them.
  ///
  /// - Throws: ``MigrationError``; ``Diagnostic`` if a version or a mapping model that may matter cannot be read.
  func plan(
    from source: NamedModel, to target: NamedModel, by strategy: MigrationStrategy
  ) throws -> MigrationPlan {
    if strategy == .progressive || strategy == .hybrid,
      let gap = self.gap(between: source, and: target)
    {
      throw gap
    }
    let plan = try planner.plan(from: source, to: target, by: strategy)
    if let doubt = self.doubt(about: plan, by: strategy) { throw doubt }
    return plan
  }

  /// The error that Core Data's result is unknown: inference can give another result than the
  /// mapping model that cannot be read.
  private func doubt(about plan: MigrationPlan, by strategy: MigrationStrategy) -> Diagnostic? {
    guard strategy != .lightweight, plan.hops.contains(where: \.isInferred) else { return nil }
    return unreadableMapping?.asError(
      "a mapping model that may apply here cannot be read: ",
      fix: "repair it, or move it away from the model")
  }

  /// The error that a version between two others cannot be read.
  private func gap(between source: NamedModel, and target: NamedModel) -> Diagnostic? {
    let ends = [source.versionName, target.versionName].sorted { $0.precedesByNumber($1) }
    return unreadableVersions.first {
      ends[0].precedesByNumber($0.name) && $0.name.precedesByNumber(ends[1])
    }?.reason.asError(
      "an intermediate version cannot be read: ", fix: "fix it, or use --strategy default")
  }
}

extension Session {
  static let stagesExtension = ".stages"

  /// The warning that named mapping models do nothing, because the models are compatible.
  private static func unused(
    _ mappings: [NamedMappingModel], from source: NamedModel, to target: NamedModel
  ) -> [Diagnostic] {
    guard !mappings.isEmpty, source.model.versionHashes() == target.model.versionHashes() else {
      return []
    }
    let names = Phrase.list(mappings.map(\.name))
    return [
      Diagnostic(
        id: "migration.mappingModel", severity: .warning,
        what: "\(names) is not used: \(source.name) and \(target.name) have equal version hashes",
        fix: "omit --mapping; Core Data opens the store without a migration")
    ]
  }

  /// The planner with the versions beside the target, the loaded versions, and the mapping models that are
  /// named, else all known ones.
  ///
  /// - Parameters:
  ///     - policies: The policies that stages can name.
  ///     - needsVersions: Whether other strategies need the versions too.
  func planner(
    by options: StrategyOptions, from source: NamedModel, to target: NamedModel,
    references: [String], policies: PolicyRegistry, needsVersions: Bool = false
  ) throws -> PlannerSetup {
    let readsOthers = needsVersions
    let needsVersions = needsVersions || options.chosen.usesVersions
    let versions = needsVersions ? versions(beside: target, references: references) : []
    let unreadable =
      needsVersions ? unreadableVersions(beside: target, references: references) : []
    if let file = options.stages {
      let stages = try stages(of: file, among: versions + loadedModels() + [source], policies)
      let known = readsOthers ? try knownMappings(for: references) : KnownMappings()
      return PlannerSetup(
        planner: MigrationPlanner(
          versions: versions, mappings: known.forChoice, areMappingsNamed: false, stages: stages),
        problems: known.problems, unreadableVersions: unreadable)
    }
    let known = try knownMappings(for: references, folder: options.mappingsFolder)
    guard options.mappings.isEmpty else {
      // By the name that `plan` shows, or by any other name.
      let named = try options.mappings.map { name in
        try (known.mappings.first { $0.forChoice.name == name } ?? mapping(name))
          .forChoice(from: source, to: target)
      }
      return PlannerSetup(
        planner: MigrationPlanner(
          versions: versions, mappings: named, infers: !options.noInfer),
        problems: named.distinct(mergingForms: false).copies.map(\.warning)
          + Self.unused(named, from: source, to: target),
        unreadableVersions: unreadable)
    }
    return PlannerSetup(
      planner: MigrationPlanner(
        versions: versions, mappings: known.forChoice, areMappingsNamed: false,
        infers: !options.noInfer),
      problems: known.problems, unreadableMapping: known.unreadable,
      unreadableVersions: unreadable)
  }

  private func stages(
    of file: String, among versions: [NamedModel], _ policies: PolicyRegistry
  ) throws -> [MigrationStage] {
    do {
      if file.hasPrefix(Self.samplePrefix),
        let sample = Sample.named(String(file.dropFirst(Self.samplePrefix.count)))
      {
        return try StageScript(parsing: sample.stages).resolved(
          among: versions, policies: policies, folder: folder)
      }
      let path = try path(file)
      let text = try LineLanguage.stages.text(of: FileBytes.read(path))
      let stages = try StageScript(parsing: text).resolved(
        among: versions, policies: policies,
        folder: URL(fileURLWithPath: path).deletingLastPathComponent().path)
      try stages.checkScripts(access) { shown($0) }
      return stages
    } catch let error as any DiagnosticError {
      throw error.diagnostic.located(in: file)
    }
  }

  /// The errors of the unreadable versions of the bundle that contains a model.
  private func unreadableVersions(
    beside target: NamedModel, references: [String]
  ) -> [(name: String, reason: Diagnostic)] {
    guard let bundle = holder(of: target, references: references)?.bundle else { return [] }
    return zip(bundle.versions, readEach(of: bundle)).compactMap { version, result in
      if case .failure(let reason) = result { (version.name, reason) } else { nil }
    }
  }

  /// The versions of the bundle that contains a model; without one, all loaded versions.
  func versions(beside target: NamedModel, references: [String]) -> [NamedModel] {
    holder(of: target, references: references)?.versions ?? loadedModels()
  }

  /// The bundle that contains a model, with its readable versions: one that a reference names is preferred to one
  /// that is loaded.
  private func holder(
    of target: NamedModel, references: [String]
  ) -> (bundle: ModelBundle, versions: [NamedModel])? {
    let hashes = target.model.versionHashes()
    for bundle in references.compactMap({ try? bundle($0) }) + bundles(for: references) {
      readAll(bundle.versions)
      let models = bundle.versions.compactMap { version -> NamedModel? in
        let name = shortName(of: version, in: bundle) ?? "\(bundle.name)/\(version.name)"
        return (try? model(of: version)).map { NamedModel(name: name, model: $0) }
      }
      if models.contains(where: {
        $0.versionName == target.versionName && $0.model.versionHashes() == hashes
      }) {
        return (bundle, models)
      }
    }
    return nil
  }
}
