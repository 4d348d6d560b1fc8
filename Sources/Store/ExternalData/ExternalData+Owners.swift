internal import Foundation
internal import StrataArchives
internal import StrataSQLite

extension ExternalData {
  /// The other SQLite stores of a store's folder that keep their binary data in the same folder: those of
  /// the same name but for its end, and those set aside whose files stayed there.
  static func owners(besides path: String) throws(StoreError) -> [String] {
    let folder = ExternalData(storePath: path).folder
    return try neighbours(of: path).filter {
      let data = ExternalData(storePath: $0)
      return data.folder == folder && data.needsFolder(ofStoreAt: $0)
    }
  }

  /// Whether a store reads or writes files in the folder of its name: not if it was set aside with a folder of its
  /// own, or without any file.
  private func needsFolder(ofStoreAt path: String) -> Bool {
    guard let keptFolder else { return true }
    guard !FileManager.default.fileExists(atPath: keptFolder) else { return false }
    return (try? SQLiteStore(reading: path).externalFileNames().isEmpty) != true
  }

  /// The other SQLite files of a store's folder: a copy under whatever name may want its binary data.
  static func neighbours(of path: String) throws(StoreError) -> [String] {
    let store = URL(fileURLWithPath: path).resolvingSymlinksInPath()
    let (parent, own) = (store.deletingLastPathComponent().path, store.lastPathComponent)
    return try names(in: parent).filter { $0 != own }.map { "\(parent)/\($0)" }
      .filter(SQLiteFileHeader.begins)
  }

  /// The files that a store names and no other store of the folder does: they go with it.
  ///
  /// - Parameter others: Stores elsewhere that are to count too.
  /// - Throws: ``StoreError`` where one of the stores cannot be read: then nobody knows.
  static func filesOnly(
    of path: String, besides others: [String] = []
  ) throws(StoreError) -> Set<String> {
    var names = try SQLiteStore(reading: path).externalFileNames()
    for other in names.isEmpty ? [] : try owners(besides: path) + others {
      names.subtract(try SQLiteStore(reading: other).externalFileNames())
    }
    for other in names.isEmpty ? [] : try neighbours(of: path) {
      names.subtract((try? SQLiteStore(reading: other).externalFileNames()) ?? [])
    }
    return names
  }
}
