internal import StrataArchives
internal import StrataBase
internal import StrataEssentials
internal import StrataMapping
internal import StrataObjectModel
internal import StrataSamples
internal import StrataStore

extension Session {
  /// The file extension of a mapping model text.
  static let mappingTextExtension = ".mapping"
  static let xcodeMappingExtension = ".xcmappingmodel"

  /// Resolves a MAPPING: a loaded name, one of a loaded sample, a path, or one beside a loaded
  /// bundle.
  func mapping(_ text: String) throws -> TypedMapping {
    let problem: Diagnostic
    do throws(Diagnostic) {
      guard case .mapping(let mapping, let entity) = try resolve(text), entity == nil else {
        throw Diagnostic(
          id: "reference.notAMapping", what: "\(text) is not a mapping model",
          fix: "name an .xcmappingmodel, a .cdm, a .mapping or the name of a loaded mapping model")
      }
      return mapping
    } catch {
      problem = error
    }
    for item in loaded {
      guard case .bundle(let bundle) = item.kind else { continue }
      let name =
        text.hasPrefix(item.name + "/") ? String(text.dropFirst(item.name.count + 1)) : text
      if let file = mappingFiles(beside: bundle).first(where: { $0.name == name }) {
        return try mapping(of: file)
      }
    }
    throw problem
  }

  /// A mapping model for two other models: those that its text names need not be known.
  func mapping(_ text: String, forOtherModels isForOthers: Bool) throws -> TypedMapping {
    do {
      return try mapping(text)
    } catch {
      guard isForOthers, let path = try? path(text), let script = try? script(at: path) else {
        throw error
      }
      var mapping = Self.unresolved(script, named: Self.baseName(path))
      mapping.file = MappingFile(name: mapping.name, source: .file(path))
      (mapping.shownPath, mapping.isText) = (shown(path), true)
      return mapping
    }
  }

  /// Reads a mapping model.
  func mapping(of file: MappingFile) throws(Diagnostic) -> TypedMapping {
    do {
      var named = try read(file)
      named.file = file
      named.shownPath = file.loadedPath.map(shown)
      return named
    } catch let error as any DiagnosticError {
      throw file.path.map { error.diagnostic.located(in: shown($0)) } ?? error.diagnostic
    } catch {
      throw Diagnostic(id: "mapping.unreadable", what: "\(error)")
    }
  }

  private func read(_ file: MappingFile) throws -> TypedMapping {
    switch try content(of: file.source) {
    case .script(let script):
      var text = try mapping(of: script, named: file.name, folder: file.folder)
      text.isText = file.path != nil
      return text
    case .document(let document): return Self.named(file.name, document)
    }
  }

  /// The content of a mapping model, read again only if its file has changed.
  private func content(of source: MappingFile.Source) throws -> MappingFile.Content {
    switch source {
    case .embedded(let text):
      return try mappingCache.value(of: source, nil) { .script(try MappingScript(parsing: text)) }
    case .file(let typed):
      let path = try path(typed)
      func read() throws -> MappingFile.Content {
        let bytes = try FileBytes.read(path)
        return Self.isMappingText(path, head: bytes)
          ? .script(try MappingScript(reading: bytes))
          : .document(try MappingDocument(reading: bytes))
      }
      guard let stamp = FileStamp(path) else { return try read() }
      return try mappingCache.value(of: source, stamp, else: read)
    }
  }

  /// The text form in a file; `nil` for a file of another form.
  func script(at path: String) throws -> MappingScript? {
    if case .script(let script) = try content(of: .file(path)) { script } else { nil }
  }

  private static func named(_ name: String, _ document: MappingDocument) -> TypedMapping {
    TypedMapping(
      name: name, document: document,
      source: document.sourceModel.map { inner($0, path: document.sourcePath) },
      destination: document.destinationModel.map { inner($0, path: document.destinationPath) })
  }

  /// The model inside an `.xcmappingmodel`, with the name of its version.
  private static func inner(_ model: ObjectModel, path: String?) -> NamedModel {
    NamedModel(name: path.map(baseName) ?? "its own model", model: model)
  }

  /// A model named by a text: a name in the session, else a path relative to the file, or `Bundle/Version` of a bundle
  /// beside it.
  private func model(_ reference: String, beside folder: String?) throws -> NamedModel {
    do {
      return try model(reference)
    } catch {
      guard let folder, !reference.hasPrefix("/") else { throw error }
      if let found = try? model("\(folder)/\(reference)") {
        return NamedModel(name: reference, model: found.model)
      }
      let beside = models(in: folder)
      if let found = beside.first(where: { $0.name == reference }) { return found }
      var problem = Diagnostic(of: error)
      if problem.id == "reference.unknown" {
        let end = BundleForm.source.bundleExtension
        let known = beside.flatMap { [$0.name, $0.name.replacing("/", with: "\(end)/")] }
        problem.fix =
          NearestName.of(reference, in: known).map(NearestName.question)
          ?? "name a version by its path from this file, such as App\(end)/App, or a loaded one"
      }
      throw problem
    }
  }

  private static func unresolved(_ script: MappingScript, named name: String) -> TypedMapping {
    TypedMapping(
      name: name, document: MappingDocument(script.mapping), omitted: script.omittedProperties,
      script: script)
  }

  /// Reads a text. Its models are those with its hashes, by the names in the text or by any other name;
  /// without hashes, the named models must be known.
  private func mapping(
    of script: MappingScript, named name: String, folder: String? = nil
  ) throws -> TypedMapping {
    let unresolved = Self.unresolved(script, named: name)
    guard let names = script.models else { return unresolved }
    let byName = Result {
      (
        source: try model(names.source, beside: folder),
        destination: try model(names.destination, beside: folder)
      )
    }
    var models = try? byName.get()
    let areItsModels = models.map { source, destination in
      script.mapping.isPart(
        from: MatchableModel(source.model), to: MatchableModel(destination.model))
    }
    if script.tellsHashes, areItsModels != true {
      // The version has been renamed, or the text has been moved to another folder.
      models = pair(of: script.mapping, beside: folder) ?? models
      if models == nil { return unresolved }
    }
    let source: NamedModel
    let destination: NamedModel
    do {
      (source, destination) = try models ?? byName.get()
    } catch let error as any DiagnosticError {
      // The line that names them is to be changed, and no file that was looked for.
      var problem = error.diagnostic
      problem.location = Location(line: names.line)
      throw problem
    }
    let isOfNames =
      source.name == names.source && destination.name == names.destination
    return TypedMapping(
      name: name,
      document: MappingDocument(
        try script.mapping(
          from: MatchableModel(source.model), to: MatchableModel(destination.model)),
        sourcePath: names.source, destinationPath: names.destination,
        sourceModel: source.model, destinationModel: destination.model),
      source: source, destination: destination,
      references: isOfNames ? (names.source, names.destination) : nil,
      omitted: script.omittedProperties)
  }

  /// The two models with the hashes of a mapping model: among those loaded, and those of bundles in a folder.
  func pair(
    of mapping: MappingModel, beside folder: String?
  ) -> (source: NamedModel, destination: NamedModel)? {
    let models = (loadedModels() + (folder.map(models(in:)) ?? [])).map {
      ($0, MatchableModel($0.model))
    }
    for (source, first) in models where mapping.sourceFit(of: first).isPart {
      for (destination, second) in models where mapping.destinationFit(of: second).isPart {
        return (source, destination)
      }
    }
    return nil
  }

  /// The readable versions of the bundles in a folder.
  func models(in folder: String) -> [NamedModel] {
    bundles(in: folder).flatMap { bundle in
      zip(bundle.versions, readEach(of: bundle)).compactMap { version, result in
        (try? result.get()).map { NamedModel(name: "\(bundle.name)/\(version.name)", model: $0) }
      }
    }
  }

  private func bundles(in folder: String) -> [ModelBundle] {
    guard (try? access.check(folder)) != nil else { return [] }
    return items(in: folder).filter { item in
      BundleForm.allCases.contains { item.name.hasSuffix($0.bundleExtension) }
    }.compactMap { try? wholeBundle($0.path) }
  }

  /// The reference to a model in a command: its known name, else the path of the version with its hashes.
  func typed(_ model: NamedModel, references: [String]) -> String {
    let hashes = model.model.versionHashes()
    if let known = try? self.model(model.name), known.model.versionHashes() == hashes {
      return model.name
    }
    for bundle in bundles(for: references) {
      guard let folder = bundle.folder, let version = bundle.version(named: model.versionName),
        (try? self.model(of: version))?.versionHashes() == hashes
      else { continue }
      return "\(shown(folder))/\(version.name)"
    }
    return model.name
  }

  /// The references to the loaded models that have the hashes of a mapping model.
  func names(ofModelsOf named: TypedMapping) -> (source: String, destination: String)? {
    pair(of: named.mapping, beside: nil).map { ($0.source.name, $0.destination.name) }
  }

  /// Whether a file with these first bytes is a mapping model.
  func isMapping(_ path: String, head: [UInt8]) -> Bool {
    Self.isMappingText(path, head: head) || FileContent.holdsMapping(path, head: head)
  }

  /// Whether a file is a mapping model text, by its name or its first bytes.
  private static func isMappingText(_ path: String, head: [UInt8]) -> Bool {
    if head.starts(with: Array("bplist".utf8)) || head.first == UInt8(ascii: "<") { return false }
    return path.hasSuffix(mappingTextExtension)
      || MappingScript.mayBegin(with: Array(head.prefix(512)))
  }

  /// The mapping models of loaded samples, by each of their names.
  func mappingsOfLoadedSamples() -> [String: MappingFile] {
    var files: [String: MappingFile] = [:]
    var ambiguous: Set<String> = []
    for item in loaded {
      guard case .bundle(let bundle) = item.kind, bundle.folder == nil,
        let sample = Sample.all.first(where: { $0.bundle == bundle })
      else { continue }
      for mapping in sample.mappings {
        let file = MappingFile(name: mapping.name, source: .embedded(mapping.text))
        files["\(item.name)/\(mapping.name)"] = file
        if files.updateValue(file, forKey: mapping.name) != nil { ambiguous.insert(mapping.name) }
      }
    }
    return files.filter { !ambiguous.contains($0.key) }
  }

  /// The mapping models in the folder that contains a bundle.
  func mappingFiles(beside bundle: ModelBundle) -> [MappingFile] {
    guard let folder = bundle.folder else { return [] }
    return mappingFiles(in: self.folder(of: folder))
  }

  /// The mapping models in a folder, sorted by name.
  func mappingFiles(in folder: String) -> [MappingFile] {
    items(in: folder).compactMap { MappingFile(named: $0.name, at: $0.path) }
  }

  var loadedBundles: [ModelBundle] {
    loaded.compactMap { if case .bundle(let bundle) = $0.kind { bundle } else { nil } }
  }

  /// The bundles that are loaded or named by references.
  func bundles(for references: [String]) -> [ModelBundle] {
    var bundles = loadedBundles
    for reference in references {
      if let bundle = try? bundle(reference) { bundles.append(bundle) }
      if let parts = BundleForm.parts(ofPath: reference), let bundle = try? bundle(parts.bundle) {
        bundles.append(bundle)
      }
    }
    return bundles
  }

  /// Every mapping model that a migration can use: those loaded, those beside loaded bundles and beside
  /// the bundles of the two references, those in a folder, and those of samples. Files that cannot be
  /// read are reported and omitted.
  func knownMappings(for references: [String], folder: String? = nil) throws -> KnownMappings {
    var files: [MappingFile] = loaded.compactMap {
      if case .mapping(let file) = $0.kind { file } else { nil }
    }
    for bundle in bundles(for: references) {
      files += mappingFiles(beside: bundle)
      guard bundle.folder == nil, let sample = Sample.all.first(where: { $0.bundle == bundle })
      else { continue }
      files += sample.mappings.map { MappingFile(name: $0.name, source: .embedded($0.text)) }
    }
    if let folder { files += mappingFiles(in: try self.folder(named: folder)) }
    return read(files)
  }

  /// Reads mapping models, each only once.
  func read(_ files: [MappingFile]) -> KnownMappings {
    var known = KnownMappings()
    var seen: Set<MappingFile.Source> = []
    for file in files where seen.insert(file.source).inserted {
      do throws(Diagnostic) {
        known.mappings.append(try mapping(of: file))
      } catch {
        known.problems.append(error.asWarning)
        if !file.isText { known.unreadable = known.unreadable ?? error }
      }
    }
    return known
  }
}
