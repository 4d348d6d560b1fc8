internal import StrataArchives
package import StrataBase
internal import StrataEssentials
package import StrataObjectModel
package import StrataSQLite

/// An atomic replacement of a store by another one: after a crash there is either the old or the new store.
///
/// The new store is created beside the old one. The old one is locked from the last check until the new one is
/// at its path.
///
/// ```swift
/// let replacement = try StoreReplacement(of: path)
/// var store = try NewStore(path: replacement.stagedPath, model: model2, uuid: "374C5961-3E41-43E5-915C-383EA914074C")
/// try store.insert("Topic", attributes: ["presenterName": .text("Ada")])
/// try store.finish()
/// try replacement.faults(model2, objects: 1)  // []
/// try replacement.commit(settingAside: "\(path).before-Model1")
/// ```
package struct StoreReplacement: ~Copyable {
  /// The store itself, if the given path is a link.
  package let path: String
  private let stage: PrivateFolder
  /// The state of the old store when the replacement began.
  private let before: StoreFiles

  /// Begins a replacement and checkpoints the store's journals.
  ///
  /// - Throws: ``StoreError/openElsewhere(_:)``, ``StoreError/locked``, ``StoreError/unwritable(reason:)``, and
  ///   errors of a file that is not a store.
  package init(of given: String) throws(StoreError) {
    let url = URL(fileURLWithPath: RealPath.resolving(given))
    let files = try StoreFiles(path: url.path)
    _ = try files.hotJournal()
    try StoreUsers.check(url.path)
    if files.hasWALFrames || files.hasHotJournal { try Self.takeJournals(url.path) }
    // Checked in advance for errors that would stop the last step.
    _ = try StoreLock(url.path)
    let before = try StoreFiles(path: url.path)
    let stage = try PrivateFolder(
      path: url.deletingLastPathComponent()
        .appendingPathComponent(Self.stageName(for: url.lastPathComponent)).path)
    path = url.path
    self.before = before
    self.stage = stage
  }

  /// The folder beside a store in which the new one is created: `.Topics.sqlite.3012345678`.
  static func stageName(for name: String) -> String {
    ".\(name).\(UInt32.random(in: .min ... .max))"
  }

  /// The prefix of the names of intermediate stores in the folder.
  package static let storePrefix = "strata-"

  /// The fixed name of a store in that folder: SQLite opens no path of more than 512 bytes, and the folder's path
  /// already contains the name of the store.
  static let stagedName = storePrefix + "new"

  /// The path at which the new store must be created.
  package var stagedPath: String { "\(stage.path)/\(Self.stagedName)" }

  /// Applies and removes the journals of the store.
  private static func takeJournals(_ path: String) throws(StoreError) {
    let connection = try SQLiteConnection(changingStoreAt: path, hasBudget: false)
    _ = try connection.rows("PRAGMA locking_mode = EXCLUSIVE")
    try connection.execute("BEGIN EXCLUSIVE")
    try connection.execute("COMMIT")
    let answer = try connection.rows("PRAGMA wal_checkpoint(TRUNCATE)")
    guard answer.first?.first != .integer(1) else { throw .locked }
  }

  // MARK: Check

  /// Checks the new store as it is on the disk.
  ///
  /// - Parameter objects: The expected number of objects.
  /// - Returns: The faults; empty if there are none.
  package func faults(_ model: ObjectModel, objects: Int) throws(StoreError) -> [String] {
    try FileOperations.sync(stagedPath)
    let connection = try SQLiteConnection(path: stagedPath, mode: .readWrite, hasBudget: false)
    var faults = try connection.faults()
    let store = try SQLiteStore(connection, path: stagedPath)
    if store.metadata.versionHashes != model.versionHashes() {
      faults.append("its version hashes differ from the model's")
    }
    let reader = try StoreReader(store, model: model)
    var count = 0
    for entity in model.entityNames { count += try reader.count(of: entity) }
    if count != objects { faults.append("it has \(count) of \(objects) objects") }
    return faults
  }

  // MARK: Replacement

  /// Replaces the old store with the new one.
  ///
  /// - Parameter aside: The path at which the old store is kept, which must not exist. With `nil`, the old store is
  ///   deleted, with the external data that only it uses.
  /// - Throws: ``StoreError/changedMeanwhile``, ``StoreError/openElsewhere(_:)``, ``StoreError/locked``,
  ///   ``StoreError/alreadyExists``, ``StoreError/unwritable(reason:)``: then the old store is unchanged.
  /// - Returns: Errors after the replacement, which has succeeded.
  package consuming func commit(
    settingAside aside: String?
  ) throws(StoreError) -> [Diagnostic] {
    // The work is done: wait for other programs, outside of any budget.
    try StoreUsers.check(path, patience: 10)
    let (old, new) = (path, stagedPath)
    let abandoned = aside == nil ? try ExternalData.filesOnly(of: old, besides: [new]) : []
    let lock = try StoreLock(path)
    guard try StoreFiles(path: path, head: lock.head(StoreFiles.headSize)) == before else {
      throw .changedMeanwhile
    }
    let parent = URL(fileURLWithPath: path).deletingLastPathComponent().path
    let kept = "\(stage.path)/\(Self.storePrefix)old"
    let usesWAL = before.header.usesWAL
    var added: [String] = []
    var isAside = false
    var openElsewhere: [String] = []
    do throws(StoreError) {
      try addExternalFiles(&added)
      let hasSecondName = try FileOperations.link(path, to: kept)
      // A program that opens the old store now waits for the lock. When it gets the lock, the store has no WAL and
      // was moved: SQLite writes nothing into it, and no WAL beside the new one.
      if usesWAL { try lock.setJournalMode(isWAL: false) }
      try FileOperations.copyOwner(of: path, to: new)
      try FileOperations.sync(new)
      // They are empty, and would be applied to the new store.
      for end in StoreFile.journalEnds { try FileOperations.remove(path + end) }
      if let aside {
        if try !FileOperations.link(path, to: aside) {
          try lock.copy(to: aside)
          try FileOperations.copyOwner(of: path, to: aside)
        }
        isAside = true
        KeptMark.set(on: aside)
        let folder = URL(fileURLWithPath: aside).deletingLastPathComponent().path
        if folder != parent { try FileOperations.sync(folder) }
      }
      try FileOperations.sync(parent)
      try FileOperations.move(new, to: path)
      let late = hasSecondName ? StoreUsers.others(of: kept) : []
      if !late.isEmpty, (try? FileOperations.move(kept, to: path)) != nil {
        // They would continue with the old store: it stays.
        throw .openElsewhere(late)
      }
      openElsewhere = late
    } catch {
      if usesWAL { try? lock.setJournalMode(isWAL: true) }
      if isAside, let aside { try? FileOperations.remove(aside) }
      for file in added { try? FileOperations.remove(file) }
      throw error
    }
    // The new store is in place: only syncing may still fail.
    var warnings = FileOperations.syncAfterCommit(parent)
    _ = consume lock
    let external = ExternalData(storePath: path)
    for name in abandoned { external.remove(name) }
    if !openElsewhere.isEmpty {
      warnings.append(StoreError.openElsewhere(openElsewhere).diagnostic.asWarning)
    }
    return warnings
  }

  /// The new store's files are added to the existing ones; none is replaced.
  private func addExternalFiles(_ added: inout [String]) throws(StoreError) {
    let own = ExternalData(storePath: stagedPath).folder
    let names = try ExternalData.names(in: own)
    let folder = ExternalData(storePath: path).folder
    let isThere = FileManager.default.fileExists(atPath: folder)
    guard !names.isEmpty else { return }
    try FileOperations.makeFolder(folder)
    for name in names {
      let (source, target) = ("\(own)/\(name)", "\(folder)/\(name)")
      // A file that both stores use is already a hard link.
      guard !FileOperations.isSameFile(source, target) else { continue }
      try FileOperations.copyOwner(of: path, to: source)
      try FileOperations.sync(source)
      if try !FileOperations.link(source, to: target) {
        try FileOperations.move(source, to: target)
      }
      added.append(target)
    }
    try FileOperations.sync(folder)
    guard !isThere else { return }
    try FileOperations.sync(ExternalData.supportFolder(of: folder))
  }
}

extension StoreReplacement {
  /// The separator between a store's name and its version in the name of a store set aside.
  private static let asideMark = ".before-"

  /// What stands for a version without a name in the name of a store set aside: `Topics.sqlite.before-migration`.
  package static let unnamedVersion = "migration"

  /// The name under which a store is set aside: `Topics.sqlite.before-Model1`, then
  /// `Topics.sqlite.before-Model1-2`.
  ///
  /// - Parameter isUsed: Whether the name is used.
  package static func asideName(
    for name: String, version: String, isUsed: (String) throws -> Bool
  ) rethrows -> String {
    let plain = String(version.map { $0 == "/" || $0.isNewline ? "-" : $0 }.prefix(40))
    var candidate = name + asideMark + plain
    var number = 1
    while try isUsed(candidate) {
      number += 1
      candidate = "\(name)\(asideMark)\(plain)-\(number)"
    }
    return candidate
  }

  /// The version of a store set aside, by its name.
  static func version(ofAside name: String) -> String? {
    name.ranges(of: asideMark).last.map { String(name[$0.upperBound...]) }
  }

  /// The name that the first copy of a store at a version has, by the name of a further one:
  /// `Topics.sqlite.before-Model1` of `Topics.sqlite.before-Model1-2`. `nil` for a name without a number at its end.
  ///
  /// The version's own name may have such an end, too.
  static func nameWithoutNumber(ofAside name: String) -> String? {
    guard let dash = name.lastIndex(of: "-"), let number = Int(name[name.index(after: dash)...]),
      number > 1, String(number) == name[name.index(after: dash)...],
      version(ofAside: String(name[..<dash]))?.isEmpty == false
    else { return nil }
    return String(name[..<dash])
  }

  /// The name that a store had before it was set aside; its current name if it was not.
  ///
  /// Its external data is not moved.
  static func originalName(of name: String) -> String {
    // The last one: the user can have chosen a name with such a mark.
    guard let mark = name.ranges(of: asideMark).last, mark.lowerBound > name.startIndex else {
      return name
    }
    let (original, version) = (name[..<mark.lowerBound], name[mark.upperBound...])
    // `a.before-b.sqlite` is a name chosen by the user.
    let isChosen =
      FolderExamination.hasStoreExtension(String(version))
      || !original.dropFirst().contains(".") && version.contains(".")
    return isChosen ? name : String(original)
  }
}
