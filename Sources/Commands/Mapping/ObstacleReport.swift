internal import StrataMapping
internal import StrataObjectModel
internal import StrataRendering

/// Obstacles or warnings between two models, each with the ways out of it.
struct ObstacleReport {
  /// One obstacle and what can be done about it.
  struct Entry {
    var obstacle: Obstacle
    var remedies: [Remedy]
  }

  let entries: [Entry]
  private let source: String
  private let destination: String

  /// - Parameter typed: How the user named the two models, for the commands that take a way out; without
  ///   it, the names that answers give them.
  init(
    _ obstacles: [Obstacle], from source: NamedModel, to destination: NamedModel,
    typed: (source: String, destination: String)? = nil
  ) {
    self.source = typed?.source ?? source.name
    self.destination = typed?.destination ?? destination.name
    guard !obstacles.isEmpty else {
      entries = []
      return
    }
    var finder = RemedyFinder(
      from: MatchableModel(source.model), to: MatchableModel(destination.model))
    entries = obstacles.map { Entry(obstacle: $0, remedies: finder.remedies(for: $0)) }
  }

  /// Place and reason, then the ways out, with the commands that take them.
  var view: View {
    .stack(
      entries.map { entry in
        let code = entry.obstacle.code
        let heading =
          StyledText("  \(entry.obstacle.place)", .name)
          + StyledText("  \(entry.obstacle.words)\(code == 0 ? "" : " (\(code))")")
        return .lines([heading] + entry.remedies.flatMap(lines))
      })
  }

  /// The view under its heading; nothing where there is none.
  var beware: View {
    entries.isEmpty ? .nothing : .stack([.line(StyledText("beware", .warning)), view])
  }

  private func lines(of remedy: Remedy) -> [StyledText] {
    let proof: StyledText =
      switch remedy.proof {
      case .verified: StyledText(" (verified)", .good)
      case .partly: StyledText(" (verified: this one goes, others stay)", .faint)
      case .untried: ""
      }
    let evidence =
      remedy.score.map { " (\($0.value): \($0.evidence.joined(separator: ", ")))" } ?? ""
    // The mapping model to start from is the same for all, and told once.
    let commands = remedy.means == .mappingModel ? [] : commands(of: remedy)
    return [StyledText("    way out: \(remedy.words)\(evidence)", .faint) + proof]
      + commands.map { StyledText("      \($0)", .name) }
  }

  /// The command lines that take a way out.
  private func commands(of remedy: Remedy) -> [String] {
    switch remedy.means {
    case .edits(let edits): edits.map { $0.tryCommand(on: destination) }
    case .split:
      ["infer \(CommandLineLexer.quoted(source)) \(CommandLineLexer.quoted(destination)) --split"]
    case .mappingModel: [writeCommand]
    case .advice: []
    }
  }

  /// Writes a mapping model to start from: `infer Model1 Model2 --write Model1ToModel2.mapping`.
  private var writeCommand: String {
    let names = [source, destination].map { name in
      NamedModel.versionName(of: name).replacing(BundleForm.source.versionExtension, with: "")
    }
    let file = "\(names[0])To\(names[1])\(Session.mappingTextExtension)"
    let words = ["infer", source, destination, "--write", file].map(CommandLineLexer.quoted)
    return words.joined(separator: " ")
  }

  /// Where something wants a mapping model: how to get one to start from.
  var mappingHint: View {
    let isWanted = entries.contains { $0.remedies.contains { $0.means == .mappingModel } }
    return isWanted
      ? .line("a mapping model to start from: " + StyledText(writeCommand, .name)) : .nothing
  }

  var payload: [ObstaclePayload] {
    entries.map { entry in
      ObstaclePayload(
        code: entry.obstacle.code, entity: entry.obstacle.entity,
        property: entry.obstacle.property, reason: entry.obstacle.words,
        remedies: entry.remedies.map { remedy in
          ObstaclePayload.RemedyPayload(
            what: remedy.words, verified: remedy.proof == .verified, score: remedy.score?.value,
            evidence: remedy.score?.evidence,
            commands: commands(of: remedy))
        })
    }
  }
}

/// The JSON shape of an obstacle or a warning.
struct ObstaclePayload: Encodable, Sendable {
  struct RemedyPayload: Encodable, Sendable {
    var what: String
    var verified: Bool
    /// Of a guess: 0 to 1, and what speaks for it.
    var score: Double?
    var evidence: [String]?
    var commands: [String]
  }

  var code: Int
  var entity: String
  var property: String?
  var reason: String
  var remedies: [RemedyPayload]
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
