internal import StrataArchives
internal import StrataEssentials
internal import StrataSQLite

/// Private folders left by killed processes.
enum AbandonedFolders {
  /// The folders of dead processes of this user in a folder for temporary files, in the order of their names.
  ///
  /// Links are not followed, and only folders with the name of a private folder are examined.
  static func paths(in parent: String) -> [String] {
    contents(of: parent).filter(PrivateFolderName.isName).sorted().map { "\(parent)/\($0)" }
      .filter { isOwn($0) && ProcessMark.owner(of: $0) == .dead }
  }

  /// Deletes a folder of a dead process.
  ///
  /// - Returns: Whether it was deleted: not if another process is deleting it, or its owner is alive.
  @discardableResult
  static func remove(_ path: String) -> Bool {
    guard isOwn(path), let lock = ProcessMark.takeOver(path) else { return false }
    defer { close(lock) }
    PrivateFolder.remove(path)
    return true
  }

  /// Deletes the folders that killed processes have left in a folder for temporary files.
  static func sweep(_ parent: String) {
    for path in paths(in: parent) { remove(path) }
    for name in contents(of: parent) where PrivateFolderName.isName(name) {
      removeUnmarked("\(parent)/\(name)")
    }
  }

  /// The names of what is in a folder; none if it cannot be listed.
  private static func contents(of folder: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
  }

  /// Deletes a folder that has had nothing but an incomplete mark for an hour: its process died before it marked it.
  private static func removeUnmarked(_ path: String) {
    guard isOwn(path), let changed = FileStatus(path)?.stamp.modified,
      changed + .seconds(3600) < .seconds(Date().timeIntervalSince1970)
    else { return }
    if contents(of: path) == [ProcessMark.name] { ProcessMark.removeIncomplete(in: path) }
    // Fails if it is not empty.
    rmdir(path)
  }

  /// The size of all files in a folder in bytes.
  static func size(of path: String) -> Int {
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: path)) ?? []
    return names.reduce(0) { size, name in
      let (sum, overflows) = size.addingReportingOverflow(
        FileOperations.size(of: "\(path)/\(name)"))
      return overflows ? .max : sum
    }
  }

  /// Whether it is a folder, not a link, and only accessible to this user.
  private static func isOwn(_ path: String) -> Bool {
    guard let status = FileStatus(path) else { return false }
    return status.kind == .folder && status.isPrivate
  }
}
