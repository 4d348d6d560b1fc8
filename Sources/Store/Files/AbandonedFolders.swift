internal import Foundation
internal import StrataArchives
internal import StrataSQLite

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Private folders of processes that were killed, and can remove nothing themselves.
enum AbandonedFolders {
  /// The folders of dead processes of this user in a folder for temporary files, in the order of their names.
  ///
  /// Links are not followed, and what is not named as a private folder is not looked into.
  static func paths(in parent: String) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
    return names.filter(PrivateFolderName.isName).sorted().map { "\(parent)/\($0)" }.filter {
      path in
      isOwn(path) && ProcessMark.owner(of: path) == .dead
    }
  }

  /// Removes a folder of a dead process.
  ///
  /// - Returns: Whether it was removed: not where another process is doing so, or its owner lives.
  @discardableResult
  static func remove(_ path: String) -> Bool {
    guard isOwn(path), let lock = ProcessMark.takeOver(path) else { return false }
    defer { close(lock) }
    PrivateFolder.remove(path)
    return true
  }

  /// Removes what killed processes have left in a folder for temporary files.
  static func sweep(_ parent: String) {
    for path in paths(in: parent) { remove(path) }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
    for name in names where PrivateFolderName.isName(name) { removeUnmarked("\(parent)/\(name)") }
  }

  /// Removes a folder that is empty since an hour: its process died before it could mark it.
  private static func removeUnmarked(_ path: String) {
    guard isOwn(path), let changed = FileStatus(path)?.stamp.modified,
      changed + .seconds(3600) < .seconds(Date().timeIntervalSince1970)
    else { return }
    // Fails where anything is in it.
    rmdir(path)
  }

  /// Bytes of all files in a folder.
  static func size(of path: String) -> Int {
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: path)) ?? []
    return names.reduce(0) { size, name in
      let (sum, overflows) = size.addingReportingOverflow(
        FileOperations.size(of: "\(path)/\(name)"))
      return overflows ? .max : sum
    }
  }

  /// A folder itself, and no link to one, that belongs to this user alone.
  private static func isOwn(_ path: String) -> Bool {
    guard let status = FileStatus(path) else { return false }
    return status.kind == .folder && status.isPrivate
  }
}
