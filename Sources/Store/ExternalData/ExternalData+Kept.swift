internal import StrataArchives
internal import StrataEssentials
internal import StrataSQLite

/// The external binary data of a store that a migration in place has kept: a separate folder, whose files are hard
/// links to the original's if the file system supports them.
extension ExternalData {
  /// `.Topics.sqlite.before-Model1_SUPPORT/_EXTERNAL_DATA` beside `Topics.sqlite.before-Model1`.
  static func keptFolder(ofStoreAt path: String) -> String {
    let file = URL(fileURLWithPath: path)
    return file.deletingLastPathComponent()
      .appendingPathComponent(".\(file.lastPathComponent)_SUPPORT/\(folderName)").path
  }

  /// The parent of a folder of external data.
  static func supportFolder(of folder: String) -> String {
    URL(fileURLWithPath: folder).deletingLastPathComponent().path
  }

  /// The folder of binary data that a replacement of a store has moved away under a name: `.Topics_SUPPORT` of
  /// `.Topics_SUPPORT.3012345678`; `nil` for any other name.
  static func supportFolder(ofAside name: String) -> String? {
    guard name.hasPrefix("."), let dot = name.lastIndex(of: "."),
      UInt32(name[name.index(after: dot)...]) != nil, name[..<dot].hasSuffix("_SUPPORT")
    else { return nil }
    return String(name[..<dot])
  }

  /// Moves the files of a folder that was moved away back, beside the existing ones; their names are unique.
  ///
  /// - Returns: Whether any was moved.
  static func giveBack(_ aside: String, to folder: String) throws(StoreError) -> Bool {
    let target = "\(URL(fileURLWithPath: aside).deletingLastPathComponent().path)/\(folder)"
    let (from, to) = ("\(aside)/\(folderName)", "\(target)/\(folderName)")
    try checkFolders([aside, from, target, to])
    guard FileStatus(target) != nil else {
      try FileOperations.move(aside, to: target)
      return true
    }
    let count = try moveFiles(from, to: to)
    // Files whose names are taken stay in it.
    rmdir(from)
    rmdir(aside)
    return count > 0 || FileStatus(aside) == nil
  }

  /// Checks that existing paths are folders and not links, which could point to the files of others.
  private static func checkFolders(_ paths: [String]) throws(StoreError) {
    for path in paths {
      guard let kind = FileStatus(path)?.kind, kind != .folder else { continue }
      let name = URL(fileURLWithPath: path).lastPathComponent
      throw .unwritable(reason: "\(name) is \(kind == .link ? "a link" : "not a folder")")
    }
  }

  /// Moves the plain files of a folder to another one, except where a name is taken.
  ///
  /// - Returns: The number of moved files.
  @discardableResult
  private static func moveFiles(_ from: String, to folder: String) throws(StoreError) -> Int {
    try FileOperations.makeFolder(folder)
    let movable = try names(in: from).filter {
      FileStatus("\(from)/\($0)")?.kind == .file && FileStatus("\(folder)/\($0)") == nil
    }
    for name in movable { try FileOperations.move("\(from)/\(name)", to: "\(folder)/\(name)") }
    try FileOperations.sync(folder)
    return movable.count
  }

  /// Creates synced hard links of files in another folder.
  ///
  /// - Returns: The files that could not be linked.
  func link(_ files: [String], into target: String) throws(StoreError) -> [String] {
    guard !files.isEmpty else { return [] }
    try FileOperations.makeFolder(target)
    var others: [String] = []
    for file in files.sorted() {
      let path = "\(folder)/\(file)"
      try FileOperations.sync(path)
      if try !FileOperations.link(path, to: "\(target)/\(file)") { others.append(file) }
    }
    return others
  }

  /// Copies the existing files that a store refers to to the folder of another store.
  func copy(_ names: Set<String>, to target: ExternalData) throws(StoreError) {
    for name in names.sorted() {
      guard let filePath = filePath(of: name) else { continue }
      try FileOperations.makeFolder(target.folder)
      try FileOperations.copy(filePath, to: "\(target.folder)/\(name)")
    }
  }

  /// Removes the files that a kept store has for itself.
  static func removeKeptFiles(ofStoreAt path: String) {
    FileOperations.removeFolder(supportFolder(of: keptFolder(ofStoreAt: path)))
  }

  /// Moves the files of a kept store back to the folder of its old name, which it is about to get again.
  static func giveBackKeptFiles(ofStoreAt path: String) throws(StoreError) {
    let kept = keptFolder(ofStoreAt: path)
    guard try !names(in: kept).isEmpty else { return }
    let folder = ExternalData(storePath: path).folder
    try checkFolders([supportFolder(of: kept), kept, supportFolder(of: folder), folder])
    try moveFiles(kept, to: folder)
    removeKeptFiles(ofStoreAt: path)
  }
}
