internal import StrataArchives
internal import StrataEssentials
internal import StrataSQLite

extension ExternalData {
  /// The other SQLite stores in a store's folder that use the same folder for binary data: those whose names differ
  /// only in the extension, and those set aside whose files stayed there.
  static func owners(besides path: String) throws(StoreError) -> [String] {
    let folder = ExternalData(storePath: path).folder
    return try neighbours(of: path).filter {
      let data = ExternalData(storePath: $0)
      return data.folder == folder && data.needsFolder(ofStoreAt: $0)
    }
  }

  /// Whether a store uses the folder of its name: not if it was set aside with a separate folder, or without files.
  private func needsFolder(ofStoreAt path: String) -> Bool {
    guard let keptFolder else { return true }
    guard !FileManager.default.fileExists(atPath: keptFolder) else { return false }
    return (try? SQLiteStore(reading: path).externalFileNames().isEmpty) != true
  }

  /// The other SQLite files in a store's folder, and the files that cannot be read.
  private static func neighbours(of path: String) throws(StoreError) -> [String] {
    let store = URL(fileURLWithPath: RealPath.resolving(path))
    let (parent, own) = (store.deletingLastPathComponent().path, store.lastPathComponent)
    return try names(in: parent).filter { $0 != own }.map { "\(parent)/\($0)" }.filter {
      SQLiteFileHeader.begins($0)
        || FileStatus($0)?.kind == .file && !FileManager.default.isReadableFile(atPath: $0)
    }
  }

  /// The files of binary data to which the other stores in a store's folder refer: a copy under any name may do so.
  ///
  /// - Returns: Also the names of those that cannot be read: they may refer to any file.
  static func filesOfNeighbours(
    of path: String
  ) throws(StoreError) -> (names: Set<String>, unread: [String]) {
    var (files, unread): (Set<String>, [String]) = ([], [])
    for other in try neighbours(of: path) {
      do throws(StoreError) {
        files.formUnion(try SQLiteStore(reading: other).externalFileNames())
      } catch {
        // A file of another program.
        if case .noMetadata = error { continue }
        unread.append(URL(fileURLWithPath: other).lastPathComponent)
      }
    }
    return (files, unread)
  }

  /// The files that only this store in the folder refers to; they are deleted with it.
  ///
  /// - Parameter others: Stores elsewhere that are considered too.
  /// - Throws: ``StoreError`` if one of the stores cannot be read.
  static func filesOnly(
    of path: String, besides others: [String] = []
  ) throws(StoreError) -> Set<String> {
    let names = try SQLiteStore(reading: path).externalFileNames()
    return try subtracting(others, and: path, from: names)
  }

  /// Those of some files that neither a store nor another one in its folder refers to.
  ///
  /// - Throws: ``StoreError`` if one of the stores cannot be read.
  static func unused(among names: Set<String>, of path: String) throws(StoreError) -> Set<String> {
    try subtracting([path], and: path, from: names)
  }

  /// The files to which neither these stores refer nor the others in the folder of a store.
  private static func subtracting(
    _ stores: [String], and path: String, from names: Set<String>
  ) throws(StoreError) -> Set<String> {
    var names = names
    for other in names.isEmpty ? [] : try owners(besides: path) + stores {
      names.subtract(try SQLiteStore(reading: other).externalFileNames())
    }
    guard !names.isEmpty else { return [] }
    let others = try filesOfNeighbours(of: path)
    return others.unread.isEmpty ? names.subtracting(others.names) : []
  }
}
