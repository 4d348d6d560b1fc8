internal import ArgumentParser
internal import StrataDiagnostics
internal import StrataMapping
internal import StrataObjectModel
internal import StrataRendering
internal import StrataSamples
internal import StrataStore

/// `load PATH… [--as NAME]`
struct Load: StrataCommand {
  static let configuration = CommandConfiguration(
    commandName: "load", abstract: "Loads model bundles, models and stores under a name.",
    discussion: "What a file is, its content tells. sample:NAME loads a built-in sample.")
  static let effect = CommandEffect.reads
  static let examples = [
    CommandExample("a built-in sample", "load sample:Topics", "loaded"),
    CommandExample("a name of your own", "load sample:Topics --as app", "hash app/Model1"),
  ]

  @Argument(
    help: ArgumentHelp("The files to load, or sample:NAME.", valueName: "path"), completion: .file()
  )
  var paths: [String]
  @Option(
    name: .customLong("as"),
    help: ArgumentHelp("The name to load it under (for one path).", valueName: "name"))
  var name: String?
  @OptionGroup var output: OutputOptions

  mutating func validate() throws {
    if name != nil, paths.count > 1 {
      throw ValidationError("--as names one path, and there are \(paths.count)")
    }
  }

  mutating func run(in session: Session) throws -> Outcome {
    var lines: [StyledText] = []
    var warnings: [Diagnostic] = []
    var payload: [LoadedPayload] = []
    var replaced = false
    defer { session.change = .loaded(payload.map(\.name), isReplacing: replaced) }
    for path in paths {
      let (kind, ownName) = try Self.find(path, in: session)
      let shownName = name ?? session.freeName(ownName, for: kind, path: path)
      try session.checkName(shownName, for: kind)
      let isReplaced = session.loaded.contains { $0.name == shownName }
      let (summary, problems) = try session.summary(of: kind)
      session.add(kind, as: shownName)
      replaced = replaced || isReplaced
      lines.append(
        "loaded " + StyledText(shownName, .name) + StyledText(": \(summary)")
          + StyledText(isReplaced ? ", in place of the earlier \(shownName)" : "", .faint))
      warnings += problems
      payload.append(LoadedPayload(name: shownName, kind: kind))
    }
    return Outcome(.lines(lines), payload: payload, warnings: warnings)
  }

  private static func find(
    _ path: String, in session: Session
  ) throws -> (LoadedItem.Kind, name: String) {
    guard path.hasPrefix(Session.samplePrefix) else {
      if case .version(let version, _?)? = try session.wholeFile(path) {
        return (.model(version), version.name)
      }
      let kind = try session.recognise(path)
      if case .bundle(let bundle) = kind { return (kind, bundle.name) }
      return (kind, Session.baseName(path))
    }
    let name = String(path.dropFirst(Session.samplePrefix.count))
    guard let sample = Sample.named(name) else {
      throw Diagnostic(
        id: "reference.unknownSample", what: "there is no sample \(name)",
        mend: NearestName.of(name, in: Sample.all.map(\.name)).map {
          NearestName.question("sample:\($0)")
        }
          ?? "`samples` lists them")
    }
    return (.bundle(sample.bundle), sample.name)
  }
}

/// A loaded item for programs.
struct LoadedPayload: Encodable, Sendable {
  var name: String
  var kind: String
  var versions: [String]?
  var current: String?

  init(name: String, kind: LoadedItem.Kind) {
    self.name = name
    switch kind {
    case .bundle(let bundle):
      self.kind = "bundle"
      versions = bundle.versions.map(\.name)
      current = bundle.currentVersionName
    case .model: self.kind = "model"
    case .store: self.kind = "store"
    case .mapping: self.kind = "mapping model"
    }
  }
}

extension Session {
  /// The name for something that is loaded without one: its own, or, where a thing of another kind has
  /// that (a bundle and its store are often called alike), the file's full name.
  func freeName(_ name: String, for kind: LoadedItem.Kind, path: String) -> String {
    let isOther = loaded.contains { $0.name == name && !$0.kind.isLike(kind) }
    return isOther ? path.split(separator: "/").last.map(String.init) ?? name : name
  }

  func checkName(_ name: String, for kind: LoadedItem.Kind) throws(Diagnostic) {
    if name.isEmpty || name.contains("+") || name.contains("/") || name.hasPrefix(".")
      || name.hasPrefix(Self.samplePrefix) || name.hasPrefix(Self.trialPrefix)
    {
      throw Diagnostic(
        id: "command.badName", what: "\"\(name)\" cannot be a name",
        mend: "a name has letters, and no / or +; it begins with neither a dot nor sample: nor try:"
      )
    }
    if let taken = loaded.first(where: { $0.name == name }), !taken.kind.isLike(kind) {
      throw Diagnostic(
        id: "session.nameTaken", what: "\(name) is the name of something else that is loaded",
        mend: "choose another with --as, or `unload \(name)` first")
    }
  }

  /// What an item is, in words, with what is wrong about it although it can be used.
  func summary(
    of kind: LoadedItem.Kind
  ) throws -> (words: String, problems: [Diagnostic]) {
    switch kind {
    case .bundle(let bundle):
      readAll(bundle.versions)
      var problems = bundle.warnings
      for version in bundle.versions {
        do {
          _ = try model(of: version)
        } catch {
          var problem = error
          problem.severity = .warning
          problems.append(problem)
        }
      }
      guard
        problems.count(where: {
          !["model.unknownCurrentVersion", "model.noCurrentVersion"].contains($0.id)
        }) < bundle.versions.count
      else {
        problems[0].severity = .error
        throw problems[0]
      }
      let count = bundle.versions.count
      return (
        "\(Words.count(count, "version", "versions")), current \(bundle.currentVersionName ?? "unknown")",
        problems
      )
    case .model(let version):
      let model = try model(of: version)
      return ("model of \(Words.count(model.entities.count, "entity", "entities"))", [])
    case .store(let path):
      let store = try open(path)
      let entities = Words.count(store.metadata.versionHashes.count, "entity", "entities")
      try store.checkUnchanged()
      let form = StoreForm(of: path) ?? .sqlite
      return ("\(form.rawValue) store of \(entities)", [])
    case .mapping(let file):
      let mapping = try mapping(of: file)
      let count = mapping.document.mapping.entityMappings.count
      return (
        "mapping model of \(Words.count(count, "entity mapping", "entity mappings"))"
          + (mapping.direction.map { ", \($0)" } ?? ""), []
      )
    }
  }
}
