internal import StrataArchives
package import StrataBase
internal import StrataEssentials
package import StrataObjectModel
package import StrataSQLite

/// Examines a folder for files that migrations, crashes and other tools leave beside stores, and the stores
/// themselves.
///
/// Nothing is changed.
///
/// ```swift
/// let examination = try FolderExamination(of: "backup", store: nil)
/// examination.stores  // the stores that Core Data would open
/// examination.findings
/// ```
///
/// Source: `Docs/Facts/migration-process.md`, section 1.2 (Core Data's names).
package struct FolderExamination: Sendable {
  /// The examined stores, in the order of their names.
  package private(set) var stores: [String] = []
  package private(set) var findings: [Finding] = []
  /// The names of the stores that migrations have kept, or that are named so.
  private var kept: [String] = []
  private let folder: String
  private let names: Set<String>

  /// - Parameters:
  ///   - store: The name of the only store to examine; `nil` for all.
  ///   - models: Models that may have written the stores, besides those that they cache.
  /// - Throws: ``StoreError/unreadable(reason:)`` for the folder.
  package init(
    of folder: String, store: String? = nil, models: [NamedModel] = []
  ) throws(StoreError) {
    let listed: [String]
    do throws(FileError) {
      listed = try OpenedPath.names(in: folder)
    } catch .unreadable(_, let cause) {
      throw .unreadable(reason: cause.message)
    } catch {
      throw .unreadable(reason: error.diagnostic.what)
    }
    self.folder = folder
    names = Set(listed)
    for name in listed {
      let parsed = ParsedName(name, isThere: names.contains)
      guard [nil, parsed.store, name].contains(store) || parsed.kind == .dataAside else { continue }
      examine(name, parsed)
    }
    if let store, kept.contains(store) {
      stores.append(store)
      kept.removeAll { $0 == store }
    }
    keepNewestMissing()
    for name in kept {
      findings += StoreExamination(of: path(name), models: models).findings.filter(\.isOfKeptStore)
    }
    for name in stores { findings += StoreExamination(of: path(name), models: models).findings }
  }

  /// Private folders of processes that were killed, in a folder for temporary files.
  package static func abandonedFolders(in parent: String) -> [Finding] {
    AbandonedFolders.paths(in: parent).map { path in
      Finding(.abandonedFolder(bytes: AbandonedFolders.size(of: path)), path: path)
    }
  }

  private func path(_ name: String) -> String { "\(folder)/\(name)" }

  /// The version of a store that was set aside; `nil` if its name does not contain one.
  ///
  /// The number of a further copy looks like the end of a version, `Model1-2`: the version hashes of the copies
  /// decide.
  private func version(ofAside name: String) -> String? {
    guard let version = StoreReplacement.version(ofAside: name),
      version != StoreReplacement.unnamedVersion
    else { return nil }
    guard let first = StoreReplacement.nameWithoutNumber(ofAside: name) else { return version }
    func hashes(_ name: String) -> [String: VersionHash]? {
      StoreMetadata.ofStore(at: path(name))?.versionHashes
    }
    guard names.contains(first), let known = hashes(first), let own = hashes(name) else {
      return nil
    }
    return known == own ? StoreReplacement.version(ofAside: first) : version
  }

  /// The kind of a file, by its name.
  private struct ParsedName {
    enum Kind: Equatable {
      case store
      case stage
      case coreDataDestination
      case journal
      case companion
      case aside
      case oldRecipe
      case unfinishedFile
      case dataAside
    }

    /// The store that it belongs to.
    var store: String
    var kind: Kind

    init(_ name: String, isThere: (String) -> Bool) {
      (store, kind) = (name, .store)
      if let end = StoreFile.journalEnds.first(where: name.hasSuffix) {
        (store, kind) = (String(name.dropLast(end.count)), .journal)
        let owner = ParsedName(store, isThere: isThere)
        // The journals of the destination are moved with it.
        if owner.kind == .coreDataDestination, isThere(store) { kind = .companion }
      } else if let target = FolderUpdate.target(ofStage: name) {
        (store, kind) = (target, .unfinishedFile)
      } else if let data = ExternalData.supportFolder(ofAside: name) {
        (store, kind) = (data, .dataAside)
      } else if let hidden = Self.hidden(name) {
        self = hidden
      } else if StoreReplacement.originalName(of: name) != name {
        store = StoreReplacement.originalName(of: name)
        kind = .aside
      } else if name.hasPrefix("~"), isThere(String(name.dropFirst())) {
        (store, kind) = (String(name.dropFirst()), .oldRecipe)
      }
    }

    private init(store: String, kind: Kind) {
      self.store = store
      self.kind = kind
    }

    /// `.Topics.sqlite.3012345678`, `.Topics.sqlite.migrationdestination_41b5…`
    private static func hidden(_ name: String) -> ParsedName? {
      guard name.hasPrefix("."), let dot = name.lastIndex(of: ".") else { return nil }
      let store = String(name[..<dot].dropFirst())
      let end = name[dot...].dropFirst()
      guard !store.isEmpty else { return nil }
      if UInt32(end) != nil { return ParsedName(store: store, kind: .stage) }
      let mark = "migrationdestination_"
      return end.hasPrefix(mark) && end.dropFirst(mark.count).allSatisfy(\.isHexDigit)
        ? ParsedName(store: store, kind: .coreDataDestination) : nil
    }
  }

  private mutating func examine(_ name: String, _ parsed: ParsedName) {
    let path = path(name)
    switch parsed.kind {
    case .stage:
      guard Self.isStage(path, for: parsed.store) else { return }
      foundDestination(.strata, path, of: parsed.store, users: Self.users(below: path))
    case .coreDataDestination:
      foundDestination(.coreData, path, of: parsed.store, users: StoreUsers.others(of: path))
    case .companion: return
    case .journal:
      guard !names.contains(parsed.store), let isEmpty = Self.isEmptyJournal(path) else { return }
      found(path, .orphanJournal(isEmpty: isEmpty), users: StoreUsers.others(of: path))
    case .aside:
      guard StoreForm(of: path) != nil || KeptMark.wasSet(on: path) else { return }
      guard names.contains(parsed.store) else {
        found(path, .missingStore(name: parsed.store))
        return kept.append(name)
      }
      guard !FileOperations.isSameFile(path, self.path(parsed.store)) else {
        return found(path, .secondName(of: parsed.store))
      }
      found(path, .setAside(from: parsed.store, version: version(ofAside: name)))
      kept.append(name)
    case .unfinishedFile:
      found(
        path, .unfinishedFile(of: parsed.store, isThere: names.contains(parsed.store)),
        users: StoreUsers.others(of: path))
    case .dataAside: found(path, .dataAside(from: parsed.store))
    case .oldRecipe:
      guard SQLiteFileHeader.begins(path) else { return }
      found(path, .setAside(from: parsed.store, version: nil))
    case .store:
      if Self.isStore(path) { stores.append(name) }
    }
  }

  /// Of several stores set aside, the newest is restored.
  private mutating func keepNewestMissing() {
    func age(_ path: String) -> Duration { FileStatus(path)?.stamp.modified ?? .zero }
    var newest: [String: String] = [:]
    for finding in findings {
      guard case .missingStore(let name) = finding.storeRule else { continue }
      if age(finding.path) >= newest[name].map(age) ?? .zero { newest[name] = finding.path }
    }
    for index in findings.indices {
      guard case .missingStore(let name) = findings[index].storeRule,
        newest[name] != findings[index].path
      else { continue }
      let version = version(
        ofAside: URL(fileURLWithPath: findings[index].path).lastPathComponent)
      findings[index] = Finding(
        .setAside(from: name, version: version), path: findings[index].path,
        users: findings[index].evidence.programs)
    }
  }

  private mutating func foundDestination(
    _ maker: StoreRule.DestinationMaker, _ path: String, of store: String, users: [String]
  ) {
    found(
      path,
      .unfinishedDestination(maker, storeIsThere: names.contains(store), writers: users),
      users: users)
  }

  private mutating func found(_ path: String, _ rule: StoreRule, users: [String] = []) {
    findings.append(Finding(rule, path: path, users: users))
  }

  /// A private folder with the mark of a process; after a power cut its content is unreliable.
  private static func isStage(_ path: String, for store: String) -> Bool {
    guard let status = FileStatus(path), status.kind == .folder, status.permissions == 0o700,
      let names = try? OpenedPath.names(in: path)
    else { return false }
    // The process died before it marked it.
    guard !names.isEmpty else { return true }
    return names.contains(ProcessMark.name)
      && names.allSatisfy { name in
        name.hasSuffix("_SUPPORT") || name.hasPrefix(store)
          || name.hasPrefix(StoreReplacement.storePrefix)
      }
  }

  private static func users(below folder: String) -> [String] {
    let names = (try? OpenedPath.names(in: folder)) ?? []
    if case .other(let process) = ProcessMark.owner(of: folder) { return ["process \(process)"] }
    return Array(Set(names.flatMap { StoreUsers.others(of: "\(folder)/\($0)") })).sorted()
  }

  /// Whether a journal is empty; `nil` for a file that only has such a name.
  ///
  /// Source: SQLite's published file formats: of the WAL, its index and the rollback journal.
  private static func isEmptyJournal(_ path: String) -> Bool? {
    guard let head = try? FileBytes.head(path, count: 8) else { return nil }
    guard !head.isEmpty else { return true }
    let index: [UInt8] = [0x18, 0xE2, 0x2D, 0x00]
    if path.hasSuffix("-shm") {
      return head.starts(with: index) || head.allSatisfy { $0 == 0 } ? true : nil
    }
    let isWAL =
      head.starts(with: [0x37, 0x7F, 0x06, 0x82]) || head.starts(with: [0x37, 0x7F, 0x06, 0x83])
    let isJournal = head.starts(with: RollbackJournal.magic)
    return isWAL || isJournal || head.allSatisfy { $0 == 0 } ? false : nil
  }

  /// Usual file extensions of Core Data stores: an unreadable file with one of them counts as a store.
  private static let storeExtensions: Set<String> = ["sqlite", "storedata", "store"]

  static func hasStoreExtension(_ path: String) -> Bool {
    storeExtensions.contains(URL(fileURLWithPath: path).pathExtension)
  }

  /// Whether it is a SQLite file with metadata, or an incomplete one.
  private static func isStore(_ path: String) -> Bool {
    guard FileManager.default.isReadableFile(atPath: path) else {
      return FileManager.default.fileExists(atPath: path)
        && hasStoreExtension(path)
    }
    if StoreForm(of: path)?.isAtomic == true { return true }
    // Without a header it may be damaged, or incomplete after an interrupted copy or a full disk.
    guard SQLiteFileHeader.begins(path) else {
      return FileStatus(path)?.kind == .file
        && hasStoreExtension(path)
    }
    do throws(StoreError) {
      _ = try SQLiteStore(reading: path)
      return true
    } catch {
      // A WAL of another file can hide the metadata.
      if case .noMetadata = error {
        return (try? StoreExamination.isWALUnclear(StoreFiles(path: path))) == true
      }
      return true
    }
  }
}

extension Finding {
  /// Whether a store that a migration has kept cannot be read whole: the rest is what the migration has found in it.
  fileprivate var isOfKeptStore: Bool {
    switch storeRule {
    case .damage, .unreadable, .missingFiles, .missingWAL, .damagedWAL, .foreignWAL,
      .foreignJournal,
      .unclearJournal, .unclearWAL:
      true
    default: false
    }
  }
}
