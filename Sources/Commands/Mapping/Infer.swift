internal import ArgumentParser
internal import StrataBase
internal import StrataMapping
internal import StrataObjectModel
internal import StrataRendering

/// `infer MODEL MODEL`, `infer BUNDLE`
struct Infer: FindingsCommand {
  static let configuration = CommandConfiguration.command(
    "infer",
    abstract: "Infers a mapping model, or lists every reason why none can be inferred.",
    discussion: """
      Every obstacle is listed with its fixes, the best first. A fix marked verified was tried on a copy of \
      the model, and inference succeeded. For a bundle alone, each version is inferred from the previous \
      one; with --all every version from every other, with --to-current the current version from every \
      other.

      --split splits a change that cannot be inferred, or that would lose values, into steps: intermediate \
      versions that contain both the old and the new properties, so that the app can copy the values. --into \
      writes these versions into a bundle, --stages writes a stages file for `migrate --stages`, --swift \
      prints the staged migration for an app. --write writes the mapping model; where something cannot be \
      inferred, complete it with value expressions and policies.

      Exit status 1 means that something cannot be inferred.
      """)
  static let changesFiles = true
  static let examples = [
    CommandExample(
      "a rename, found by its identifier", "infer sample:Topics/Model2 sample:Topics/Model3"),
    CommandExample("every version from the one before", "infer sample:Topics"),
    CommandExample(
      "the current version from every other", "infer sample:Topics --to-current"),
    CommandExample(
      "an obstacle and its fix", "load sample:Topics",
      "try Model1.Topic.content attributeType Binary", "infer Model1 try:Model1",
      "infer Model1 try:Model1 --split"),
  ]

  @Argument(.model, "The source model, or a bundle.") var source: String
  @Argument(.model, "The destination model.") var destination: String?
  @Flag(help: "Of a bundle: every version from every other.") var all = false
  @Flag(help: "Of a bundle: the current version from every other.") var toCurrent = false
  @Flag(help: "Split the change into steps that can be inferred.") var split = false
  @Flag(help: "Print the staged migration through the steps as Swift.") var swift = false
  @Option(.bundle, "Write the versions of the steps into this bundle.") var into: String?
  @Option(.file, "With --split: write the stages file.") var stages: String?
  @Option(
    name: .customLong("as"),
    help: ArgumentHelp("With --split: the name of the last version.", valueName: "name"))
  var name: String?
  @Option(.file, "Write the mapping model as an .xcmappingmodel, or as text: .mapping.")
  var write: String?
  @OptionGroup var reports: FindingReportOptions
  @OptionGroup var output: OutputOptions

  mutating func validate() throws {
    if all, destination != nil {
      throw ValidationError("--all requires a bundle and no second model")
    }
    if toCurrent, destination != nil || all {
      throw ValidationError("--to-current requires a bundle, no second model and no --all")
    }
    if write != nil, isSplit {
      throw ValidationError("--write writes a mapping model, --split creates versions: choose one")
    }
    if name != nil, !isSplit {
      throw ValidationError("--as requires --split, --swift, --into or --stages")
    }
    if reports.isUsed, all || isSplit || write != nil {
      throw ValidationError(
        "--junit and --annotate report findings; --all, --split, --swift, --into, --stages and --write have none"
      )
    }
    if destination == nil, isSplit || write != nil {
      throw ValidationError("name two models")
    }
  }

  private var isSplit: Bool { split || swift || into != nil || stages != nil }

  mutating func run(in session: Session) throws -> Outcome {
    guard let destination else {
      let answer = try BundleInference(of: source, in: session).outcome(
        of: all ? .all : toCurrent ? .toCurrent : .neighbors, in: session)
      return try reports.reporting(answer.checked, answer.outcome, in: session)
    }
    let (first, second) = (try session.model(source), try session.model(destination))
    if isSplit {
      let known = try knownVersions(in: session)
      return try SplitView(
        from: first, to: second, at: versionName(of: first, to: second, in: session),
        typed: SplitView.Typed(
          source: source, destination: destination, into: into, stages: stages, name: name,
          bundle: known.bundle),
        among: known.versions
      )
      .outcome(asSwift: swift, force: reports.force, in: session)
    }
    if let write {
      return try MappingWriter(startingFrom: first, to: second, references: (source, destination))
        .write(to: write, force: reports.force, in: session)
    }
    let inference = Inference(from: first.model, to: second.model)
    let typed = (source: source, destination: destination)
    let obstacles = InferenceReport(inference.obstacles, from: first, to: second, typed: typed)
    let warnings = InferenceReport(inference.warnings, from: first, to: second, typed: typed)
    var outcome = try reports.reporting(
      obstacles.findings + warnings.findings, of: destination,
      outcome(of: inference, obstacles, warnings, from: first, to: second), in: session)
    outcome.warnings += second.schemaFault.map { [$0.asWarning] } ?? []
    outcome.warnings += try session.passedOver(
      from: first, to: second, references: [source, destination])
    return outcome
  }

  /// The versions of the bundle that `--split` writes to; without `--into`, of the bundle that contains the
  /// destination.
  private func knownVersions(
    in session: Session
  ) throws -> (bundle: String?, versions: [NamedModel]) {
    let bundle: ModelBundle?
    if let into {
      bundle = session.isThere(into) ? try? session.wholeBundle(into) : nil
    } else {
      bundle = destination.flatMap { typed in
        // A version in a bundle that is not loaded is known by its path.
        let named = BundleForm.parts(ofPath: typed).flatMap { try? session.bundle($0.bundle) }
        return named ?? (try? session.bundle(typed))
      }
    }
    guard let bundle else { return (nil, []) }
    session.readAll(bundle.versions)
    let versions = bundle.versions.compactMap { version in
      (try? session.model(of: version)).map { NamedModel(name: version.name, model: $0) }
    }
    // A version cannot be written into a compiled bundle.
    let folder = bundle.folder.map(session.shown)
    return (folder?.hasSuffix(BundleForm.source.bundleExtension) == true ? folder : nil, versions)
  }

  /// The version name of the source; for a store, the version that wrote it, if known.
  private func versionName(
    of first: NamedModel, to second: NamedModel, in session: Session
  ) throws -> String {
    guard case .store(_, let path) = try session.resolve(source) else { return first.versionName }
    let found = try session.modelOf(
      session.open(path), path: path, candidates: session.siblings(of: destination ?? ""))
    return found.isCached ? second.versionName : found.model?.versionName ?? second.versionName
  }

  private func outcome(
    of inference: Inference, _ obstacles: InferenceReport, _ warnings: InferenceReport,
    from first: NamedModel, to second: NamedModel
  ) -> Outcome {
    let json = inference.json(obstacles, warnings)
    guard first.model.versionHashes() != second.model.versionHashes() else {
      return Outcome(
        .stack([
          .line(
            StyledText("compatible", .good)
              + StyledText(": a store of \(first.name) opens with \(second.name) unchanged")),
          warnings.view,
        ]), json: json)
    }
    guard let mapping = inference.mapping else {
      let count = inference.obstacles.count
      return Outcome(
        .stack([
          .line(
            inference.shownVerdict
              + StyledText(
                ": \(Phrase.count(count, "error")) from \(first.name) to \(second.name)"
              )),
          obstacles.view, warnings.view,
          obstacles.findings.isEmpty ? warnings.mappingHint : obstacles.mappingHint,
        ]), json: json, status: .no)
    }
    let names = Phrase.count(mapping.entityMappings.count, "entity mapping")
    return Outcome(
      .stack(
        [
          .line(inference.shownVerdict),
          .line(StyledText("\(names) from \(first.name) to \(second.name)")),
        ]
          + mapping.entityMappings.map { $0.view(in: second.model) }
          + [warnings.view, warnings.mappingHint]), json: json)
  }
}
