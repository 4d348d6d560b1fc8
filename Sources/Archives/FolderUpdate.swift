/// A set of files that are written together: all or none.
///
/// Everything is written and synced under temporary names first; then each file is renamed, and renamed back if a
/// later one fails. A new folder appears with all its contents. A replaced file keeps its mode; if it is a link,
/// the link's target is replaced.
///
/// ```swift
/// var update = FolderUpdate()
/// update.write(Array("<model/>".utf8), to: "/models/App.xcdatamodeld/App 2.xcdatamodel/contents")
/// try update.commit()
/// ```
package struct FolderUpdate {
  private var files: [(path: String, bytes: [UInt8])] = []

  package init() {}

  /// The temporary name of a file: `.out.xml.3012345678.unfinished`.
  static func stageName(for name: String) -> String {
    ".\(name).\(UInt32.random(in: .min ... .max)).\(stageEnd)"
  }

  private static let stageEnd = "unfinished"

  /// The final name of a temporary file that a killed process has left; `nil` for any other name.
  package static func target(ofStage name: String) -> String? {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count >= 4, parts[0].isEmpty, parts[parts.count - 1] == stageEnd,
      UInt32(parts[parts.count - 2]) != nil
    else { return nil }
    return parts[1..<(parts.count - 2)].joined(separator: ".")
  }

  /// Writes one file.
  ///
  /// - Throws: ``FileError/unwritable(_:reason:)``, after which nothing is changed.
  package static func write(_ bytes: [UInt8], to path: String) throws(FileError) {
    var update = FolderUpdate()
    update.write(bytes, to: path)
    try update.commit()
  }

  /// Adds a file; files are renamed in the order in which they were added.
  package mutating func write(_ bytes: [UInt8], to path: String) {
    files.append((path, bytes))
  }

  /// Writes the added files.
  ///
  /// - Throws: ``FileError/unwritable(_:reason:)``, after which nothing is changed.
  package func commit() throws(FileError) { try Self.installAll(staged()) }

  /// Writes everything under temporary names.
  func staged() throws(FileError) -> [Stage] {
    var stages: [Stage] = []
    do {
      for file in files {
        let stage: Stage
        if let known = stages.first(where: { $0.holds(file.path) }) {
          stage = known
        } else {
          stage = try Stage(for: file.path)
          stages.append(stage)
        }
        try stage.write(file.bytes, for: file.path)
      }
      return stages
    } catch {
      for stage in stages { stage.undo() }
      throw error
    }
  }

  static func installAll(_ staged: [Stage]) throws(FileError) {
    var stages = staged
    do {
      for index in stages.indices { try stages[index].install(last: index == stages.count - 1) }
    } catch {
      for stage in stages.reversed() { stage.undo() }
      throw error
    }
    for stage in stages { stage.removeOld() }
  }
}

/// One file, or one new folder, under a temporary name.
struct Stage {
  /// The folder that it belongs to.
  private let folder: OpenFolder
  /// Its final name, and its temporary name.
  private let name: String
  private let stageName: String
  /// The name under which the old file is kept until all files are renamed.
  private let oldName: String
  private var isInstalled = false
  /// The final path.
  private let target: String
  private let isFolder: Bool
  private let permissions: Int?

  fileprivate init(for path: String) throws(FileError) {
    // Links to existing files are followed; new files are created below them.
    let real = try OpenedPath.real(path)
    let absence = real == nil ? OpenedPath.absence(RealPath.parent(of: path)) : nil
    if let absence, absence != .notFound { throw .unwritable(path, reason: absence.message) }
    isFolder = absence != nil
    var target = real ?? path
    while isFolder, OpenedPath.absence(RealPath.parent(of: target)) != nil {
      target = RealPath.parent(of: target)
    }
    self.target = target
    name = RealPath.names(on: target).last ?? ""
    stageName = FolderUpdate.stageName(for: name)
    oldName = FolderUpdate.stageName(for: name)
    do throws(FileError) {
      folder = try OpenFolder(RealPath.parent(of: target))
    } catch .unreadable(_, let cause) {
      throw .unwritable(path, reason: cause.message)
    }
    let status = folder.status(name)
    permissions = status.flatMap { $0.kind == .file ? $0.permissions : nil }
    // A device or a pipe must not become a file, and a file that no one may write must stay.
    switch status?.kind {
    case nil, .link: break
    case .other: throw .unwritable(path, reason: "it is a device or a pipe")
    case .folder: throw .unwritable(path, reason: FileCause.isFolder.message)
    case .file:
      guard folder.mayWrite(name) else { throw .unwritable(path, reason: FileCause.last.message) }
    }
  }

  fileprivate func holds(_ path: String) -> Bool {
    isFolder && RealPath.of(path, isBelow: target)
  }

  fileprivate func write(_ bytes: [UInt8], for path: String) throws(FileError) {
    let depth = RealPath.names(on: target).count
    do throws(FileError) {
      var target = (folder: folder, name: stageName)
      for name in isFolder ? RealPath.names(on: path).dropFirst(depth) : [] {
        target = (try target.folder.folder(target.name), name)
      }
      try target.folder.create(target.name, bytes, permissions: permissions)
    } catch .unreadable(_, let cause) {
      throw .unwritable(path, reason: cause.message)
    } catch .unwritable(_, let reason) {
      throw .unwritable(path, reason: reason)
    }
  }

  /// - Parameter isLast: Whether it is the last file, after which nothing can fail.
  fileprivate mutating func install(last isLast: Bool) throws(FileError) {
    if isFolder { folder.syncAll(in: stageName) }
    // A folder that was created in the meantime is not replaced.
    if !isLast, let status = folder.status(name), status.kind != .folder {
      try folder.keep(name, as: oldName)
    }
    try folder.rename(stageName, to: name)
    isInstalled = true
    folder.sync()
  }

  /// Restores the old file.
  fileprivate func undo() {
    if isInstalled { folder.remove(name) }
    if folder.status(oldName) != nil { try? folder.rename(oldName, to: name) }
    folder.remove(stageName)
    // Renaming a hard link to another name of the same file does nothing.
    folder.removeFile(oldName)
    folder.sync()
  }

  fileprivate func removeOld() { folder.removeFile(oldName) }
}
