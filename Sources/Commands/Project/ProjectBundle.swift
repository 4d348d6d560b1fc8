internal import StrataBase
internal import StrataMapping
internal import StrataMigration
internal import StrataObjectModel
internal import StrataRendering

/// A bundle of a project: its versions, and how each is migrated to the current one.
struct ProjectBundle {
  struct Version {
    var name: String
    var hashes: [String: VersionHash]
    /// How it is migrated to the current version; `nil` if that is unknown.
    var path: Path?
  }

  struct Path {
    var text: String
    var reaches: Bool
    /// The inferred hop that is the only way: objects of a store can stop it.
    var onlyHop: MigrationPlan.Hop?
  }

  let name: String
  private let current: String?
  /// The names of all versions, in order.
  private let names: [String]
  private(set) var versions: [Version] = []
  private(set) var problems: [Diagnostic] = []
  private let models: [(name: String, model: MatchableModel)]
  private let named: [NamedModel]
  /// By stages file, the versions that its stages name, or its error.
  private(set) var stagedVersions: [String: String] = [:]
  private(set) var stageProblems: [String: Diagnostic] = [:]
  /// Whether a version could not be read.
  private(set) var isIncomplete = false

  init(
    _ bundle: ModelBundle, named name: String, mappings: [NamedMappingModel],
    stages files: [ProjectStages], _ policies: PolicyRegistry, in session: Session
  ) throws {
    (self.name, current, names) = (name, bundle.currentVersionName, bundle.versions.map(\.name))
    var named: [NamedModel] = []
    for (version, result) in zip(bundle.versions, session.readEach(of: bundle)) {
      try Interruption.check()
      switch result {
      case .success(let model): named.append(NamedModel(name: version.name, model: model))
      case .failure(let problem):
        problems.append(problem.asWarning)
        isIncomplete = true
      }
    }
    self.named = named
    models = try named.map { version in
      try Interruption.check()
      return (version.name, MatchableModel(version.model))
    }
    problems += bundle.warnings + session.versionInfoWarnings(of: bundle)
    let target = named.first { $0.name == bundle.currentVersionName }
    let planner = MigrationPlanner(versions: named, mappings: mappings, areMappingsNamed: false)
    let plain = MigrationPlanner(areMappingsNamed: false)
    var staged: [(file: String, planner: MigrationPlanner)] = []
    for file in files {
      do {
        let stages = try file.stages(among: named, policies)
        staged.append((file.name, MigrationPlanner(versions: named, stages: stages)))
        stagedVersions[file.name] = stages.flatMap(\.versionNames).reduce(into: []) { names, name in
          if names.last != name { names.append(name) }
        }.joined(separator: " -> ")
      } catch {
        stageProblems[file.name] = error
      }
    }
    let planners = staged
    versions = try zip(named, models).map { version, model in
      try Interruption.check()
      // Most versions have no mapping model: then only inference is tried.
      let begins = mappings.contains { $0.mapping.sourceFit(of: model.model).isPart }
      var found = target.map { Self.path(from: version, to: $0, begins ? planner : plain) }
      if !begins, found?.reaches == false {
        found = target.map { Self.path(from: version, to: $0, planner) }
      }
      if let target, version.name != target.name, let known = found {
        found = Self.adding(planners, to: known, from: version, to: target)
      }
      return Version(name: version.name, hashes: model.model.hashes, path: found)
    }
  }

  var items: [ProjectItem] {
    let text = "\(Phrase.count(names.count, "version")), current \(current ?? "unknown")"
    let read = Dictionary(first: versions.map { ($0.name, $0) })
    return [ProjectItem(kind: .bundle, name: name, serves: text, isFaulty: current == nil)]
      + names.map { name in
        guard let version = read[name] else {
          return ProjectItem(kind: .version, name: name, serves: "cannot be read", isFaulty: true)
        }
        return ProjectItem(
          kind: .version, name: name, serves: name == current ? "current" : "",
          path: name == current ? nil : version.path?.text, reaches: version.path?.reaches)
      }
  }

  /// The versions that may have written a store.
  var candidates: [WriterCandidate] {
    named.map {
      WriterCandidate(NamedModel(name: "\(name)/\($0.name)", model: $0.model), bundle: name)
    }
  }

  func version(ofHashes hashes: [String: VersionHash]) -> Version? {
    versions.first { $0.hashes == hashes }
  }

  // MARK: Paths

  /// How a version is migrated to the current one: with Core Data's default path, else with another strategy.
  private static func path(
    from version: NamedModel, to target: NamedModel, _ planner: MigrationPlanner
  ) -> Path {
    let failure: MigrationError
    do {
      let plan = try planner.plan(from: version, to: target)
      guard let hop = plan.hops.first else { return Path(text: "compatible", reaches: true) }
      guard hop.isInferred else {
        return Path(text: "mapping model \(hop.mappingName)", reaches: true)
      }
      let count = hop.warnings.count { $0.severity == .warning }
      let text = count == 0 ? "inferred" : "inferred, \(Phrase.count(count, "warning"))"
      // Mapping models that Core Data does not use alone may keep values that inference loses.
      if let other = try? planner.plan(from: version, to: target, by: .custom).hops.first {
        let parts = Phrase.list(other.parts.map(\.name))
        return Path(text: "\(text); --strategy custom: \(parts)", reaches: true)
      }
      guard !planner.passedOver(by: plan, among: planner.versions).isEmpty,
        let other = try? planner.plan(from: version, to: target, by: .hybrid),
        other.hops.contains(where: { !$0.isInferred })
      else {
        return Path(text: text, reaches: true, onlyHop: hop)
      }
      let hops = Phrase.count(other.hops.count, "hop")
      return Path(text: "\(text); --strategy hybrid: \(hops)", reaches: true)
    } catch {
      failure = error
    }
    var undefined: String?
    if case .undefinedChoice(_, _, let fitting, _) = failure {
      undefined = "undefined: \(Phrase.list(fitting)) all fit"
    }
    var problem: MigrationError?
    for strategy in [MigrationStrategy.custom, .hybrid, .progressive] {
      do {
        let plan = try planner.plan(from: version, to: target, by: strategy)
        let hops = plan.hops.map {
          "\($0.to.versionName) \($0.isInferred ? "inferred" : "by \($0.mappingName)")"
        }
        return Path(
          text: (undefined == nil ? "" : "undefined; ")
            + "--strategy \(strategy.rawValue): \(hops.joined(separator: ", "))", reaches: true)
      } catch {
        if !error.leavesNoPath { problem = problem ?? error }
      }
    }
    // Other errors do not mean that there is no path.
    if let problem { return Path(text: problem.diagnostic.what, reaches: false) }
    if let undefined { return Path(text: undefined, reaches: false) }
    guard case .notInferable(_, _, let obstacles) = failure, let obstacle = obstacles.first else {
      return Path(text: failure.diagnostic.what, reaches: false)
    }
    return Path(text: "no path: \(obstacle.location) \(obstacle.reason)", reaches: false)
  }

  /// The path, with the stages of a file if one has its own work.
  private static func adding(
    _ planners: [(file: String, planner: MigrationPlanner)],
    to known: Path, from version: NamedModel, to target: NamedModel
  ) -> Path {
    for (file, planner) in planners {
      guard
        let plan = try? planner.plan(from: version, to: target, by: .staged),
        plan.hops.contains(where: { $0.stage != nil })
      else { continue }
      let text = "--stages \(file): \(Phrase.count(plan.hops.count, "hop"))"
      return Path(text: known.reaches ? "\(known.text); \(text)" : text, reaches: true)
    }
    return known
  }

  // MARK: Mapping models

  /// The pairs of versions that a mapping model fits, with the source entities that it does not map.
  func hops(of mapping: NamedMappingModel) -> [(
    source: String, destination: String, unmapped: [String]
  )] {
    mapping.mapping.pairs(among: models.map(\.model)).map { pair in
      let (source, end) = (models[pair.source], models[pair.destination])
      let fit = mapping.mapping.fit(from: source.model, to: end.model)
      return (source.name, end.name, fit.unmappedSources)
    }
  }

  /// `Model1 -> Model2`; for a part, also the unmapped entities; `nil` without pairs.
  static func text(
    of hops: [(source: String, destination: String, unmapped: [String])]
  ) -> String? {
    guard let first = hops.first else { return nil }
    let whole = hops.filter(\.unmapped.isEmpty)
    guard whole.isEmpty else {
      let shown = whole.map { "\($0.source) -> \($0.destination)" }
      return Phrase.list(shown.uniqued)
    }
    return "\(first.source) -> \(first.destination), a part without \(Phrase.list(first.unmapped))"
  }

  /// The description of a mapping model that fits one model of a hop, and the other as it was before an edit.
  func stale(_ mapping: NamedMappingModel) -> String? {
    let ends = [mapping.source, mapping.destination].map { own in
      named.first { $0.name == own?.versionName }
    }
    if let source = ends[0], let destination = ends[1],
      let stale = StaleMapping(mapping, from: source, to: destination, among: models)
    {
      let edit = stale.edits.first ?? "\(Phrase.list(stale.entities)) edited"
      return
        "stale: \(source.name) -> \(destination.name), in \(stale.isSource ? source.name : destination.name) \(edit)"
    }
    let (first, second) = (
      models.first { mapping.mapping.sourceFit(of: $0.model).isPart },
      models.first { mapping.mapping.destinationFit(of: $0.model).isPart }
    )
    if let first { return "stale: begins at \(first.name), ends at no version here" }
    if let second { return "stale: ends at \(second.name), begins at no version here" }
    return nil
  }
}
