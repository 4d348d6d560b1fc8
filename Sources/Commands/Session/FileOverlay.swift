internal import StrataArchives
internal import StrataEssentials
internal import StrataStore

/// The files that a replayed document creates or changes. They are in a private folder, visible under the
/// names that the document uses, and are deleted when the replay ends. Real files never change.
final class FileOverlay {
  /// The contents of an overlay, passed to replayed documents for reading.
  struct Contents: Sendable {
    var privatePaths: [String: String]
    /// The private folders that contain the files.
    var roots: [String]
  }

  private let folder: PrivateFolder
  private let inherited: [String]
  /// The private path of each written item, by its original path.
  private var privatePaths: [String: String] = [:] { didSet { moveCount += 1 } }
  /// The number of items that were given a private path.
  private(set) var moveCount = 0
  /// The paths that the document has read or written. Other existing files do not conflict with new files.
  private var known: Set<String> = []
  /// Each item has its own folder, so that files next to it belong to it.
  private var copyFolderCount = 0
  private(set) var writeCount = 0

  /// - Parameter below: Files that are already written; the document cannot change them.
  /// - Throws: ``StoreError/noTemporaryFolder(reason:)``.
  init(on below: Contents? = nil) throws {
    folder = try PrivateFolder()
    inherited = below?.roots ?? []
    privatePaths = below?.privatePaths ?? [:]
  }

  /// The private folder, which contains only files of the document.
  private var root: String { folder.path }

  /// The private folders with the files that the document wrote or found.
  var roots: [String] { [root] + inherited }

  var contents: Contents { Contents(privatePaths: privatePaths, roots: roots) }

  /// The current path of a file: private if it or a parent folder has been written.
  func current(_ path: String) -> String {
    Self.moved(path, by: privatePaths) ?? path
  }

  /// The original path of a path in the private folder.
  func original(_ path: String) -> String {
    guard roots.contains(where: { path.hasPrefix($0 + "/") }) else { return path }
    let origins = Dictionary(uniqueKeysWithValues: privatePaths.map { ($1, $0) })
    return Self.moved(path, by: origins) ?? path
  }

  /// The original folder of a folder in the private folder, including the folder of a single item.
  func originalFolder(_ folder: String) -> String {
    let known = original(folder)
    guard known == folder else { return known }
    func parent(_ path: String) -> String {
      URL(fileURLWithPath: path).deletingLastPathComponent().path
    }
    return privatePaths.first { parent($0.value) == folder }.map { parent($0.key) } ?? folder
  }

  /// The names of the files written in a folder, and of its subfolders with written files.
  func names(writtenIn folder: String) -> Set<String> {
    Set(
      privatePaths.keys.compactMap { path in
        guard path.hasPrefix(folder + "/") else { return nil }
        return path.dropFirst(folder.count + 1).split(separator: "/").first.map(String.init)
      })
  }

  /// Whether the document has read or written a file, or a file in it.
  func isKnown(_ path: String) -> Bool {
    known.contains { $0 == path || $0.hasPrefix(path + "/") || path.hasPrefix($0 + "/") }
  }

  /// Records that the document has read a file.
  func recordRead(_ path: String) { known.insert(path) }

  /// The private path at which a file is written. An existing file is copied there first.
  ///
  /// - Parameter asNew: Whether an existing file that the document has not read is ignored, so that a
  ///   document can create its files again when it is replayed.
  /// - Throws: ``Diagnostic`` if the existing item may not be read or is neither a file nor a bundle.
  func path(forWriting path: String, asNew: Bool, _ access: FileAccess) throws -> String {
    writeCount += 1
    if path.hasPrefix(root + "/") { return path }
    let path = original(path)
    let isHidden = asNew && !isKnown(path)
    let item = FileAccess.item(holding: path)
    if privatePaths[item].map({ !$0.hasPrefix(root + "/") }) ?? true {
      try take(item, isHidden: isHidden && item == path, access)
    }
    let privatePath = current(path)
    // The result is never a real file.
    if isHidden, privatePath.hasPrefix(root + "/") {
      try? FileManager.default.removeItem(atPath: privatePath)
    }
    known.insert(path)
    return privatePath
  }

  /// The private path of a new file next to an item that has a private path.
  func path(forNew path: String, beside item: String) -> String {
    let privatePath = URL(fileURLWithPath: item).deletingLastPathComponent()
      .appendingPathComponent(URL(fileURLWithPath: path).lastPathComponent).path
    privatePaths[path] = privatePath
    known.insert(path)
    return privatePath
  }

  /// Gives an item a private path and copies the existing files.
  private func take(_ item: String, isHidden: Bool, _ access: FileAccess) throws {
    copyFolderCount += 1
    let copyFolder = "\(root)/\(copyFolderCount)"
    let privatePath = "\(copyFolder)/\(URL(fileURLWithPath: item).lastPathComponent)"
    // Without this folder, a command fails as if the real folder were missing.
    if Self.mayHaveFolder(item) {
      try FileManager.default.createDirectory(atPath: copyFolder, withIntermediateDirectories: true)
    }
    let parts =
      isHidden ? [] : try access.changeableParts(of: privatePaths[item] ?? item, inPlace: false)
    for file in parts {
      try FileCopy.copy(file, to: "\(copyFolder)/\(URL(fileURLWithPath: file).lastPathComponent)")
    }
    privatePaths[item] = privatePath
  }

  /// Whether the folder of an item exists; a folder that may not be read is not examined.
  private static func mayHaveFolder(_ item: String) -> Bool {
    let parent = URL(fileURLWithPath: item).deletingLastPathComponent().path
    do throws(FileError) {
      return try OpenedPath.kind(parent) == .folder
    } catch {
      if case .outOfReach = error { return true }
      return false
    }
  }

  /// Maps a path in one of some folders to the folder that it stands for.
  private static func moved(_ path: String, by privatePaths: [String: String]) -> String? {
    var above = path[...]
    while !above.isEmpty {
      if let privatePath = privatePaths[String(above)] {
        return privatePath + path[above.endIndex...]
      }
      guard let slash = above.lastIndex(of: "/") else { return nil }
      above = above[..<slash]
    }
    return nil
  }
}
