internal import Foundation
internal import StrataArchives
internal import StrataSQLite

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The binary data of a store that a migration in place has kept: a folder of its own, whose files are second
/// names of the original's where the disk has such.
extension ExternalData {
  /// `.Topics.sqlite.before-Model1_SUPPORT/_EXTERNAL_DATA` beside `Topics.sqlite.before-Model1`.
  static func keptFolder(ofStoreAt path: String) -> String {
    let file = URL(fileURLWithPath: path)
    return file.deletingLastPathComponent()
      .appendingPathComponent(".\(file.lastPathComponent)_SUPPORT/_EXTERNAL_DATA").path
  }

  /// The folder that holds a folder of external data.
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

  /// Moves the files of a folder that was moved away back, beside those that are there: no two have one name.
  static func giveBack(_ aside: String, to folder: String) throws(StoreError) {
    let files = FileManager.default
    let target = "\(URL(fileURLWithPath: aside).deletingLastPathComponent().path)/\(folder)"
    guard files.fileExists(atPath: target) else {
      return try FileOperations.move(aside, to: target)
    }
    let (from, to) = ("\(aside)/\(dataFolder)", "\(target)/\(dataFolder)")
    do {
      try files.createDirectory(atPath: to, withIntermediateDirectories: true)
    } catch {
      throw .unwritable(reason: FileCause(error).words)
    }
    let names = (try? files.contentsOfDirectory(atPath: from)) ?? []
    for name in names where !files.fileExists(atPath: "\(to)/\(name)") {
      try FileOperations.move("\(from)/\(name)", to: "\(to)/\(name)")
    }
    try FileOperations.sync(to)
    // What is left in it, under a name that is taken, stays.
    rmdir(from)
    rmdir(aside)
  }

  private static let dataFolder = "_EXTERNAL_DATA"

  /// Gives files second names in another folder, on the disk.
  ///
  /// - Returns: Those that the disk gives no second name.
  func link(_ files: [String], into target: String) throws(StoreError) -> [String] {
    guard !files.isEmpty else { return [] }
    do {
      try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: true)
    } catch {
      throw .unwritable(reason: FileCause(error).words)
    }
    var others: [String] = []
    for file in files.sorted() {
      let path = "\(folder)/\(file)"
      try FileOperations.sync(path)
      if try !FileOperations.link(path, to: "\(target)/\(file)") { others.append(file) }
    }
    return others
  }

  /// Copies the files that a store names and that are there to the folder of another store.
  func copy(_ names: Set<String>, to target: ExternalData) throws(StoreError) {
    for name in names.sorted() {
      guard let place = place(of: name) else { continue }
      do {
        try FileManager.default.createDirectory(
          atPath: target.folder, withIntermediateDirectories: true)
      } catch {
        throw .unwritable(reason: FileCause(error).words)
      }
      try FileOperations.copy(place, to: "\(target.folder)/\(name)")
    }
  }

  /// Removes the files that a kept store has for itself.
  static func removeKeptFiles(ofStoreAt path: String) {
    try? FileManager.default.removeItem(atPath: supportFolder(of: keptFolder(ofStoreAt: path)))
  }

  /// Moves the files of a kept store back where the store itself looks for them: the kept store is about to
  /// have its old name again.
  static func giveBackKeptFiles(ofStoreAt path: String) throws(StoreError) {
    let kept = keptFolder(ofStoreAt: path)
    let names = try names(in: kept)
    guard !names.isEmpty else { return }
    let folder = ExternalData(storePath: path).folder
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw .unwritable(reason: FileCause(error).words)
    }
    for name in names where !FileManager.default.fileExists(atPath: "\(folder)/\(name)") {
      try FileOperations.move("\(kept)/\(name)", to: "\(folder)/\(name)")
    }
    try FileOperations.sync(folder)
    removeKeptFiles(ofStoreAt: path)
  }
}
