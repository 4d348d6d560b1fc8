internal import StrataArchives
internal import StrataDiagnostics
internal import StrataMapping
internal import StrataObjectModel
internal import StrataRendering
internal import StrataValues

/// A change that cannot be inferred, in steps that can: shown, written, and as Swift.
struct SplitView {
  private let source: NamedModel
  /// The version that it is.
  private let version: String
  private let destination: NamedModel
  private let chain: VersionChain
  /// The names of the versions, one for each step.
  private let names: [String]
  /// Whether the last version is no longer called as the model was.
  private let hasNewName: Bool

  /// - Parameters:
  ///   - version: The version that the source is: the versions on the way are named after it.
  ///   - name: What the last version is to be called, instead of its own name.
  ///   - taken: The names of versions that are there.
  init(
    from source: NamedModel, to destination: NamedModel, at version: String,
    lastName name: String?,
    besides taken: [String] = []
  ) throws {
    let (first, last) = (MatchableModel(source.model), MatchableModel(destination.model))
    guard let chain = VersionChain(from: first, to: last) else {
      throw Diagnostic(
        id: "mapping.notSplit",
        what:
          "no steps are known between which \(source.name) could become \(destination.name)",
        mend:
          "settle renaming identifiers first, or write a mapping model; `infer` of the two shows what stands in the way"
      )
    }
    self.source = source
    self.version = version
    self.destination = destination
    self.chain = chain
    names = Self.names(
      of: chain.steps.count, between: version,
      and: name ?? destination.versionName, besides: Set(taken))
    hasNewName = name != nil || names.last != destination.versionName
  }

  /// `Model1a`, `Model2`; an edited copy takes the next letter. None is the name of a version that is there.
  private static func names(
    of count: Int, between old: String, and new: String, besides taken: Set<String>
  ) -> [String] {
    var taken = taken.union([old])
    let ends = "abcdefghijklmnopqrstuvwxyz".map(String.init) + (2...1000).map { "a\($0)" }
    var names: [String] = []
    for place in 0..<count {
      let isLast = place == count - 1
      if !isLast { taken.insert(new) }
      let name =
        isLast && new != old
        ? new : ends.lazy.map { old + $0 }.first { !taken.contains($0) } ?? old
      taken.insert(name)
      names.append(name)
    }
    return names
  }

  func outcome(
    asSwift: Bool, into bundle: String?, stages: String?, force: Bool, in session: Session
  ) throws -> Outcome {
    let origin = NamedModel(name: version, model: source.model)
    let code = StagedMigrationCode(chain, from: origin, names: names).text
    let stagesText = StagesText(chain, from: version, names: names).text
    var written: [StyledText] = []
    let stagesPath = try stages.map { try session.newPath($0, force: force) }
    if let bundle { written.append(try write(into: bundle, force: force, in: session)) }
    if let stages, let stagesPath {
      var update = FolderUpdate()
      update.write(Array(stagesText.utf8), to: stagesPath)
      try update.commit()
      written.append("wrote " + StyledText(stages, .name))
    }
    let payload = SplitPayload(
      from: source.name,
      steps: zip(names, chain.steps).map { name, step in
        SplitPayload.Step(
          version: name, checksum: step.model.versionHashes().versionChecksum,
          copies: step.copies.map { $0.words })
      }, identifiers: chain.identifiers.isEmpty ? nil : chain.identifiers, stages: stagesText,
      swift: code)
    if asSwift {
      var lines = code.split(separator: "\n", omittingEmptySubsequences: false).map {
        StyledText(String($0))
      }
      if lines.last?.isEmpty == true { lines.removeLast() }
      return Outcome(
        .stack([.lines(lines), .lines(written)]), payload: payload)
    }
    return Outcome(.stack(views + [.lines(written)]), payload: payload)
  }

  private var views: [View] {
    let warnings = InferenceReport(
      chain.warnings, from: source, to: NamedModel(name: names.last ?? "", model: destination.model)
    )
    let identifiers = chain.identifiers.sorted { $0.key < $1.key }.map {
      StyledText("\($0.key) gets the renaming identifier ", .faint) + StyledText($0.value, .name)
    }
    guard chain.steps.count > 1 else {
      return [
        .line(
          StyledText("inferable in one step", .good)
            + StyledText(": \(source.name) -> \(names.last ?? "")")), .lines(identifiers),
        warnings.view,
      ]
    }
    let models = [source.model] + chain.steps.map(\.model)
    let all = [source.name] + names
    var views: [View] = [
      .line(
        StyledText("\(chain.steps.count) steps", .good)
          + StyledText(", each inferable from the last, from \(source.name) to \(destination.name)")
      )
    ]
    for (place, step) in chain.steps.enumerated() {
      views.append(
        .stack([
          .line(StyledText("\(all[place]) -> \(all[place + 1])", .heading)),
          models[place + 1].difference(from: models[place]).withoutEditorKeys.view,
          .lines(step.copies.map { StyledText("the app copies ", .faint) + StyledText($0.words) }),
        ]))
    }
    views.append(.lines(identifiers))
    views.append(
      .line(
        StyledText("  warning: ", .warning)
          + StyledText(
            "only as a staged migration: otherwise Core Data migrates to \(all[all.count - 1]) in one step, and the values to be copied are lost"
          )))
    return views + [warnings.view]
  }

  /// Writes the versions of the steps; the bundle's current version is the last.
  private func write(into typed: String, force: Bool, in session: Session) throws -> StyledText {
    let end = BundleForm.source.bundleExtension
    let bundle = typed.hasSuffix("/") ? String(typed.dropLast()) : typed
    guard bundle.hasSuffix(end) else {
      throw Diagnostic(
        id: "command.usage", what: "\(typed) is no bundle of versions",
        mend: "name an .xcdatamodeld, which may be there already or not")
    }
    var writer = ModelFolderWriter()
    var bundlePath = ""
    for (name, step) in zip(names, chain.steps) {
      let path = try session.newPath(
        "\(bundle)/\(name)\(BundleForm.source.versionExtension)", force: force)
      bundlePath = String(path.dropLast(name.count + BundleForm.source.versionExtension.count + 1))
      var document = step.model.document
      if !step.copies.isEmpty || hasNewName { document.versionIdentifiers = [name] }
      try writer.write(document, to: path)
    }
    if let last = names.last { writer.setCurrentVersion(last, ofBundle: bundlePath) }
    try writer.commit()
    return "wrote " + StyledText(Words.list(names), .name)
      + StyledText(" into \(bundle), whose current version is now \(names.last ?? "")")
  }
}

extension VersionChain.Copy {
  /// `Topic.content (String) to tmpContent (Binary)`.
  fileprivate var words: String {
    switch kind {
    case .objects(let new): return "each \(entity) to a \(new)"
    case .values(let values):
      return
        "\(entity).\(values.attribute) (\(values.type.name)) to \(values.newName) (\(values.newType.name))"
    case .parts(let attribute, let parts):
      return "the parts of \(entity).\(attribute) to \(Words.list(parts))"
    case .linked(let link):
      let names = Words.list(link.attributes.map { "\(entity).\($0.old)" })
      let targets = Words.list(link.attributes.map(\.new))
      return
        "\(names) to \(targets) of \(link.isShared ? "one \(link.entity) for each value" : "a new \(link.entity)"), by \(link.relationship)"
    }
  }
}

/// The JSON shape of `infer --split`.
struct SplitPayload: Encodable, Sendable {
  struct Step: Encodable, Sendable {
    var version: String
    var checksum: String
    var copies: [String]
  }

  var from: String
  var steps: [Step]
  /// The renaming identifiers that elements of the last version get.
  var identifiers: [String: String]?
  /// The stages file.
  var stages: String
  var swift: String
}
