internal import Foundation

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Files that are written together: all of them, or none.
///
/// Everything is written and synced under other names first; only when that has worked, each takes its
/// place. A folder that is not there yet appears whole, with all that is in it. A file that is replaced
/// keeps its mode, and where it is a link, the file that the link leads to is replaced.
///
/// ```swift
/// var update = FolderUpdate()
/// update.write(bytes, to: "/models/App.xcdatamodeld/App 2.xcdatamodel/contents")
/// try update.commit()
/// ```
package struct FolderUpdate {
  private var files: [(path: String, bytes: [UInt8])] = []

  package init() {}

  /// Under which name a file is written before it takes its place: `.out.xml.3012345678.unfinished`.
  static func stageName(for name: String) -> String {
    ".\(name).\(UInt32.random(in: .min ... .max)).\(stageEnd)"
  }

  private static let stageEnd = "unfinished"

  /// What a file of such a name is to become, as a killed process has left it; `nil` for any other name.
  package static func target(ofStage name: String) -> String? {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count >= 4, parts[0].isEmpty, parts[parts.count - 1] == stageEnd,
      UInt32(parts[parts.count - 2]) != nil
    else { return nil }
    return parts[1..<(parts.count - 2)].joined(separator: ".")
  }

  /// Plans a file; files take their places in the order in which they were planned.
  package mutating func write(_ bytes: [UInt8], to path: String) {
    files.append((path, bytes))
  }

  /// Writes what was planned.
  ///
  /// - Throws: ``FileError/unwritable(_:reason:)``, after which everything is as it was.
  package func commit() throws(FileError) {
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
      for stage in stages { try stage.takePlace() }
    } catch {
      for stage in stages { stage.remove() }
      throw error
    }
  }
}

/// One file, or one folder that is not there yet, under a name for the time being.
private struct Stage {
  /// What it becomes.
  private let target: String
  private let place: String
  private let isFolder: Bool

  init(for path: String) throws(FileError) {
    // Links are followed for what is there; what is not there is made below them.
    let real = Self.realPath(path)
    let absence = real == nil ? OpenedPath.absence(Self.parent(of: path)) : nil
    if let absence, absence != .notFound { throw .unwritable(path, reason: absence.words) }
    isFolder = absence != nil
    var target = real ?? path
    while isFolder, !Self.exists(Self.parent(of: target)) { target = Self.parent(of: target) }
    self.target = target
    try Self.check(target, named: path)
    let name = target.split(separator: "/").last.map(String.init) ?? ""
    place = "\(Self.parent(of: target))/\(FolderUpdate.stageName(for: name))"
  }

  /// A device or a pipe must not become a file, and a file that nobody may write is meant to stay.
  private static func check(_ target: String, named path: String) throws(FileError) {
    var status = stat()
    guard stat(target, &status) == 0 else { return }
    guard [.file, .folder].contains(FileStatus(status).kind) else {
      throw .unwritable(path, reason: "it is a device or a pipe")
    }
    guard access(target, W_OK) == 0 else {
      throw .unwritable(path, reason: FileCause.last.words)
    }
  }

  func holds(_ path: String) -> Bool { isFolder && path.hasPrefix(target + "/") }

  func write(_ bytes: [UInt8], for path: String) throws(FileError) {
    let staged = isFolder ? place + path.dropFirst(target.count) : place
    do {
      if isFolder {
        try FileManager.default.createDirectory(
          atPath: Self.parent(of: staged), withIntermediateDirectories: true)
      }
      try Data(bytes).write(to: URL(fileURLWithPath: staged))
      let file = try FileHandle(forUpdating: URL(fileURLWithPath: staged))
      try file.synchronize()
      try file.close()
    } catch {
      throw .unwritable(path, reason: FileCause(error).words)
    }
    var status = stat()
    if stat(target, &status) == 0 { chmod(staged, status.st_mode & 0o7777) }
  }

  func takePlace() throws(FileError) {
    if isFolder {
      let inside = FileManager.default.subpaths(atPath: place) ?? []
      for path in [place] + inside.map({ "\(place)/\($0)" }) { Self.syncNames(in: path) }
    }
    guard rename(place, target) == 0 else {
      throw .unwritable(target, reason: FileCause.last.words)
    }
    Self.syncNames(in: Self.parent(of: target))
  }

  /// Waits until the names in a folder are on the disk, where the file system can say so.
  private static func syncNames(in path: String) {
    let folder = open(path, O_RDONLY | O_DIRECTORY)
    guard folder >= 0 else { return }
    _ = fsync(folder)
    close(folder)
  }

  func remove() { try? FileManager.default.removeItem(atPath: place) }

  private static func parent(of path: String) -> String {
    let parent = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    return parent.isEmpty ? "/" : parent
  }

  private static func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: path)
  }

  private static func realPath(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }
}
