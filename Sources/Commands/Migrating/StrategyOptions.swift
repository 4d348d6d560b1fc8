internal import ArgumentParser
internal import Foundation
internal import StrataArchives
internal import StrataDiagnostics
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
  @Option(
    help: ArgumentHelp(
      "The file with the stages of a staged migration, or a sample.", valueName: "file"),
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
    guard strategy != .custom || !mappings.isEmpty else {
      throw ValidationError(
        "custom takes the mapping models that --mapping names, and there is none")
    }
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

extension Session {
  static let stagesExtension = ".stages"

  /// What finds the hops: the versions beside the target and those loaded, and the mapping models that are
  /// named, else all that are known.
  ///
  /// - Parameters:
  ///   - policies: Those that stages may name.
  ///   - needsVersions: Whether other strategies are asked too.
  /// - Returns: Also what is wrong with mapping models that were left out.
  func planner(
    by options: StrategyOptions, target: NamedModel, references: [String],
    policies: PolicyRegistry, needsVersions: Bool = false
  ) throws -> (planner: MigrationPlanner, problems: [Diagnostic]) {
    let versions =
      options.chosen.goesByVersions || needsVersions
      ? versions(beside: target, references: references) : []
    let infers = !options.noInfer
    if let file = options.stages {
      let stages = try stages(of: file, among: versions + loadedModels(), policies)
      let (known, problems) = needsVersions ? try knownMappings(for: references) : ([], [])
      return (
        MigrationPlanner(versions: versions, mappings: known.map(\.forChoice), stages: stages),
        problems
      )
    }
    let known = try knownMappings(for: references, folder: options.mappingsFolder)
    guard options.mappings.isEmpty else {
      // By the name that `plan` shows, or by any other.
      let named = try options.mappings.map { name in
        try (known.mappings.first { $0.forChoice.name == name } ?? mapping(name)).forChoice
      }
      return (MigrationPlanner(versions: versions, mappings: named, infers: infers), [])
    }
    return (
      MigrationPlanner(
        versions: versions, mappings: known.mappings.map(\.forChoice), infers: infers),
      known.problems
    )
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
      for script in stages.flatMap({ $0.will.scripts + $0.did.scripts })
      where !FileManager.default.fileExists(atPath: script) {
        throw Diagnostic(
          id: "stages.missingScript", what: "there is no script \(shown(script))",
          mend: "its path begins at the folder of the stages file")
      }
      return stages
    } catch let error as any DiagnosticError {
      throw error.diagnostic.located(in: file)
    }
  }

  /// Why versions of the bundle that holds a model cannot be read.
  func unreadableVersions(beside target: NamedModel, references: [String]) -> [Diagnostic] {
    guard let bundle = holder(of: target, references: references)?.bundle else { return [] }
    return readEach(of: bundle).compactMap { result in
      if case .failure(let reason) = result { reason } else { nil }
    }
  }

  /// The versions of the bundle that holds a model; where none does, what is loaded.
  private func versions(beside target: NamedModel, references: [String]) -> [NamedModel] {
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
