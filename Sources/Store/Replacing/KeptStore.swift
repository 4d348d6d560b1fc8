internal import StrataEssentials
package import StrataSQLite

/// A full copy of a store, kept beside it before a migration changes the store itself.
///
/// Its external binary data is linked into a separate folder: files that the app deletes from the migrated store
/// stay in the copy.
extension SQLiteStore {
  /// Copies the store as this connection sees it. The copy is complete and synced to the disk, or does not appear.
  ///
  /// Requires the lock of a store that is opened for writing, before the first change: the transaction ends, since
  /// SQLite cannot copy within one, and another begins under the same lock.
  ///
  /// - Parameter aside: The path of the copy; it must not exist.
  /// - Throws: ``StoreError/noRoom(needed:available:)``, ``StoreError/alreadyExists``,
  ///   ``StoreError/unwritable(reason:)``: then no part of the copy is left.
  package func keep(at aside: String, _ space: DiskSpace) throws(StoreError) {
    let target = URL(fileURLWithPath: aside)
    let (parent, name) = (target.deletingLastPathComponent().path, target.lastPathComponent)
    let stage = try PrivateFolder(
      path: "\(parent)/\(StoreReplacement.stageName(for: StoreReplacement.originalName(of: name)))")
    let staged = "\(stage.path)/\(StoreReplacement.stagedName)"
    let external = ExternalData(storePath: path)
    let stagedData = ExternalData.keptFolder(ofStoreAt: staged)
    let others = try external.link(external.files(), into: stagedData)
    let bytes = others.reduce(try connection.size()) {
      $0 + FileOperations.size(of: "\(external.folder)/\($1)")
    }
    try space.check(bytes, in: parent)
    for file in others {
      try FileOperations.copy("\(external.folder)/\(file)", to: "\(stagedData)/\(file)")
    }
    try connection.execute("COMMIT")
    try connection.copy(to: staged)
    try connection.execute("BEGIN EXCLUSIVE")
    try FileOperations.copyOwner(of: path, to: staged)
    KeptMark.set(on: staged, named: name)
    try FileOperations.sync(staged)
    try Self.moveOut(staged, with: stagedData, at: aside)
    try FileOperations.sync(parent)
  }

  /// Checks that there is enough space for a copy.
  ///
  /// - Parameter aside: The path of the copy.
  /// - Throws: ``StoreError/noRoom(needed:available:)``.
  package func checkRoom(forCopyAt aside: String, _ space: DiskSpace) throws(StoreError) {
    try space.check(
      try connection.size(), in: URL(fileURLWithPath: aside).deletingLastPathComponent().path)
  }

  /// Moves a copy and its binary data out of the private folder.
  private static func moveOut(
    _ staged: String, with stagedData: String, at aside: String
  ) throws(StoreError) {
    let hasData = FileManager.default.fileExists(atPath: stagedData)
    let (from, to) = (stagedData, ExternalData.keptFolder(ofStoreAt: aside))
    if hasData {
      try FileOperations.sync(from)
      try FileOperations.sync(ExternalData.supportFolder(of: from))
      try FileOperations.move(
        ExternalData.supportFolder(of: from), to: ExternalData.supportFolder(of: to))
    }
    do throws(StoreError) {
      try FileOperations.moveToFreeName(staged, to: aside)
    } catch {
      if hasData { ExternalData.removeKeptFiles(ofStoreAt: aside) }
      throw error
    }
  }

  /// Deletes a copy, with its binary data, of a store that has not changed since; not if the store's journal must still be
  /// rolled back.
  ///
  /// - Returns: Whether it is deleted.
  package static func removeKept(at aside: String, of store: String) -> Bool {
    guard (try? StoreFiles(path: store))?.hasHotJournal == false else { return false }
    try? FileOperations.remove(aside)
    ExternalData.removeKeptFiles(ofStoreAt: aside)
    try? FileOperations.sync(URL(fileURLWithPath: aside).deletingLastPathComponent().path)
    return true
  }
}

extension DiskSpace {
  /// - Throws: ``StoreError/noRoom(needed:available:)``.
  fileprivate func check(_ bytes: Int, in folder: String) throws(StoreError) {
    if let free = available(folder), free < bytes { throw .noRoom(needed: bytes, available: free) }
  }
}
