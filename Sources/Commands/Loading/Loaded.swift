internal import ArgumentParser
internal import StrataObjectModel
internal import StrataRendering

/// The command `loaded`.
struct Loaded: StrataCommand {
  static let configuration = CommandConfiguration.command(
    "loaded", abstract: "Lists the loaded models, mapping models and stores.")
  static let examples = [
    CommandExample("the names that commands accept", "load sample:Recipes", "loaded")
  ]

  @OptionGroup var output: OutputOptions

  mutating func run(in session: Session) throws -> Outcome {
    let trials = session.trials.keys.sorted().map { Session.trialPrefix + $0 }
    let json = (session.loaded.map(\.json) + trials.map { ["name": $0, "kind": "trial"] }).json
    guard !session.loaded.isEmpty || !session.trials.isEmpty else {
      return Outcome(
        .line("nothing is loaded; `load <path>` or `load sample:Topics` loads something"),
        json: json)
    }
    var rows: [[StyledText]] = session.loaded.map { item in
      switch item.kind {
      case .bundle(let bundle):
        [
          StyledText(item.name, .name), "bundle",
          StyledText(Self.versions(bundle.versions.map(\.name), bundle.currentVersionName)),
        ]
      case .model(let version):
        [StyledText(item.name, .name), "model", StyledText(Self.origin(of: version, in: session))]
      case .store(let path):
        [StyledText(item.name, .name), "store", StyledText(session.shown(path))]
      case .mapping(let file):
        [
          StyledText(item.name, .name), "mapping model",
          StyledText(file.path.map { session.shown($0) } ?? "built in"),
        ]
      }
    }
    for name in trials {
      rows.append([
        StyledText(name, .name), "trial",
        StyledText("an edited copy of \(name.dropFirst(Session.trialPrefix.count))"),
      ])
    }
    return Outcome(.table(rows: rows), json: json)
  }

  private static func origin(of version: ModelVersion, in session: Session) -> String {
    switch version.source {
    case .file(let path): session.shown(path)
    case .embedded: "built in"
    }
  }

  /// The names of the versions, with the current one marked; only the first and last of many.
  private static func versions(_ names: [String], _ current: String?) -> String {
    let marked = names.map { $0 == current ? "\($0)*" : $0 }
    guard marked.count > 6 else { return marked.joined(separator: ", ") }
    let shown = marked.prefix(3) + ["… \(marked.count - 4) more …"] + marked.suffix(1)
    let list = shown.joined(separator: ", ")
    guard let current, !list.contains("*") else { return list }
    return list + "; current \(current)"
  }
}
