internal import StrataArchives
internal import StrataBase
internal import StrataMapping
internal import StrataObjectModel
internal import StrataRendering

/// A change that cannot be inferred, split into inferable steps: as text, as files and as Swift.
struct SplitView {
  /// The references as the user typed them, for the commands that follow.
  struct Typed {
    var source: String
    var destination: String
    var into: String?
    var stages: String?
    var name: String?
    /// The bundle that contains the destination, as typed on a command line.
    var bundle: String?
  }

  private let source: NamedModel
  /// The name of the source version.
  private let version: String
  private let destination: NamedModel
  private let chain: VersionChain
  private let typed: Typed
  private let known: [NamedModel]
  private let steps: SplitVersions

  /// - Parameters:
  ///     - version: The name of the source version, from which the names of the intermediate versions are derived.
  ///     - known: The versions of the bundle that the steps are written to, or that contains them.
  init(
    from source: NamedModel, to destination: NamedModel, at version: String, typed: Typed,
    among known: [NamedModel]
  ) throws {
    let (first, last) = (MatchableModel(source.model), MatchableModel(destination.model))
    guard let chain = VersionChain(from: first, to: last) else {
      let arguments = ["infer", typed.source, typed.destination].map(CommandLineLexer.quoted)
      throw Diagnostic(
        id: "mapping.notSplit",
        what:
          "the change from \(source.name) to \(destination.name) cannot be split into inferable steps",
        fix:
          "set the renaming identifiers first, or write a mapping model; `\(arguments.joined(separator: " "))` lists the obstacles"
      )
    }
    self.source = source
    self.version = version
    self.destination = destination
    self.chain = chain
    self.typed = typed
    self.known = known
    steps = SplitVersions(
      chain, between: version, and: typed.name ?? destination.versionName, among: known)
  }

  private var names: [String] { steps.names }

  func outcome(asSwift: Bool, force: Bool, in session: Session) throws -> Outcome {
    let origin = NamedModel(name: version, model: source.model)
    let code = StagedMigrationCode(chain, from: origin, names: names).text
    let stagesText = StagesText(chain, from: version, names: names).text
    var written: [StyledText] = []
    let stagesPath = try typed.stages.map { try session.newPath($0, as: .stages, force: force) }
    if let bundle = typed.into {
      written.append(try write(into: bundle, force: force, in: session))
    }
    if let stages = typed.stages, let stagesPath {
      try FolderUpdate.write(Array(stagesText.utf8), to: stagesPath)
      written.append("wrote " + StyledText(stages, .name))
    }
    let identifiers = chain.identifiers.isEmpty ? nil : JSONValue(chain.identifiers)
    let json = JSONValue.object(withoutNull: [
      "from": source.name,
      "steps": steps.versions.json {
        [
          "version": $0.name, "checksum": $0.step.model.versionHashes().versionChecksum,
          "copies": $0.step.copies.map(\.text),
        ]
      },
      "identifiers": identifiers,
      "notKept": chain.notKept.json { ["element": $0.element, "reason": $0.reason] },
      "stages": stagesText,
      "swift": code,
    ])
    if asSwift {
      var lines = code.split(separator: "\n", omittingEmptySubsequences: false).map {
        StyledText(String($0))
      }
      if lines.last?.isEmpty == true { lines.removeLast() }
      return Outcome(.stack([.lines(lines), .lines(written)]), json: json)
    }
    return Outcome(.stack(views + [.lines(written + next(in: session))]), json: json)
  }

  private var views: [View] {
    let warnings = InferenceReport(
      chain.warnings, from: source,
      to: NamedModel(name: names.last ?? "", model: destination.model),
      typed: (typed.source, typed.destination), isSplit: true
    )
    let identifiers = chain.identifiers.sorted { $0.key < $1.key }.map {
      StyledText("\($0.key) gets the renaming identifier ", .faint) + StyledText($0.value, .name)
    }
    let notKept = chain.notKept.map {
      StyledText("  not kept: ", .warning) + StyledText($0.text)
    }
    guard chain.steps.count > 1 else {
      return [
        .line(
          StyledText("inferable in one step", .good)
            + StyledText(": \(source.name) -> \(names.last ?? "")")), .lines(identifiers),
        .lines(notKept), warnings.view,
      ]
    }
    let models = [source.model] + chain.steps.map(\.model)
    let all = [source.name] + names
    var views: [View] = [
      .line(
        StyledText("\(chain.steps.count) steps", .good)
          + StyledText(
            ", each inferable from the previous one, from \(source.name) to \(destination.name)")
      )
    ]
    for (index, step) in chain.steps.enumerated() {
      views.append(
        .stack([
          .line(StyledText("\(all[index]) -> \(all[index + 1])", .heading)),
          models[index + 1].difference(from: models[index]).withoutEditorKeys.view,
          .lines(step.copies.map { StyledText("the app copies ", .faint) + StyledText($0.text) }),
        ]))
    }
    views.append(.lines(identifiers))
    let origin = NamedModel(name: version, model: source.model)
    let without = StagedMigrationCode.withoutStages(chain, from: origin, to: all[all.count - 1])
    views.append(
      .lines(
        (without.map { [StyledText("  warning: ", .warning) + StyledText($0)] } ?? []) + notKept))
    return views + [warnings.view]
  }

  // MARK: Next command

  /// The next command to type until a store is migrated in these steps; for one step, a rehearsal.
  private func next(in session: Session) -> [StyledText] {
    var command: [String]
    if chain.steps.count < 2 {
      let target = typed.into.map { "\(Self.bundle($0))/\(names.last ?? "")" } ?? typed.destination
      command = ["migrate", "<store>", "--to", target]
      command += (typed.stages.map { ["--stages", $0] } ?? []) + ["--dry-run"]
    } else if !steps.missing.isEmpty, typed.into == nil {
      command = [
        "infer", typed.source, typed.destination, "--split", "--into", typed.bundle ?? "<bundle>",
      ]
      command += ["--stages", typed.stages ?? stagesName]
      // The stages file exists already; the destination gets its renaming identifiers.
      if typed.stages != nil || steps.outdated != nil { command.append("--force") }
    } else if let stages = typed.stages {
      let bundle = typed.into ?? typed.bundle
      let target = bundle.map { "\(Self.bundle($0))/\(names.last ?? "")" } ?? typed.destination
      let hashes = source.model.versionHashes()
      let isKnown =
        typed.into == nil || session.loadedModels().contains { $0.name == source.name }
        || known.contains { $0.model.versionHashes() == hashes }
      let from = isKnown ? [] : ["--from", typed.source]
      command = ["migrate", "<store>"] + from + ["--to", target, "--stages", stages, "--dry-run"]
    } else {
      let bundle = typed.into ?? typed.bundle
      let target = bundle.map { "\(Self.bundle($0))/\(names.last ?? "")" } ?? typed.destination
      command = ["infer", typed.source, target, "--split", "--stages", stagesName]
    }
    let arguments = command.map { $0.hasPrefix("<") ? $0 : CommandLineLexer.quoted($0) }
    return [
      StyledText("next: ", .faint) + StyledText(command: arguments.joined(separator: " "), .name)
    ]
  }

  private var stagesName: String { "\(version)To\(names.last ?? "")\(Session.stagesExtension)" }

  private static func bundle(_ typed: String) -> String {
    typed.hasSuffix("/") ? String(typed.dropLast()) : typed
  }

  // MARK: Writing

  /// Writes the versions that the bundle does not have, and makes the last one its current version.
  private func write(into typed: String, force: Bool, in session: Session) throws -> StyledText {
    let end = BundleForm.source.bundleExtension
    let bundle = Self.bundle(typed)
    guard bundle.hasSuffix(end) else {
      throw Diagnostic(
        id: "command.usage", what: "\(typed) is not a bundle of versions",
        fix: "name an .xcdatamodeld, existing or new")
    }
    if let outdated = steps.outdated, !force { throw versionExists(outdated, bundle) }
    var writer = ModelFolderWriter()
    for version in steps.missing {
      let path = try session.newPath(
        "\(bundle)/\(version.name)\(BundleForm.source.versionExtension)", as: .model, force: force)
      var document = version.step.model.document
      if !version.step.copies.isEmpty || version.name != destination.versionName {
        document.versionIdentifiers = [version.name]
      }
      try writer.write(document, to: path)
    }
    let last = names.last ?? ""
    let current = try session.newPath(
      "\(bundle)/\(last)\(BundleForm.source.versionExtension)", as: .model, force: true)
    writer.setCurrentVersion(
      last,
      ofBundle: String(current.dropLast(last.count + BundleForm.source.versionExtension.count + 1)))
    try writer.commit()
    let new = steps.missing.map(\.name)
    return (new.isEmpty ? "nothing to write" : "wrote " + StyledText(Phrase.list(new), .name))
      + StyledText(" into \(bundle), whose current version is now \(last)")
  }

  /// The error that the bundle has the destination without the renaming identifiers that continue the copies.
  private func versionExists(_ name: String, _ bundle: String) -> Diagnostic {
    let line =
      ["infer", typed.source, typed.destination, "--split", "--into", bundle]
      + (typed.stages.map { ["--stages", $0] } ?? [])
    func command(_ more: [String]) -> String {
      "`\((line + more).map(CommandLineLexer.quoted).joined(separator: " "))`"
    }
    let other = steps.freeName(name, among: known)
    return Diagnostic(
      id: "mapping.versionExists",
      what:
        "\(bundle) has a version \(name) without the renaming identifiers that these steps need",
      fix:
        "\(command(["--force"])) adds them to \(name) without changing a hash; \(command(["--as", other])) writes another version"
    )
  }
}

extension VersionChain.Copy {
  /// `Topic.content (String) to tmpContent (Binary)`.
  fileprivate var text: String {
    switch kind {
    case .objects(let new): return "each \(entity) to a \(new)"
    case .values(let values):
      return
        "\(entity).\(values.attribute) (\(values.type.name)) to \(values.newName) (\(values.newType.name))"
    case .parts(let attribute, let parts):
      return "the parts of \(entity).\(attribute) to \(Phrase.list(parts))"
    case .linked(let link):
      let names = Phrase.list(link.attributes.map { "\(entity).\($0.old)" })
      let targets = Phrase.list(link.attributes.map(\.new))
      return
        "\(names) to \(targets) of \(link.isShared ? "one \(link.entity) for each value" : "a new \(link.entity)"), by \(link.relationship)"
    }
  }
}
