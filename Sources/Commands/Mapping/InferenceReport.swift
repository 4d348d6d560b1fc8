internal import StrataBase
internal import StrataMapping
internal import StrataMigration
internal import StrataObjectModel
internal import StrataRendering

/// What prevents inference between two models, or what an inferred mapping model loses, each with its fixes.
struct InferenceReport {
  /// With fixes and the commands that apply them.
  private(set) var findings: [Finding]
  /// Whether a fix needs a mapping model.
  private let wantsMapping: Bool
  private let source: String
  private let destination: String

  /// - Parameters:
  ///   - typed: How the user named the two models, for the commands that apply a fix; without it, the names
  ///     that lead to them.
  ///   - isSplit: Whether the answer is a split, which is no fix of itself.
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

  /// Of a hop, by inference or by mapping models, which no edit of a model mends.
  ///
  /// - Parameters:
  ///   - counted: What a store loses: it takes the place of what the models say.
  ///   - duplicates: What breaks uniqueness constraints in a store: in the place of what the models say.
  ///   - isIncluded: Which of its warnings.
  init(
    _ hop: MigrationPlan.Hop, counted: [CountedLoss]? = nil, duplicates: [Finding]? = nil,
    where isIncluded: (Finding) -> Bool = { _ in true }
  ) {
    let known = hop.warnings.filter(isIncluded)
    self.init(hop.isInferred ? known : [], from: hop.from, to: hop.to)
    if !hop.isInferred { findings = known }
    if let counted { replaceLosses(among: known, by: counted) }
    if let duplicates { replaceConstraints(by: duplicates) }
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

  private mutating func replaceConstraints(by duplicates: [Finding]) {
    findings.removeAll { finding in
      if case .newConstraint? = finding.rule as? InferenceRule { true } else { false }
    }
    findings =
      duplicates.map { duplicate in
        var duplicate = duplicate
        duplicate.fixes = [
          Fix("give these objects other values before the migration, or delete them")
        ]
        return duplicate
      } + findings
  }

  /// The findings; the mapping model to start from is the same for all, and told once by ``mappingHint``.
  var view: View {
    let hint = Self.writeCommand(from: source, to: destination)
    return findings.map { finding in
      var finding = finding
      for index in finding.fixes.indices { finding.fixes[index].commands.removeAll { $0 == hint } }
      return finding
    }.view
  }

  /// Writes a mapping model to start from: `infer Model1 Model2 --write Model1ToModel2.mapping`.
  fileprivate static func writeCommand(from source: String, to destination: String) -> String {
    let names = [source, destination].map { name in
      NamedModel.versionName(of: name).replacing(BundleForm.source.versionExtension, with: "")
    }
    let file = "\(names[0])To\(names[1])\(Session.mappingTextExtension)"
    let words = ["infer", source, destination, "--write", file].map(CommandLineLexer.quoted)
    return words.joined(separator: " ")
  }

  /// Where a fix needs a mapping model: how to get one to start from.
  var mappingHint: View {
    wantsMapping
      ? .line(
        "a mapping model to start from: "
          + StyledText(Self.writeCommand(from: source, to: destination), .name))
      : .nothing
  }

  var payload: [FindingPayload] {
    findings.map { FindingPayload($0, formerKeys: FormerObstacleKeys($0)) }
  }
}

/// The keys of an obstacle or a warning before there was one shape for all findings.
private struct FormerObstacleKeys: Encodable, Sendable {
  struct RemedyPayload: Encodable, Sendable {
    var what: String
    var verified: Bool
    var score: Double?
    var evidence: [String]?
    var commands: [String]
  }

  var code: Int
  var entity: String
  var property: String?
  var reason: String
  var remedies: [RemedyPayload]

  init(_ finding: Finding) {
    (code, entity, property) = (finding.code?.rawValue ?? 0, finding.entity, finding.property)
    reason = finding.reason
    remedies = finding.fixes.map {
      RemedyPayload(
        what: $0.text, verified: $0.proof == .verified, score: $0.score,
        evidence: $0.score == nil ? nil : $0.evidence, commands: $0.commands)
    }
  }
}

extension Remedy {
  /// The fix with the command lines that apply it.
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
      words, commands: commands, proof: proof, score: score?.value,
      evidence: score?.evidence ?? [])
  }
}

extension ModelEdit {
  /// The command that makes this edit on a copy of a model.
  func tryCommand(on model: String) -> String {
    let name =
      model.hasPrefix(Session.trialPrefix)
      ? String(model.dropFirst(Session.trialPrefix.count)) : model
    let words: [String] =
      switch self {
      case .set(let target, let key, let value): [name + target.suffix, key, value ?? "-"]
      case .add(let kind, let element, let target, let keys):
        [name + target.suffix, "add", kind.rawValue, element]
          + keys.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
      case .remove(let target): [name + target.suffix, "remove"]
      case .rename(let target, let new): [name + target.suffix, "rename", new]
      }
    return (["try"] + words.map(CommandLineLexer.quoted)).joined(separator: " ")
  }
}

extension ModelEdit.Target {
  /// What stands behind the model's name in a reference.
  fileprivate var suffix: String {
    switch self {
    case .model: ""
    case .entity(let entity): ".\(entity)"
    case .property(let property, let entity): ".\(entity).\(property)"
    }
  }
}
