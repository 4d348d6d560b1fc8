internal import ArgumentParser
internal import Foundation
internal import StrataArchives
internal import StrataBase
internal import StrataMapping
internal import StrataMigration
internal import StrataObjectModel
internal import StrataSamples

/// By which way a store gets to a model.
struct StrategyOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "default, lightweight, custom, progressive, hybrid or staged.",
      valueName: "strategy"),
    completion: .list(MigrationStrategy.allCases.map(\.rawValue)), transform: Self.strategy)
  var strategy: MigrationStrategy?
  @Option(
    name: .customLong("mapping"),
    help: ArgumentHelp(
      .mappingModel, "A mapping model to run; several run one after the other into one destination."
    ),
    completion: .file())
  var mappings: [String] = []
  @Option(
    name: .customLong("mappings"),
    help: ArgumentHelp(.folder, "A folder with mapping models, besides those beside the model."),
    completion: .directory)
  var mappingsFolder: String?
  @Option(
    name: .customLong("policies"),
    help: ArgumentHelp(.file, "A policy file, besides those beside the model."),
    completion: .file())
  var policyFiles: [String] = []
  @Flag(help: "Infer no mapping model.") var noInfer = false
  @Option(
    help: ArgumentHelp(
      .model, "The model that wrote the store; of a bundle, the version that did."),
    completion: .file())
  var from: String?
  @Option(
    help: ArgumentHelp(.file, "The file with the stages of a staged migration, or a sample."),
    completion: .file())
  var stages: String?

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
    guard strategy != .lightweight || !noInfer && mappings.isEmpty else {
      throw ValidationError("lightweight is inference alone: leave --no-infer and --mapping out")
    }
    guard strategy != .staged || stages != nil else {
      throw ValidationError("staged goes through the stages of a file: name it with --stages")
    }
    guard stages == nil || chosen == .staged && !noInfer && mappings.isEmpty else {
      throw ValidationError(
        "stages are inferred: leave --no-infer, --mapping and other strategies out")
    }
  }

  /// What is done where nothing is said: stages or mapping models that are named are taken.
  var chosen: MigrationStrategy {
    strategy ?? (stages != nil ? .staged : mappings.isEmpty ? .default : .custom)
  }
}

/// What finds the hops of a migration, and what could not be read.
struct PlannerSetup {
  var planner: MigrationPlanner
  /// What is wrong with mapping models that were left out.
  var problems: [Diagnostic] = []
  /// One among them that Core Data would read.
  var unreadableMapping: Diagnostic?
  /// The versions that a strategy cannot go through, and why.
  var unreadableVersions: [(name: String, reason: Diagnostic)] = []

  /// The hops, where it is certain that Core Data takes them.
  ///
  /// - Throws: ``MigrationError``; ``Diagnostic`` where a version or a mapping model cannot be read that may count.
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

  /// Why nobody knows what Core Data does: what is inferred could be quite another thing than what the mapping
  /// model says that cannot be read.
  private func doubt(about plan: MigrationPlan, by strategy: MigrationStrategy) -> Diagnostic? {
    guard strategy != .lightweight, plan.hops.contains(where: \.isInferred) else { return nil }
    return unreadableMapping?.asError(
      "a mapping model that may be the one for this cannot be read: ",
      fix: "repair it, or move it away from the model")
  }

  /// Why a version between two others cannot be read.
  private func gap(between source: NamedModel, and target: NamedModel) -> Diagnostic? {
    let ends = [source.versionName, target.versionName].sorted { $0.precedesByNumber($1) }
    return unreadableVersions.first {
      ends[0].precedesByNumber($0.name) && $0.name.precedesByNumber(ends[1])
    }?.reason.asError(
      "a version on the way cannot be read: ", fix: "fix it, or use --strategy default")
  }
}

extension Session {
  static let stagesExtension = ".stages"

  /// What finds the hops: the versions beside the target and those loaded, and the mapping models that are
  /// named, else all that are known.
  ///
  /// - Parameters:
  ///   - policies: Those that stages may name.
  ///   - needsVersions: Whether other strategies are asked too.
  func planner(
    by options: StrategyOptions, from source: NamedModel, to target: NamedModel,
    references: [String], policies: PolicyRegistry, needsVersions: Bool = false
  ) throws -> PlannerSetup {
    let asksOthers = needsVersions
    let needsVersions = needsVersions || options.chosen.goesByVersions
    let versions = needsVersions ? versions(beside: target, references: references) : []
    let unreadable =
      needsVersions ? unreadableVersions(beside: target, references: references) : []
    if let file = options.stages {
      let stages = try stages(of: file, among: versions + loadedModels(), policies)
      let known = asksOthers ? try knownMappings(for: references) : KnownMappings()
      return PlannerSetup(
        planner: MigrationPlanner(
          versions: versions, mappings: known.forChoice, areMappingsNamed: false, stages: stages),
        problems: known.problems, unreadableVersions: unreadable)
    }
    let known = try knownMappings(for: references, folder: options.mappingsFolder)
    guard options.mappings.isEmpty else {
      // By the name that `plan` shows, or by any other.
      let named = try options.mappings.map { name in
        try (known.mappings.first { $0.forChoice.name == name } ?? mapping(name))
          .forChoice(from: source, to: target)
      }
      return PlannerSetup(
        planner: MigrationPlanner(
          versions: versions, mappings: named, infers: !options.noInfer),
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
      let text = String(decoding: try FileBytes.read(path), as: UTF8.self)
      let stages = try StageScript(parsing: text).resolved(
        among: versions, policies: policies,
        folder: URL(fileURLWithPath: path).deletingLastPathComponent().path)
      for script in stages.flatMap({ $0.will.scripts + $0.did.scripts }) {
        try access.check(script)
        guard OpenedPath.absence(script) != nil else { continue }
        throw Diagnostic(
          id: "stages.missingScript", what: "there is no script \(shown(script))",
          fix: "its path begins at the folder of the stages file")
      }
      return stages
    } catch let error as any DiagnosticError {
      throw error.diagnostic.located(in: file)
    }
  }

  /// Why versions of the bundle that holds a model cannot be read.
  private func unreadableVersions(
    beside target: NamedModel, references: [String]
  ) -> [(name: String, reason: Diagnostic)] {
    guard let bundle = holder(of: target, references: references)?.bundle else { return [] }
    return zip(bundle.versions, readEach(of: bundle)).compactMap { version, result in
      if case .failure(let reason) = result { (version.name, reason) } else { nil }
    }
  }

  /// The versions of the bundle that holds a model; where none does, what is loaded.
  func versions(beside target: NamedModel, references: [String]) -> [NamedModel] {
    holder(of: target, references: references)?.versions ?? loadedModels()
  }

  /// The bundle that holds a model, with its versions that can be read: one that a reference names before one
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
