internal import Foundation
internal import StrataArchives
package import StrataBase
package import StrataObjectModel
package import StrataSQLite

/// A store that another one takes the place of, in one instant: a crash before leaves the old one, a crash
/// after it the new one.
///
/// The new store is made beside the old one. No one can open the old one from the moment that it is looked at for
/// the last time until the new one is in its place.
///
/// ```swift
/// let replacement = try StoreReplacement(of: path)
/// try makeStore(replacement.stagedPath)
/// try replacement.faults(model, objects: 3)  // []
/// try replacement.commit(settingAside: "\(path).before-Model1")
/// ```
package struct StoreReplacement: ~Copyable {
  /// The store itself, where the path given is a link.
  package let path: String
  private let stage: PrivateFolder
  /// What the old store was when the replacement began.
  private let before: StoreFiles

  /// Begins a replacement: what is in the store's journals goes into it.
  ///
  /// - Throws: ``StoreError/openElsewhere(_:)``, ``StoreError/locked``,
  ///   ``StoreError/unwritable(reason:)``, and what says that the file is no store.
  package init(of given: String) throws(StoreError) {
    let url = URL(fileURLWithPath: given).resolvingSymlinksInPath()
    let files = try StoreFiles(path: url.path)
    _ = try files.hotJournal()
    try StoreUsers.check(url.path)
    if files.hasWALFrames || files.hasHotJournal { try Self.takeJournals(url.path) }
    try Self.checkLock(url.path)
    let before = try StoreFiles(path: url.path)
    let stage = try PrivateFolder(
      path: url.deletingLastPathComponent()
        .appendingPathComponent(Self.stageName(for: url.lastPathComponent)).path)
    path = url.path
    self.before = before
    self.stage = stage
  }

  /// Says before the work what would stop its last step.
  private static func checkLock(_ path: String) throws(StoreError) { _ = try StoreLock(path) }

  /// The folder beside a store in which another is made: `.Topics.sqlite.3012345678`.
  static func stageName(for name: String) -> String {
    ".\(name).\(UInt32.random(in: .min ... .max))"
  }

  /// How the names of stores begin that are made in the folder on the way to the new one.
  package static let wayPrefix = "strata-"

  /// What a store is called in the folder where it is made, whatever its own name is: SQLite opens no path of more than
  /// 512 bytes, and the folder's path holds that name already.
  static let stagedName = wayPrefix + "new"

  /// Where the new store is to be made.
  package var stagedPath: String { "\(stage.path)/\(Self.stagedName)" }

  /// Plays the journals into the store; afterwards there are none.
  private static func takeJournals(_ path: String) throws(StoreError) {
    let connection = try SQLiteConnection(changingStoreAt: path, hasBudget: false)
    _ = try connection.rows("PRAGMA locking_mode = EXCLUSIVE")
    try connection.execute("BEGIN EXCLUSIVE")
    try connection.execute("COMMIT")
    let answer = try connection.rows("PRAGMA wal_checkpoint(TRUNCATE)")
    guard answer.first?.first != .integer(1) else { throw .locked }
  }

  // MARK: The check

  /// Asks whether the new store is what it should be, as the disk has it.
  ///
  /// - Parameter objects: How many it must have.
  /// - Returns: What is wrong.
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

  // MARK: The replacement

  /// Gives the new store the place of the old one.
  ///
  /// - Parameter aside: Where the old store is kept; it must not be there. With `nil` the old store goes,
  ///   with the external data that only it has.
  /// - Throws: ``StoreError/changedMeanwhile``, ``StoreError/openElsewhere(_:)``,
  ///   ``StoreError/locked``, ``StoreError/alreadyExists``, ``StoreError/unwritable(reason:)``: then the old
  ///   store stands as it was.
  /// - Returns: What failed afterwards: the new store stands all the same.
  package consuming func commit(
    settingAside aside: String?
  ) throws(StoreError) -> [Diagnostic] {
    // The work is done: it is worth some waiting for other programs, which no budget counts.
    try StoreUsers.check(path, patience: 10)
    let (old, new) = (path, stagedPath)
    let abandoned = aside == nil ? try ExternalData.filesOnly(of: old, besides: [new]) : []
    let lock = try StoreLock(path)
    guard try StoreFiles(path: path, head: lock.head(StoreFiles.headSize)) == before else {
      throw .changedMeanwhile
    }
    let parent = URL(fileURLWithPath: path).deletingLastPathComponent().path
    let kept = "\(stage.path)/\(Self.wayPrefix)old"
    let usesWAL = before.header.usesWAL
    var added: [String] = []
    var isAside = false
    var openElsewhere: [String] = []
    do throws(StoreError) {
      try addExternalFiles(&added)
      let hasSecondName = try FileOperations.link(path, to: kept)
      // Who has opened the old store in this moment waits for the lock. With it they find a store that has no
      // WAL, and is not at its place: SQLite writes nothing into it, and no WAL beside the new one.
      if usesWAL { try lock.setJournalMode(isWAL: false) }
      try FileOperations.copyOwner(of: path, to: new)
      try FileOperations.sync(new)
      // They hold nothing, and would be played into the new store.
      for end in StoreFile.journalEnds { try FileOperations.remove(path + end) }
      if let aside {
        if try !FileOperations.link(path, to: aside) {
          try lock.copy(to: aside)
          try FileOperations.copyOwner(of: path, to: aside)
        }
        isAside = true
        let folder = URL(fileURLWithPath: aside).deletingLastPathComponent().path
        if folder != parent { try FileOperations.sync(folder) }
      }
      try FileOperations.sync(parent)
      try FileOperations.move(new, to: path)
      let late = hasSecondName ? StoreUsers.others(of: kept) : []
      if !late.isEmpty, (try? FileOperations.move(kept, to: path)) != nil {
        // They would go on with the old store: it stays.
        throw .openElsewhere(late)
      }
      openElsewhere = late
    } catch {
      if usesWAL { try? lock.setJournalMode(isWAL: true) }
      if isAside, let aside { try? FileOperations.remove(aside) }
      for file in added { try? FileOperations.remove(file) }
      throw error
    }
    // The new store stands: what may still fail is only how soon the disk knows.
    var warnings = FileOperations.syncAfterCommit(parent)
    _ = consume lock
    let external = ExternalData(storePath: path)
    for name in abandoned { external.remove(name) }
    if !openElsewhere.isEmpty {
      warnings.append(StoreError.openElsewhere(openElsewhere).diagnostic.asWarning)
    }
    return warnings
  }

  /// The new store's files join those that are there; none is replaced.
  private func addExternalFiles(_ added: inout [String]) throws(StoreError) {
    let own = ExternalData(storePath: stagedPath).folder
    let names = try ExternalData.names(in: own)
    let folder = ExternalData(storePath: path).folder
    let isThere = FileManager.default.fileExists(atPath: folder)
    guard !names.isEmpty else { return }
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw .unwritable(reason: FileCause(error).words)
    }
    for name in names {
      let (source, target) = ("\(own)/\(name)", "\(folder)/\(name)")
      // What both stores have is one file by two names already.
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
    let support = URL(fileURLWithPath: folder).deletingLastPathComponent()
    try FileOperations.sync(support.path)
  }
}

extension StoreReplacement {
  /// What stands between a store's name and the version that it was at, in the name of one set aside.
  private static let asideMark = ".before-"

  /// The name under which a store is set aside: `Topics.sqlite.before-Model1`, then
  /// `Topics.sqlite.before-Model1-2`.
  ///
  /// - Parameter isTaken: Whether there is something of this name.
  package static func asideName(
    for name: String, version: String, isTaken: (String) throws -> Bool
  ) rethrows -> String {
    let plain = String(version.map { $0 == "/" || $0.isNewline ? "-" : $0 }.prefix(40))
    var candidate = name + asideMark + plain
    var number = 1
    while try isTaken(candidate) {
      number += 1
      candidate = "\(name)\(asideMark)\(plain)-\(number)"
    }
    return candidate
  }

  /// The version that a store set aside was at, by its name.
  static func version(ofAside name: String) -> String? {
    name.range(of: asideMark).map { String(name[$0.upperBound...]) }
  }

  /// The name that the first copy of a store at a version has, by the name of a further one:
  /// `Topics.sqlite.before-Model1` of `Topics.sqlite.before-Model1-2`. `nil` for a name without a number at its end.
  ///
  /// The version's own name may end like that too.
  static func nameWithoutNumber(ofAside name: String) -> String? {
    guard let dash = name.lastIndex(of: "-"), let number = Int(name[name.index(after: dash)...]),
      number > 1, String(number) == name[name.index(after: dash)...],
      version(ofAside: String(name[..<dash]))?.isEmpty == false
    else { return nil }
    return String(name[..<dash])
  }

  /// The name that a store had before it was set aside; its own name where it was not.
  ///
  /// Its external data stays where it was.
  static func originalName(of name: String) -> String {
    guard let mark = name.range(of: asideMark) else { return name }
    let original = String(name[..<mark.lowerBound])
    // `a.before-b.sqlite` is a user's own name.
    return URL(fileURLWithPath: "/" + original).pathExtension.isEmpty ? name : original
  }
}
