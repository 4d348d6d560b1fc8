internal import StrataBase
internal import StrataMapping
internal import StrataMigration
internal import StrataObjectModel
internal import StrataRendering

/// A path with another strategy, or with mapping models elsewhere in the project.
struct OtherPath: Sendable {
  /// The options that select it: `--strategy hybrid`.
  var options: String
  /// The versions on the path, including the first and the last.
  var versions: [String]
  /// The mapping model from each version to the next.
  var mappings: [String]

  var json: JSONValue { ["options": options, "versions": versions, "mappings": mappings] }

  var row: [StyledText] {
    [
      StyledText("  \(options)", .name),
      StyledText(Phrase.count(mappings.count, "hop")),
      StyledText(steps, .faint),
    ]
  }

  /// `Model1 -> Model2 by Model1ToModel2 -> Model3 inferred`
  private var steps: String {
    versions[0]
      + zip(versions.dropFirst(), mappings).map { version, mapping in
        " -> \(version) \(mapping == "inferred" ? mapping : "by \(mapping)")"
      }.joined()
  }

  init(_ plan: MigrationPlan, options: String) {
    self.options = options
    versions = plan.hops.prefix(1).map(\.from.versionName) + plan.hops.map(\.to.versionName)
    mappings = plan.hops.map(\.mappingName)
  }
}

/// The other strategies, and the mapping models elsewhere in the project, that have a path from one model to another
/// for which the given strategy has none.
struct PathSearch {
  private(set) var paths: [OtherPath] = []
  /// The errors of the other strategies, except that they have no path.
  private(set) var problems: [Diagnostic] = []

  private static let strategies: [MigrationStrategy] = [
    .default, .lightweight, .custom, .hybrid, .progressive,
  ]

  init(
    from source: NamedModel, to target: NamedModel, besides options: StrategyOptions,
    _ references: [String], in session: Session
  ) throws {
    let versions = session.versions(beside: target, references: references)
    let known = try session.knownMappings(for: references, folder: options.mappingsFolder)
    let folder = options.mappingsFolder.map { " --mappings \(CommandLineLexer.quoted($0))" } ?? ""
    let beside = MigrationPlanner(
      versions: versions, mappings: known.forChoice, areMappingsNamed: false)
    for strategy in Self.strategies where strategy != options.chosen || options.noInfer {
      let command =
        strategy == options.chosen ? "without --no-infer" : "--strategy \(strategy.rawValue)"
      try search(beside, from: source, to: target, by: strategy, command + folder)
    }
    guard paths.isEmpty else { return }
    for (otherFolder, files) in session.projectMappings(for: references) {
      let elsewhere = session.read(files)
      let wider = MigrationPlanner(
        versions: versions, mappings: known.forChoice + elsewhere.forChoice,
        areMappingsNamed: false)
      let option = "--mappings \(CommandLineLexer.quoted(otherFolder))"
      for strategy in Self.strategies where strategy != .lightweight {
        let command = strategy == .default ? "" : "--strategy \(strategy.rawValue) "
        try search(wider, from: source, to: target, by: strategy, command + option)
      }
    }
  }

  private mutating func search(
    _ planner: MigrationPlanner, from source: NamedModel, to target: NamedModel,
    by strategy: MigrationStrategy, _ options: String
  ) throws {
    do {
      let plan = try planner.plan(from: source, to: target, by: strategy)
      let path = OtherPath(plan, options: options)
      // One command for each path is enough.
      guard !paths.contains(where: { $0.versions == path.versions && $0.mappings == path.mappings })
      else { return }
      paths.append(path)
    } catch {
      guard !error.leavesNoPath, !error.isOfVersions else { return }
      problems.append(error.diagnostic.asWarning)
    }
  }
}

extension MigrationError {
  /// Whether a strategy that migrates from version to version does not know the models.
  fileprivate var isOfVersions: Bool {
    if case .unknownVersion = self { true } else { false }
  }
}
