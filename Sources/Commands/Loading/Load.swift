internal import ArgumentParser
internal import StrataBase
internal import StrataEssentials
internal import StrataMapping
internal import StrataObjectModel
internal import StrataRendering
internal import StrataSamples
internal import StrataStore

/// The command `load PATH… [--as NAME]`.
struct Load: StrataCommand {
  static let configuration = CommandConfiguration.command(
    "load", abstract: "Loads models, mapping models and stores under a name.",
    discussion: """
      The kind of a file is determined by its content. sample:NAME loads a built-in sample. A folder \
      loads every model, mapping model and store in it and lists them as `project` does.
      """)
  static let examples = [
    CommandExample("a built-in sample", "load sample:Topics", "loaded"),
    CommandExample("a name of your own", "load sample:Topics --as app", "hash app/Model1"),
  ]

  @Argument(.path, "The files to load, or sample:NAME.") var paths: [String]
  @Option(
    name: .customLong("as"),
    help: ArgumentHelp("The name to load it under (for one path).", valueName: "name"))
  var name: String?
  @OptionGroup var output: OutputOptions

  mutating func validate() throws {
    if name != nil, paths.count > 1 {
      throw ValidationError("--as requires a single path, not \(paths.count)")
    }
  }

  mutating func run(in session: Session) throws -> Outcome {
    var results = LoadResults()
    defer {
      session.running?.change = .loaded(
        results.items.map(\.name), isReplacing: results.isReplacing)
    }
    for path in paths {
      switch try Self.findAny(path, in: session) {
      case .success(let found): try results.load(found, from: path, as: name, in: session)
      case .failure(let notOne):
        guard name == nil else {
          throw Diagnostic(
            id: "command.usage",
            what: "--as requires a single item, and \(path) is a folder of several",
            fix: "omit --as, or name a file in it")
        }
        try results.loadAll(of: path, orThrow: notOne, in: session)
      }
    }
    return results.outcome
  }

  /// The item at a path; a failure for a folder that is not a bundle, model or mapping model by its name.
  private static func findAny(
    _ path: String, in session: Session
  ) throws -> Result<Found, Diagnostic> {
    do {
      return .success(try find(path, in: session))
    } catch let error as Diagnostic
      where error.id == "file.isFolder" && error.location?.file == path
    {
      let name = path.hasSuffix("/") ? String(path.dropLast()) : path
      let endings = BundleForm.endings + [Session.xcodeMappingExtension]
      guard !endings.contains(where: name.hasSuffix) else { throw error }
      return .failure(error)
    }
  }

  fileprivate typealias Found = (kind: LoadedItem.Kind, name: String)

  fileprivate static func find(_ path: String, in session: Session) throws -> Found {
    guard path.hasPrefix(Session.samplePrefix) else {
      if case .version(let version, _?)? = try session.wholeFile(path) {
        return (.model(version), version.name)
      }
      let kind = try session.recognise(path)
      if case .bundle(let bundle) = kind { return (kind, bundle.name) }
      return (kind, Session.baseName(path))
    }
    let name = String(path.dropFirst(Session.samplePrefix.count))
    if let store = try session.sampleStore(path) { return (.store(store), name) }
    guard let sample = Sample.named(name) else { throw session.unknownSample(path) }
    return (.bundle(sample.bundle), sample.name)
  }
}

/// The items that `load` has loaded so far.
private struct LoadResults {
  private var views: [View] = []
  private var warnings: [Diagnostic] = []
  private(set) var items: [LoadedItem] = []
  private(set) var isReplacing = false

  var outcome: Outcome { Outcome(.stack(views), json: items.json(\.json), warnings: warnings) }

  /// - Parameter given: The name from `--as`.
  mutating func load(
    _ found: Load.Found, from path: String, as given: String?, in session: Session
  ) throws {
    let name = given ?? session.freeName(found.name, for: found.kind, path: path)
    try session.checkName(name, for: found.kind)
    let isReplaced = session.loaded.contains { $0.name == name }
    let (summary, problems) = try session.summary(of: found.kind)
    session.add(found.kind, as: name)
    isReplacing = isReplacing || isReplaced
    views.append(
      .line(
        "loaded " + StyledText(name, .name) + StyledText(": \(summary)")
          + StyledText(isReplaced ? ", replacing the earlier \(name)" : "", .faint)))
    warnings += problems
    items.append(LoadedItem(name: name, kind: found.kind))
  }

  /// Loads each Core Data file in a folder and its subfolders and shows them as one table.
  ///
  /// - Parameter error: The error to throw if there are none.
  mutating func loadAll(
    of typed: String, orThrow error: Diagnostic, in session: Session
  ) throws {
    let folder = try session.path(typed)
    let files = ProjectFolder(folder, findsStores: true, in: session)
    guard !files.isEmpty else { throw error }
    let mappings = files.mappings.compactMap(\.loadedPath)
    let overview = try ProjectOverview(of: folder, with: files, in: session)
    var known = Set(session.loaded.map(\.name))
    var count = 0
    var renamed: [StyledText] = []
    for path in files.bundles + files.models + mappings + files.stores {
      do {
        let found = try Load.find(path, in: session)
        let free = session.freeName(found.name, for: found.kind, path: path)
        let name =
          session.loaded.first { $0.kind.isSameFile(as: found.kind) }?.name
          ?? Self.name(free, of: path, besides: known)
        try session.checkName(name, for: found.kind)
        _ = try session.summary(of: found.kind)
        session.add(found.kind, as: name)
        if !known.contains(name), name != free {
          renamed.append(
            "loaded " + StyledText(name, .name) + StyledText(": \(session.shown(path))", .faint))
        }
        known.insert(name)
        items.append(LoadedItem(name: name, kind: found.kind))
        count += 1
      } catch let error as any DiagnosticError {
        // The table already shows the problems of stores and bundles, but not what is wrong with a name.
        guard files.models.contains(path) || error.diagnostic.id == "command.badName" else {
          continue
        }
        warnings.append(error.diagnostic.asWarning)
      }
    }
    let table = overview.outcome
    views.append(
      .line(
        "loaded " + StyledText(Phrase.count(count, "item")) + " of "
          + StyledText(typed, .name)))
    views.append(.lines(renamed))
    views.append(table.view)
    warnings += table.warnings
  }
}

extension LoadResults {
  /// A name that no other item has: items with the same one would replace each other, so it includes as many folders
  /// as it needs, then a number.
  private static func name(
    _ name: String, of path: String, besides known: Set<String>
  ) -> String {
    var found = name
    for folder in path.split(separator: "/").dropLast().reversed() where known.contains(found) {
      found = "\(folder)-\(found)"
    }
    var number = 1
    while known.contains(number == 1 ? found : "\(found)-\(number)") { number += 1 }
    return number == 1 ? found : "\(found)-\(number)"
  }
}

extension LoadedItem.Kind {
  /// Whether another item is the same file, which may have changed.
  fileprivate func isSameFile(as other: Self) -> Bool {
    switch (self, other) {
    case (.bundle(let bundle), .bundle(let other)):
      bundle.folder != nil && bundle.folder == other.folder
    case (.model(let version), .model(let other)): version.filePath == other.filePath
    default: self == other
    }
  }
}

extension LoadedItem {
  /// Only a bundle has versions.
  var json: JSONValue {
    switch kind {
    case .bundle(let bundle):
      .object(withoutNull: [
        "name": name, "kind": "bundle", "versions": bundle.versions.map(\.name),
        "current": bundle.currentVersionName,
      ])
    case .model: ["name": name, "kind": "model"]
    case .store: ["name": name, "kind": "store"]
    case .mapping: ["name": name, "kind": "mapping model"]
    }
  }
}

extension Session {
  /// The default name of a loaded item: its own name, or the full file name if an item of another kind has
  /// that name, as a bundle and its store often do.
  func freeName(_ name: String, for kind: LoadedItem.Kind, path: String) -> String {
    let isOther = loaded.contains { $0.name == name && $0.kind.form != kind.form }
    return isOther ? path.split(separator: "/").last.map(String.init) ?? name : name
  }

  func checkName(_ name: String, for kind: LoadedItem.Kind) throws(Diagnostic) {
    if name.isEmpty || name.contains("+") || name.contains("/") || name.hasPrefix(".")
      || name.hasPrefix(Self.samplePrefix) || name.hasPrefix(Self.trialPrefix)
    {
      throw Diagnostic(
        id: "command.badName", what: "\"\(name)\" is not a valid name",
        fix:
          "name it with --as, without / or +, and not beginning with a dot, sample: or try:"
      )
    }
    if let existing = loaded.first(where: { $0.name == name }), existing.kind.form != kind.form {
      throw Diagnostic(
        id: "session.nameTaken", what: "the name \(name) is used by another loaded item",
        fix: "choose another name with --as, or `unload \(name)` first")
    }
  }

  /// The contradictions between `VersionInfo.plist` of a compiled bundle and its versions.
  func versionInfoWarnings(of bundle: ModelBundle) -> [Diagnostic] {
    let models = zip(bundle.versions, readEach(of: bundle)).compactMap { version, result in
      (try? result.get()).map { (version.name, $0) }
    }
    return bundle.versionInfoWarnings(models).map(naming)
  }

  /// A description of an item, with warnings about it.
  func summary(
    of kind: LoadedItem.Kind
  ) throws -> (text: String, problems: [Diagnostic]) {
    switch kind {
    case .bundle(let bundle):
      readAll(bundle.versions)
      var problems = bundle.warnings.map(naming)
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
      problems += versionInfoWarnings(of: bundle)
      return (
        "\(Phrase.count(count, "version")), current \(bundle.currentVersionName ?? "unknown")",
        problems
      )
    case .model(let version):
      let model = try model(of: version)
      return ("model of \(Phrase.count(model.entities.count, "entity", "entities"))", [])
    case .store(let path):
      let store = try open(path)
      let entities = Phrase.count(store.metadata.versionHashes.count, "entity", "entities")
      try store.checkUnchanged()
      let form = StoreForm(of: path) ?? .sqlite
      return ("\(form.rawValue) store of \(entities)", [])
    case .mapping(let file):
      let mapping = try mapping(of: file)
      let count = mapping.document.mapping.entityMappings.count
      return (
        "mapping model of \(Phrase.count(count, "entity mapping"))"
          + (mapping.direction.map { ", \($0)" } ?? ""), []
      )
    }
  }
}
