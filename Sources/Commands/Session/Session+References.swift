internal import StrataArchives
internal import StrataBase
internal import StrataEssentials
internal import StrataMapping
internal import StrataMigration
internal import StrataObjectModel
internal import StrataSQLite
internal import StrataSamples
internal import StrataStore

extension Session {
  /// Resolves a REF: a loaded name, a sample or a path, optionally followed by `.Entity` or
  /// `.Entity.property`. The longest matching name wins, and a loaded name takes precedence over a file.
  func resolve(_ text: String) throws(Diagnostic) -> Reference {
    if let current = try currentVersion(text) { return current }
    if !Self.isPath(text) {
      for (name, target) in namesByLength() where text.isName(name, followedBy: ".") {
        let elements = text.dropFirst(name.count)
        if case .bundle(let bundle) = target { noteMeaning(of: name, bundle) }
        do throws(Diagnostic) {
          return try reference(target, shownAs: name, elements: elements)
        } catch {
          // Topics.xcdatamodeld is the loaded Topics only if that has an entity xcdatamodeld.
          if !elements.isEmpty, let found = try file(text) { return found }
          // A.xcdatamodeld/A2+B has several parts, each with its own name.
          if !elements.isEmpty, text.contains("+"), let found = try? merged(text) {
            return .model(found)
          }
          throw error
        }
      }
    }
    if !text.hasPrefix(Self.samplePrefix), let found = try file(text) { return found }
    if text.contains("+") { return .model(try merged(text)) }
    if text.hasPrefix(Self.samplePrefix) { return try sample(text) }
    throw unknown(text)
  }

  /// Resolves a MODEL; a store means its cached model or, without one, the loaded model that wrote it.
  func model(_ text: String) throws -> NamedModel {
    switch try resolve(text) {
    case .model(let model): return model
    case .store(let name, let path):
      return NamedModel(name: name, model: try cachedModel(ofStore: path))
    case .mapping(let mapping, _):
      throw Diagnostic(
        id: "reference.notAModel", what: "\(mapping.name) is a mapping model, not a model",
        fix: "`mapping show \(mapping.name)` shows its models")
    case .entity(let entity, let model), .property(_, let entity, let model):
      throw Diagnostic(
        id: "reference.notAModel", what: "\(text) is part of a model: \(model.name).\(entity)",
        fix: "name the model itself: \(model.name)")
    }
  }

  /// Resolves a STORE to its displayed name and path.
  func store(_ text: String) throws -> (name: String, path: String) {
    let found = try resolve(text)
    guard case .store(let name, let path) = found else {
      throw Diagnostic(
        id: "reference.notAStore",
        what: "\(text) is \(found.isMapping ? "a mapping model" : "a model"), not a store",
        fix: "name a store: its .sqlite file, or the name it was loaded under")
    }
    return (name, path)
  }

  /// Resolves a bundle: a loaded one, a sample, or one by its path; a version stands for its bundle.
  func bundle(_ text: String) throws -> ModelBundle {
    guard !text.contains("+") else {
      throw Diagnostic(
        id: "reference.notABundle", what: "\(text) is one merged model, not a bundle of versions",
        fix: "omit --all")
    }
    if let bundle = try wholeBundle(text) { return bundle }
    if let name = Self.bundleName(ofCurrent: text), let bundle = try wholeBundle(name) {
      return bundle
    }
    for item in loaded {
      guard case .bundle(let bundle) = item.kind else { continue }
      if shortNames(of: bundle).contains(text) { return bundle }
    }
    if text.hasPrefix(Self.samplePrefix) {
      let name = text.dropFirst(Self.samplePrefix.count).prefix { $0 != "/" }
      if let sample = Sample.named(String(name)) { return sample.bundle }
    }
    // Throws if the reference itself is invalid.
    _ = try resolve(text)
    throw Diagnostic(
      id: "reference.notABundle", what: "\(text) is not a bundle of versions",
      fix: "name an .xcdatamodeld, a .momd, a sample, or the name one was loaded under")
  }

  /// The bundle that a reference names; `nil` if it names something else, such as a version in a bundle.
  func wholeBundle(_ text: String) throws(Diagnostic) -> ModelBundle? {
    for item in loaded {
      if case .bundle(let bundle) = item.kind, item.name == text { return bundle }
    }
    if text.hasPrefix(Self.samplePrefix) {
      return Sample.named(String(text.dropFirst(Self.samplePrefix.count)))?.bundle
    }
    guard try kind(path(text), typedAs: text) != nil,
      case .bundle(let bundle) = try recognise(text)
    else { return nil }
    return bundle
  }

  private func shortNames(of bundle: ModelBundle) -> [String] {
    bundle.versions.compactMap { shortName(of: $0, in: bundle) }
  }

  func cachedModel(ofStore path: String) throws -> ObjectModel {
    let store = try open(path)
    let cached: ObjectModel?
    do {
      cached = try store.cachedModel(sharing: sharedModels)
    } catch {
      throw error.diagnostic.located(in: shown(path))
    }
    guard let model = try cached ?? modelOf(store, path: path).model?.model else {
      throw Diagnostic(
        id: "store.noModelCache", what: "the store contains no cached model",
        location: Location(file: shown(path)),
        fix: loadingAdvice.map { "load the model bundle of the app: \($0)" }
          ?? "name a version of the app's model bundle instead")
    }
    try store.checkUnchanged()
    return model
  }

  /// Opens a store for reading; errors contain the file.
  ///
  /// - Parameter models: The models that may have written it. If none matches, only the metadata of an atomic
  ///   store can be read.
  func open(
    _ path: String, among models: [ObjectModel] = []
  ) throws(Diagnostic) -> SQLiteStore {
    do throws(StoreError) {
      guard let store = try atomicStore(path) else {
        let store = try SQLiteStore(reading: path, log: running?.statements)
        noteReading(of: store.metadata.versionHashes)
        examineCompanions(of: store)
        return store
      }
      let hashes = store.metadata.versionHashes
      noteReading(of: hashes)
      guard let model = models.first(where: { $0.versionHashes() == hashes }) else {
        return try store.metadataStore()
      }
      warnOfUnprovenParts(of: store, path, model: model)
      warnOfRoundedValues(of: store, path, model: model)
      return try store.inMemoryStore(of: model)
    } catch {
      examineCompanions(ofUnreadable: path)
      throw error.diagnostic.located(in: shown(path))
    }
  }

  /// The whole document of an atomic store; `nil` for any other file.
  func atomicStore(_ path: String) throws(StoreError) -> (any AtomicStore)? {
    try StoreForm(of: path)?.document(at: path)
  }

  func isAtomicStore(_ path: String) -> Bool { StoreForm(of: path)?.isAtomic == true }

  /// A path as the session shows it: relative if it is in the session's folder, otherwise as typed.
  func shown(_ path: String) -> String {
    let path = overlay?.original(path) ?? path
    return path.hasPrefix(folder + "/")
      ? String(path.dropFirst(folder.count + 1)) : typedNames[path] ?? path
  }

  /// Whether the text is always a path: `./x`, `../x`, `~/x`, `/x`.
  static func isPath(_ text: String) -> Bool {
    ["./", "../", "~/", "/"].contains { text.hasPrefix($0) }
  }

  static let samplePrefix = "sample:"
  private static let currentMark = "@current"
  static let trialPrefix = "try:"

  private func reference(
    _ target: NameTarget, shownAs name: String, elements: Substring
  ) throws(Diagnostic) -> Reference {
    switch target {
    case .store(let path):
      guard !elements.isEmpty else { return .store(name: name, path: path) }
      do {
        return try element(elements, of: NamedModel(name: name, model: cachedModel(ofStore: path)))
      } catch {
        throw Diagnostic(of: error)
      }
    case .bundle(let bundle):
      guard let version = bundle.currentVersion else { throw unknown(name) }
      let shown = shortName(of: version, in: bundle) ?? "\(bundle.name)/\(version.name)"
      return try element(elements, of: NamedModel(name: shown, model: model(of: version)))
    case .version(let version, _):
      return try element(elements, of: NamedModel(name: name, model: model(of: version)))
    case .mapping(let file):
      let mapping = try mapping(of: file)
      guard !elements.isEmpty else { return .mapping(mapping, entityMapping: nil) }
      let entity = String(elements.dropFirst())
      guard mapping.mapping.entityMapping(named: entity) != nil else {
        throw mapping.unknown(entityMapping: entity)
      }
      return .mapping(mapping, entityMapping: entity)
    case .trial(let document):
      do {
        return try element(elements, of: NamedModel(name: name, model: ObjectModel(document)))
      } catch {
        throw Diagnostic(of: error)
      }
    case .ambiguous(let names):
      throw Diagnostic(
        id: "reference.ambiguous", what: "\(name) is the name of several versions",
        fix: "use one of \(names.joined(separator: ", "))")
    }
  }

  // MARK: The current version

  /// The `X` of `X@current`; `nil` for any other text.
  static func bundleName(ofCurrent text: String) -> String? {
    text.hasSuffix(currentMark) ? String(text.dropLast(currentMark.count)) : nil
  }

  /// Parses `X@current`, optionally followed by an element; `nil` for any other text.
  private func currentVersion(_ text: String) throws(Diagnostic) -> Reference? {
    // Searching a text for another costs a part of the start.
    guard text.utf8.contains(UInt8(ascii: "@")), let mark = text.firstRange(of: Self.currentMark)
    else { return nil }
    let (name, elements) = (String(text[..<mark.lowerBound]), text[mark.upperBound...])
    guard elements.isEmpty || elements.first == ".", !name.isEmpty,
      let bundle = try wholeBundle(name), let version = bundle.currentVersion
    else { return nil }
    let isSample = name.hasPrefix(Self.samplePrefix)
    let shown =
      isSample
      ? "\(name)/\(version.name)"
      : shortName(of: version, in: bundle) ?? "\(bundle.name)/\(version.name)"
    return try element(elements, of: NamedModel(name: shown, model: model(of: version)))
  }

  /// The versions that have the name of a loaded bundle, besides its current version, which the name means.
  private func otherMeanings(of name: String, _ bundle: ModelBundle) -> [String] {
    loaded.flatMap { item -> [String] in
      guard case .bundle(let other) = item.kind, other.version(named: name) != nil,
        item.name != name || bundle.currentVersionName != name
      else { return [] }
      return ["\(item.name)/\(name)"]
    }
  }

  /// Adds a note about a name that both a bundle and a version have.
  private func noteMeaning(of name: String, _ bundle: ModelBundle) {
    let others = otherMeanings(of: name, bundle)
    guard !others.isEmpty, let current = bundle.currentVersionName else { return }
    running?.warnings?.add(
      Diagnostic(
        id: "reference.bundleName", severity: .note,
        what:
          "\(name) means the current version \(current), not the version \(Phrase.list(others))",
        location: Location(element: name)))
  }

  /// - Throws: ``Diagnostic`` if the name is that of a bundle and of a version that is not its current one.
  func checkIsExact(_ text: String) throws(Diagnostic) {
    for part in text.split(separator: "+").map(String.init) where !Self.isPath(part) {
      guard Self.bundleName(ofCurrent: part) == nil,
        let (name, target) = namesByLength().first(where: {
          part.isName($0.name, followedBy: ".@")
        }), case .bundle(let bundle) = target, !part.hasPrefix(name + Self.currentMark)
      else { continue }
      let others = otherMeanings(of: name, bundle)
      guard others.isEmpty else {
        throw Diagnostic(
          id: "reference.ambiguous", what: "\(name) is the name of a bundle and of a version",
          fix: "name the version: \(Phrase.list(others)); or the current one: \(name)@current")
      }
    }
  }

  /// Parses `.Entity`, `.Entity.property` or nothing after a model's name.
  private func element(
    _ text: Substring, of model: NamedModel
  ) throws(Diagnostic) -> Reference {
    let names = text.split(separator: ".").map(String.init)
    guard let entityName = names.first else { return .model(model) }
    let entity: Entity
    do {
      entity = try model.model.existingEntity(entityName)
    } catch {
      throw error.diagnostic
    }
    guard names.count > 1 else { return .entity(entity.name, in: model) }
    let property = names[1...].joined(separator: ".")
    let owners = model.model.lineageNames(of: entityName)
      .compactMap { model.model[$0] }
    guard owners.contains(where: { $0.propertyNames.contains(property) }) else {
      throw ModelEditError.unknownProperty(
        property, entity: entityName, near: owners.propertyName(insteadOf: property)
      ).diagnostic
    }
    return .property(property, of: entityName, in: model)
  }

  /// Resolves `sample:Topics`, `sample:Topics/Model1` or `sample:Kitchen`, optionally followed by an element.
  private func sample(_ text: String) throws(Diagnostic) -> Reference {
    let rest = String(text.dropFirst(Self.samplePrefix.count))
    for sample in Sample.all where rest.isName(sample.name, followedBy: "./") {
      for version in sample.bundle.versions
      where rest.isName("\(sample.name)/\(version.name)", followedBy: ".") {
        let shown = "\(Self.samplePrefix)\(sample.name)/\(version.name)"
        return try element(
          text.dropFirst(shown.count), of: NamedModel(name: shown, model: model(of: version)))
      }
      for mapping in sample.mappings
      where rest.isName("\(sample.name)/\(mapping.name)", followedBy: ".") {
        let shown = "\(Self.samplePrefix)\(sample.name)/\(mapping.name)"
        return try reference(
          .mapping(MappingFile(name: shown, source: .embedded(mapping.text))), shownAs: shown,
          elements: text.dropFirst(shown.count))
      }
      guard !rest.hasPrefix(sample.name + "/"), let version = sample.bundle.currentVersion else {
        let wanted = String(rest.dropFirst(sample.name.count + 1))
        throw Diagnostic(
          id: "reference.unknownVersion",
          what: "the sample \(sample.name) has no version \(wanted)",
          fix: "it has \(sample.bundle.versions.map(\.name).joined(separator: ", "))")
      }
      return try element(
        rest.dropFirst(sample.name.count),
        of: NamedModel(
          name: "\(Self.samplePrefix)\(sample.name)/\(version.name)", model: model(of: version)))
    }
    for store in SampleStore.all where rest.isName(store.name, followedBy: ".") {
      let shown = Self.samplePrefix + store.name
      guard let path = try sampleStore(shown) else { continue }
      return try reference(
        .store(path), shownAs: shown, elements: text.dropFirst(shown.count))
    }
    throw unknownSample(text)
  }

  /// Resolves a path or a version in a bundle's path, optionally followed by an element; `nil` if no part of
  /// the text is a file.
  private func file(_ text: String) throws(Diagnostic) -> Reference? {
    if let found = try wholeFile(text) {
      noteGuess(in: found)
      return try reference(found, shownAs: Self.shownName(text, found), elements: "")
    }
    // The names of the element follow the last dots of the text.
    var end = text.endIndex
    for _ in 0..<2 {
      // An element has no slash, so the dots of `../x` do not end a file name.
      guard let dot = text[..<end].lastIndex(of: "."), !text[dot...].contains("/") else {
        return nil
      }
      end = dot
      if let found = try wholeFile(String(text[..<dot])) {
        noteGuess(in: found)
        let name = Self.shownName(String(text[..<dot]), found)
        return try reference(found, shownAs: name, elements: text[dot...])
      }
    }
    return nil
  }

  /// Warns that the current version of a bundle is guessed; for a loaded bundle, `load` has already warned.
  private func noteGuess(in target: NameTarget) {
    guard case .bundle(let bundle) = target else { return }
    for warning in bundle.warnings { running?.warnings?.add(naming(warning)) }
  }

  /// The name of a file in answers: `Model1`, `Topics/Model1`, `Topics.sqlite`.
  private static func shownName(_ text: String, _ target: NameTarget) -> String {
    let last = text.split(separator: "/").last.map(String.init) ?? text
    switch target {
    case .store: return last
    case .bundle(let bundle): return "\(bundle.name)/\(bundle.currentVersionName ?? "")"
    case .version(let version, let bundle?): return "\(bundle.name)/\(version.name)"
    default: return baseName(text)
    }
  }

  func wholeFile(_ text: String) throws(Diagnostic) -> NameTarget? {
    guard !text.isEmpty else { return nil }
    if try isThere(file: text) {
      switch try recognise(text) {
      case .bundle(let bundle): return .bundle(bundle)
      case .model(let version): return .version(version, bundle: nil)
      case .store(let path): return .store(path)
      case .mapping(let file): return .mapping(file)
      }
    }
    guard let parts = BundleForm.parts(ofPath: text),
      try kind(path(parts.bundle), typedAs: parts.bundle) != nil,
      case .bundle(let bundle) = try recognise(parts.bundle)
    else { return nil }
    return bundle.version(named: parts.version).map { .version($0, bundle: bundle) }
  }

  /// Whether a file with this name exists. `A+B` of many models may be longer than any file name.
  private func isThere(file text: String) throws(Diagnostic) -> Bool {
    let path = try path(text)
    guard !text.contains("+") else { return OpenedPath.absence(path) == nil }
    return try kind(path, typedAs: text) != nil
  }

  /// Resolves `A+B` to the merged model.
  private func merged(_ text: String) throws(Diagnostic) -> NamedModel {
    do {
      let models = try text.split(separator: "+").map { try model(String($0)) }
      return NamedModel(
        name: models.map(\.name).joined(separator: "+"),
        model: try ObjectModel(merging: models.map(\.model)))
    } catch {
      throw Diagnostic(of: error)
    }
  }

  private func unknown(_ text: String) -> Diagnostic {
    if let parts = BundleForm.parts(ofPath: text), let bundle = try? wholeBundle(parts.bundle) {
      return Diagnostic(
        id: "reference.unknownVersion",
        what: "\(parts.bundle) has no version \(parts.version)",
        location: Location(file: parts.bundle),
        fix: "it has \(bundle.versions.map(\.name).joined(separator: ", "))")
    }
    if Self.isPath(text), let path = try? path(text), OpenedPath.absence(path) != nil {
      return notFound(text, path)
    }
    // A name with a suffix is probably that of a file beside others.
    let folder = text.contains(".") ? (try? path(text)).map(RealPath.parent(of:)) : nil
    let files = folder.flatMap { try? OpenedPath.names(in: $0) } ?? []
    let known = namesByLength().map(\.name) + Self.sampleNames + files
    return Diagnostic(
      id: "reference.unknown", what: "\(text) is neither a loaded name nor a file",
      fix: owner(ofElement: text).map { "name its model first: `\($0).\(text)`" }
        ?? NearestName.of(text, in: known).map(NearestName.question)
        ?? (loadingAdvice == nil
          ? "name a file, or a sample: `samples` lists them"
          : "`loaded` lists the names; `load <path>` adds one"))
  }
}

extension Session {
  /// The loaded model with an entity that is named without it: `Topics` for `Topic` or `Topic.title`.
  private func owner(ofElement text: String) -> String? {
    let entity = String(text.prefix { $0 != "." })
    return loaded.first { item in
      let version: ModelVersion? =
        switch item.kind {
        case .bundle(let bundle): bundle.currentVersion
        case .model(let version): version
        case .mapping, .store: nil
        }
      return version.map { (try? model(of: $0))?[entity] != nil } ?? false
    }?.name
  }

  /// The error about the first argument of a command, with the right order where a store comes second: `count Topic
  /// t.sqlite`.
  func advisingOrder(_ error: Diagnostic, of arguments: [String]) -> Diagnostic {
    guard error.id == "reference.unknown", arguments.count > 2,
      error.what.hasPrefix("\(arguments[1]) is "), !arguments[2].hasPrefix("-"),
      let shape = CommandShape.named(arguments[0])?.arguments.prefix(2), shape.count == 2,
      case .store? = shape[0].kind, (try? store(arguments[2])) != nil
    else { return error }
    var advised = error
    let line = [arguments[0], arguments[2], arguments[1]] + arguments.dropFirst(3)
    advised.fix = "the store comes first: `\(CommandLineLexer.line(of: line))`"
    return advised
  }
}

extension String {
  /// Whether this is `name`, optionally followed by one of these characters.
  fileprivate func isName(_ name: String, followedBy separators: String) -> Bool {
    guard hasPrefix(name) else { return false }
    guard let next = dropFirst(name.count).first else { return true }
    return separators.contains(next)
  }
}
