internal import StrataArchives
internal import StrataBase
internal import StrataEssentials
internal import StrataMapping
internal import StrataObjectModel
internal import StrataSamples
internal import StrataStore

extension Session {
  /// The absolute path of a typed path, which must be readable in this session.
  func path(_ typed: String) throws(Diagnostic) -> String {
    let absolute = try absolutePath(typed)
    guard let overlay else {
      try access.check(absolute)
      if FileManager.default.fileExists(atPath: absolute) { note(path: absolute, typedAs: typed) }
      return absolute
    }
    let path = overlay.current(absolute)
    try access.check(path)
    if FileManager.default.fileExists(atPath: path) {
      overlay.recordRead(absolute)
      note(path: absolute, typedAs: typed)
    }
    return path
  }

  /// The path at which this session may write an existing or new file.
  func writable(_ path: String, asNew: Bool = false) throws -> String {
    try checkIsNoSample(path)
    if let overlay { return try overlay.path(forWriting: path, asNew: asNew, access) }
    guard !access.isAnywhere else { return path }
    try access.check(path)
    _ = try access.changeableParts(of: FileAccess.item(holding: path), inPlace: true)
    return path
  }

  func absolutePath(_ typed: String) throws(Diagnostic) -> String {
    // Joined with the working folder, an empty path would mean that folder.
    guard !typed.isEmpty else {
      throw Diagnostic(
        id: "file.noName", what: "the path is empty",
        fix: "name a file or a folder; `.` is the working folder")
    }
    guard typed.utf8.count <= 4096, !typed.utf8.contains(0) else {
      throw Diagnostic(
        id: "file.badPath",
        what: "not a valid path: it is too long or contains a NUL byte",
        location: Location(file: String(typed.prefix(40)) + "…"), fix: "name a file")
    }
    var expanded = typed
    if typed == "~" || typed.hasPrefix("~/") {
      guard let home = Self.homeFolder else {
        throw Diagnostic(
          id: "file.noHome", what: "~ cannot be expanded: HOME is not set",
          location: Location(file: typed), fix: "set HOME, or use an absolute path")
      }
      expanded = home + typed.dropFirst()
    }
    // Without a working folder, a relative path would be resolved in `/`.
    guard expanded.hasPrefix("/") || folder.hasPrefix("/") else {
      throw Diagnostic(
        id: "file.noWorkingFolder",
        what: "the working folder no longer exists, or its path is too long",
        location: Location(file: typed),
        fix: "change to an existing folder, or use an absolute path")
    }
    let joined = expanded.hasPrefix("/") ? expanded : "\(folder)/\(expanded)"
    return URL(fileURLWithPath: joined).standardizedFileURL.path
  }

  /// An absolute path with `~` in place of the user's folder.
  static func withTilde(_ path: String) -> String {
    guard let home = homeFolder, path.hasPrefix(home + "/") else { return path }
    return "~" + path.dropFirst(home.count)
  }

  /// The folder for `~` from the environment; `nil` if it is not set.
  ///
  /// The user database is not used: a static program would have to load libraries for it.
  package static var homeFolder: String? {
    EnvironmentVariable.value(of: "HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
  }

  /// The path of a new file.
  ///
  /// - Parameters:
  ///   - kind: The kind of the new file; with `force` it may replace a file of that kind. `nil` if the file
  ///     is known.
  ///   - isDocument: Whether the session itself is saved there, at the explicit request of the user.
  ///   - isPart: Whether it is a part of a folder that the command creates.
  func newPath(
    _ typed: String, as kind: WrittenKind?, force: Bool = false, isDocument: Bool = false,
    isPart: Bool = false
  ) throws -> String {
    let path = try absolutePath(typed)
    let overlay = isDocument && isUsersOwn ? nil : overlay
    // The existence of a file is reported only if it may be read.
    if overlay == nil { try access.check(path) }
    if !force, overlay == nil, (try? OpenedPath.kind(path)) == .folder {
      throw Diagnostic(
        id: "file.exists", what: "a folder with this name already exists",
        location: Location(file: typed),
        fix: isPart
          ? "choose another folder, or replace it with --force"
          : "name a file in it, or choose another name")
    }
    guard force || !Self.isThere(path, in: overlay) else {
      throw Diagnostic(
        id: "file.exists", what: "a file with this name already exists",
        location: Location(file: typed), fix: "choose another name, or replace it with --force")
    }
    let target = overlay == nil && access.isAnywhere ? path : try writable(path, asNew: !force)
    // Saving a session must not fail for want of a folder; one that a replayed document has created is not on the disk.
    if !isPart, !isDocument, overlay?.names(writtenIn: folder(of: path)).isEmpty ?? true {
      try Self.checkFolder(of: target, typedAs: typed)
    }
    try kind?.check(target, typedAs: typed)
    note(path: path, typedAs: typed)
    return target
  }

  /// Checks that the folder of a new file exists; no command creates it. A version also creates its bundle.
  static func checkFolder(of path: String, typedAs typed: String) throws(Diagnostic) {
    var (folder, name) = (RealPath.parent(of: path), RealPath.parent(of: typed))
    if folder.hasSuffix(BundleForm.source.bundleExtension), OpenedPath.absence(folder) == .notFound
    {
      (folder, name) = (RealPath.parent(of: folder), RealPath.parent(of: name))
    }
    guard let absence = OpenedPath.absence(folder) else { return }
    guard absence == .notFound else {
      throw FileError.unwritable(typed, reason: absence.message).diagnostic
    }
    throw Diagnostic(
      id: "file.noFolder", what: "there is no such folder", location: Location(file: name),
      fix: "create it: `mkdir -p -- \(name.shellQuoted)`")
  }

  /// Whether an existing file conflicts with a new file; in a replayed document, only a file that it has read
  /// or written.
  func isThere(_ typed: String) -> Bool {
    (try? absolutePath(typed)).map { Self.isThere($0, in: overlay) } ?? false
  }

  private static func isThere(_ path: String, in overlay: FileOverlay?) -> Bool {
    overlay.map { $0.isKnown(path) && OpenedPath.absence($0.current(path)) == nil }
      ?? (FileStatus(path) != nil)
  }

  /// The item at a path, identified by its content.
  func recognise(_ typed: String) throws(Diagnostic) -> LoadedItem.Kind {
    let path = try path(typed)
    guard let kind = try kind(path, typedAs: typed) else { throw notFound(typed, path) }
    if kind == .folder { return try recogniseFolder(path, typed: typed) }
    let head: [UInt8]
    do {
      head = try FileBytes.head(path, count: StoreForm.headSize)
    } catch {
      var diagnostic = error.diagnostic
      diagnostic.location?.file = typed
      throw diagnostic
    }
    if StoreForm(head: head) == .sqlite { return .store(path) }
    if isMapping(path, head: head) {
      return .mapping(MappingFile(name: Self.baseName(path), source: .file(path)))
    }
    if StoreForm(head: head) != nil { return .store(path) }
    if head.starts(with: BundleForm.optimizedMark) { return try optimizedModel(path, typed: typed) }
    if head.starts(with: Array("bplist".utf8)) || head.first == UInt8(ascii: "<") {
      return .model(ModelVersion(name: Self.baseName(path), source: .file(path)))
    }
    throw Diagnostic(
      id: "file.unknownKind",
      what: "\(head.isEmpty ? "an empty file, " : "")not a model, mapping model or store",
      location: Location(file: typed),
      fix: head.isEmpty
        ? "copy it again from where it came"
        : "load an .xcdatamodeld, .xcdatamodel, .momd, .mom, .xcmappingmodel, .cdm, .mapping, a SQLite, XML or binary store"
    )
  }

  /// The `.mom` next to an optimized model, which is the same model in a readable form.
  private func optimizedModel(
    _ path: String, typed: String
  ) throws(Diagnostic) -> LoadedItem.Kind {
    let name = Self.baseName(path)
    let twin =
      URL(fileURLWithPath: path).deletingPathExtension().path
      + BundleForm.compiled.versionExtension
    guard path.hasSuffix(BundleForm.optimizedExtension),
      OpenedPath.absence(twin) == nil
    else {
      throw Diagnostic(
        id: "model.optimized", what: "an optimized model can be read only by Core Data",
        location: Location(file: typed),
        fix: "use the .mom of the same version, in the same .momd")
    }
    try access.check(twin)
    running?.warnings?.add(
      Diagnostic(
        id: "model.optimizedTwin", severity: .note,
        what: "\(name).mom, the same model, is read instead of this optimized model",
        location: Location(file: typed)))
    return .model(ModelVersion(name: name, source: .file(twin)))
  }

  /// The kind of file at a path; `nil` if there is none.
  ///
  /// - Throws: ``Diagnostic`` if this is unknown: no permission, a loop of links, a name that is too long.
  func kind(_ path: String, typedAs typed: String) throws(Diagnostic) -> FileStatus.Kind? {
    do {
      return try OpenedPath.kind(path)
    } catch .unreadable(_, let cause) {
      throw FileError.unreadable(typed, cause).diagnostic
    } catch {
      throw error.diagnostic
    }
  }

  /// The error for a missing file, with the most similar existing name.
  func notFound(_ typed: String, _ path: String) -> Diagnostic {
    if OpenedPath.absence(path) == .notAFolder {
      return FileError.unreadable(typed, .notAFolder).diagnostic
    }
    let url = URL(fileURLWithPath: path)
    let folder = url.deletingLastPathComponent().path
    let names = (try? OpenedPath.names(in: folder)) ?? []
    var diagnostic = FileError.notFound(typed).diagnostic
    if Sample.named(typed) != nil {
      diagnostic.fix = NearestName.question(Self.samplePrefix + typed)
    } else if let near = NearestName.of(url.lastPathComponent, in: names) {
      diagnostic.fix = NearestName.question(typed.dropLast(url.lastPathComponent.count) + near)
    }
    return diagnostic
  }

  private func recogniseFolder(
    _ path: String, typed: String
  ) throws(Diagnostic) -> LoadedItem.Kind {
    try access.checkFolder(path)
    let names: [String]
    do {
      names = try OpenedPath.names(in: path)
    } catch .unreadable(_, let cause) {
      throw FileError.unreadable(typed, cause).diagnostic
    } catch {
      throw error.diagnostic
    }
    if names.contains(MappingDocument.fileName) {
      let file = "\(path)/\(MappingDocument.fileName)"
      return .mapping(MappingFile(name: Self.baseName(path), source: .file(file)))
    }
    if names.contains("contents") || names.contains("elements") {
      return .model(ModelVersion(name: Self.baseName(path), source: .file(path)))
    }
    if BundleForm(ofFolderWith: names) != nil {
      return .bundle(try ModelBundle(path: path))
    }
    throw Diagnostic(
      id: "file.isFolder", what: "a folder, not a model, mapping model or store",
      location: Location(file: typed),
      fix: names.first { name in
        BundleForm.allCases.contains { name.hasSuffix($0.bundleExtension) }
      }.map { NearestName.question("\(typed)/\($0)") }
        ?? "name an .xcdatamodeld, an .xcdatamodel, a .momd or a store")
  }

  /// The last component of a path without its extension.
  static func baseName(_ path: String) -> String {
    // Foundation treats a path that begins with `~` as a home folder.
    URL(fileURLWithPath: "/" + path).deletingPathExtension().lastPathComponent
  }

  /// Loads an item under a name and replaces an item with the same name.
  func add(_ kind: LoadedItem.Kind, as name: String) {
    loaded.removeAll { $0.name == name }
    loaded.append(LoadedItem(name: name, kind: kind))
  }

  /// The model of a version, cached until its file changes.
  func model(of version: ModelVersion) throws(Diagnostic) -> ObjectModel {
    do {
      guard let result = readAll([version]).first else { preconditionFailure("one for each") }
      return try result.get()
    } catch {
      throw naming(error)
    }
  }

  /// An error of a version with the path of its file as this session shows it.
  func naming(_ error: Diagnostic) -> Diagnostic {
    var error = error
    if let file = error.location?.file { error.location?.file = shown(file) }
    return error
  }

  /// The models of a bundle's versions, in order, with the errors of unreadable ones.
  func readEach(of bundle: ModelBundle) -> [Result<ObjectModel, Diagnostic>] {
    readAll(bundle.versions).map { $0.mapError(naming) }
  }

  /// The models of versions, in order; uncached ones are read concurrently.
  @discardableResult
  func readAll(_ versions: [ModelVersion]) -> [Result<ObjectModel, Diagnostic>] {
    let known = versions.map { modelCache.value(of: $0, $0.stamp) }
    let missing = zip(versions, known).filter { $0.1 == nil }.map {
      ($0.0, $0.0.stamp)
    }
    let (access, models) = (access, sharedModels)
    let read = ConcurrentMap.map(missing.map(\.0), reporting: "reading models") { version in
      Result { () throws(Diagnostic) -> ObjectModel in
        try Interruption.check()
        // A bundle may contain links to files elsewhere.
        if case .file(let path) = version.source {
          try access.checkFolder(path)
        }
        return try version.read(sharing: models)
      }
    }
    for ((version, stamp), result) in zip(missing, read) where !Interruption.isRequested {
      modelCache.keep(result, of: version, stamp)
    }
    var rest = read[...]
    return known.compactMap { $0 ?? rest.popFirst() }
  }

  /// Lists loaded bundles again if their folder has changed, because versions may have been added or removed.
  func refreshBundles() {
    for (index, item) in loaded.enumerated() {
      guard case .bundle(let bundle) = item.kind else { continue }
      let moved = bundle.folder.flatMap { path in
        overlay.map { $0.current(path) }.flatMap { $0 == path ? nil : try? ModelBundle(path: $0) }
      }
      guard let fresh = moved ?? bundle.listedAgain() else { continue }
      loaded[index].kind = .bundle(fresh)
    }
  }
}
