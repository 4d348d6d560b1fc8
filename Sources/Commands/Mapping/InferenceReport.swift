internal import StrataBase
internal import StrataMapping
internal import StrataMigration
internal import StrataObjectModel
internal import StrataRendering

/// The obstacles to inference between two models, or the losses of an inferred mapping model, with their fixes.
struct InferenceReport {
  /// The findings with fixes and the commands that apply them.
  private(set) var findings: [Finding]
  /// Whether a fix needs a mapping model.
  private let wantsMapping: Bool
  private let source: String
  private let destination: String

  /// - Parameters:
  ///     - typed: The two models as the user typed them, for the commands that apply a fix; by default their
  ///         reference names.
  ///     - isSplit: Whether the result is a split, so that `infer --split` is not offered as a fix.
  init(
    _ findings: [Finding], from source: NamedModel, to destination: NamedModel,
    typed: (source: String, destination: String)? = nil, isSplit: Bool = false
  ) {
    let (from, to) = (
      typed?.source ?? source.typableName, typed?.destination ?? destination.typableName
    )
    (self.source, self.destination) = (from, to)
    guard !findings.isEmpty else {
      (self.findings, wantsMapping) = ([], false)
      return
    }
    var finder = RemedyFinder(
      from: MatchableModel(source.model), to: MatchableModel(destination.model))
    var wantsMapping = false
    self.findings = findings.map { finding in
      let remedies = finder.remedies(for: finding).filter { !isSplit || $0.means != .split }
      wantsMapping = wantsMapping || remedies.contains { $0.means == .mappingModel }
      var finding = finding
      finding.fixes = remedies.map { $0.fix(from: from, to: to) }
      return finding
    }
    self.wantsMapping = wantsMapping
  }

  /// The findings of a hop, inferred or with mapping models; fixes that edit a model are omitted.
  ///
  /// - Parameters:
  ///     - counted: The losses counted in a store, which replace those found in the models.
  ///     - obstacles: What stops the migration of a store: violations of uniqueness constraints and missing values, which
  ///         replace those found in the models.
  ///     - isIncluded: Selects the warnings to include.
  init(
    _ hop: MigrationPlan.Hop, counted: [CountedLoss]? = nil, obstacles: [Finding]? = nil,
    where isIncluded: (Finding) -> Bool = { _ in true }
  ) {
    let known = hop.warnings.filter(isIncluded)
    self.init(hop.isInferred ? known : [], from: hop.from, to: hop.to)
    if !hop.isInferred { findings = known }
    if let counted { replaceLosses(among: known, by: counted) }
    if let obstacles { replaceObstacles(by: obstacles) }
  }

  private mutating func replaceLosses(among known: [Finding], by counted: [CountedLoss]) {
    findings = zip(known, findings).flatMap { known, explained -> [Finding] in
      guard known.lossRule != nil else { return [explained] }
      return counted.filter { $0.loss.finding == known }.map {
        var finding = $0.finding
        finding.fixes = explained.fixes
        return finding
      }
    }
  }

  private mutating func replaceObstacles(by obstacles: [Finding]) {
    let counted = obstacles.map { obstacle in
      var obstacle = obstacle
      let known = findings.first { $0.location == obstacle.location && $0.id == obstacle.id }
      if obstacle.fixes.isEmpty { obstacle.fixes = known?.fixes ?? [] }
      return obstacle
    }
    findings.removeAll { finding in
      (finding.rule as? InferenceRule)?.isNewConstraint == true
        || counted.contains { $0.location == finding.location && $0.id == finding.id }
    }
    findings = counted + findings
  }

  /// The findings; the advice to start from a mapping model is common to all, see ``mappingHint``.
  var view: View {
    let hint = Self.writeCommand(from: source, to: destination)
    return findings.map { finding in
      var finding = finding
      for index in finding.fixes.indices { finding.fixes[index].commands.removeAll { $0 == hint } }
      return finding
    }.view
  }

  /// The command that writes a mapping model to start from: `infer Model1 Model2 --write Model1ToModel2.mapping`.
  static func writeCommand(from source: String, to destination: String) -> String {
    let file = mappingName(from: source, to: destination) + Session.mappingTextExtension
    return CommandLineLexer.line(of: ["infer", source, destination, "--write", file])
  }

  /// The command that makes of the written text a mapping model, which Xcode and Core Data find:
  /// `mapping write Model1ToModel2.mapping Model1ToModel2.xcmappingmodel`.
  static func compileCommand(from source: String, to destination: String) -> String {
    let name = mappingName(from: source, to: destination)
    return CommandLineLexer.line(of: [
      "mapping", "write", name + Session.mappingTextExtension, "\(name).xcmappingmodel",
    ])
  }

  private static func mappingName(from source: String, to destination: String) -> String {
    let names = [source, destination].map { name in
      let name = NamedModel.versionName(of: name)
      return BundleForm.endings.first(where: name.hasSuffix).map { String(name.dropLast($0.count)) }
        ?? name
    }
    // The edited copy of a version has the name of the version.
    let copy = names[0] == names[1] ? "Copy" : ""
    return CommandLineLexer.argument(forFile: "\(names[0])To\(names[1])\(copy)")
  }

  /// The command that writes a mapping model, if a fix needs one.
  var mappingHint: View {
    wantsMapping
      ? .line(
        "a mapping model to start from: "
          + StyledText(command: Self.writeCommand(from: source, to: destination), .name))
      : .nothing
  }

  var json: [JSONValue] {
    findings.map { $0.json(formerKeys: $0.formerObstacleKeys) }
  }
}

extension Finding {
  /// The former JSON keys of an obstacle or a warning, from before all findings had one shape.
  fileprivate var formerObstacleKeys: JSONValue.Members {
    [
      "code": code?.rawValue ?? 0, "entity": entity, "property": property, "reason": reason,
      "remedies": fixes.json {
        .object(withoutNull: [
          "what": $0.text, "verified": $0.isVerified, "score": $0.score,
          "evidence": $0.score == nil ? nil : $0.evidence, "commands": $0.commands,
        ])
      },
    ]
  }
}

extension Remedy {
  /// The payload of a fix, with the commands that apply it.
  fileprivate func fix(from source: String, to destination: String) -> Fix {
    let commands: [String] =
      switch means {
      case .edits(let edits): edits.map { $0.tryCommand(on: destination) }
      case .split:
        ["infer \(CommandLineLexer.quoted(source)) \(CommandLineLexer.quoted(destination)) --split"]
      case .mappingModel: [InferenceReport.writeCommand(from: source, to: destination)]
      case .advice: []
      }
    return Fix(
      text, commands: commands, proof: proof, score: score?.value,
      evidence: score?.evidence ?? [])
  }
}

extension ModelEdit {
  /// The command that makes this edit on a copy of a model.
  func tryCommand(on model: String) -> String {
    let name =
      model.hasPrefix(Session.trialPrefix)
      ? String(model.dropFirst(Session.trialPrefix.count)) : model
    let arguments: [String] =
      switch self {
      case .set(let target, let key, let value): [name + target.suffix, key, value ?? "-"]
      case .add(let kind, let element, let target, let keys):
        [name + target.suffix, "add", kind.rawValue, element]
          + keys.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
      case .remove(let target): [name + target.suffix, "remove"]
      case .rename(let target, let new): [name + target.suffix, "rename", new]
      }
    return (["try"] + arguments.map(CommandLineLexer.quoted)).joined(separator: " ")
  }
}

extension ModelEdit.Target {
  /// The part of a reference after the name of the model.
  fileprivate var suffix: String {
    switch self {
    case .model: ""
    case .entity(let entity): ".\(entity)"
    case .property(let property, let entity): ".\(entity).\(property)"
    }
  }
}

extension InferenceRule {
  fileprivate var isNewConstraint: Bool { if case .newConstraint = self { true } else { false } }
}
