internal import Foundation
internal import StrataArchives
internal import StrataStore

/// What a replayed document makes or changes: it lies in a private folder, under the names that the
/// document knows, and is gone when the replay ends. The real files never change.
final class FileOverlay {
  /// What another overlay holds: a document that replays others hands it on, to be read.
  struct Contents: Sendable {
    var places: [String: String]
    /// Below these folders lies all of it.
    var roots: [String]
  }

  private let folder: PrivateFolder
  private let inherited: [String]
  /// By the path of an item that was written, its place in the private folder.
  private var places: [String: String] = [:] { didSet { moveCount += 1 } }
  /// How many times an item was given a place.
  private(set) var moveCount = 0
  /// What the document has read or written: all else that is there is not in the way of what it makes.
  private var known: Set<String> = []
  /// Each item has a folder of its own: what lies beside it is no other item's.
  private var homeCount = 0
  private(set) var writeCount = 0

  /// - Parameter below: What the document finds written already, which it does not change.
  /// - Throws: ``StoreError/noTemporaryFolder(reason:)``.
  init(on below: Contents? = nil) throws {
    folder = try PrivateFolder()
    inherited = below?.roots ?? []
    places = below?.places ?? [:]
  }

  /// Below this lies nothing but what the document wrote.
  private var root: String { folder.path }

  /// Below these lies what the document wrote or found written.
  var roots: [String] { [root] + inherited }

  var contents: Contents { Contents(places: places, roots: roots) }

  /// Where a file lies now: elsewhere, once it or a folder above it has been written.
  func current(_ path: String) -> String {
    Self.moved(path, by: places) ?? path
  }

  /// The path that the document knows, of one in the private folder.
  func original(_ path: String) -> String {
    guard roots.contains(where: { path.hasPrefix($0 + "/") }) else { return path }
    let origins = Dictionary(uniqueKeysWithValues: places.map { ($1, $0) })
    return Self.moved(path, by: origins) ?? path
  }

  /// The folder that the document knows, of one in the private folder: also of the home that an item has there.
  func originalFolder(_ folder: String) -> String {
    let known = original(folder)
    guard known == folder else { return known }
    func parent(_ path: String) -> String {
      URL(fileURLWithPath: path).deletingLastPathComponent().path
    }
    return places.first { parent($0.value) == folder }.map { parent($0.key) } ?? folder
  }

  /// The names of what was written in a folder, and of the folders in it into which something was written.
  func names(writtenIn folder: String) -> Set<String> {
    Set(
      places.keys.compactMap { path in
        guard path.hasPrefix(folder + "/") else { return nil }
        return path.dropFirst(folder.count + 1).split(separator: "/").first.map(String.init)
      })
  }

  /// Whether the document knows that a file is there, or something in it.
  func isKnown(_ path: String) -> Bool {
    known.contains { $0 == path || $0.hasPrefix(path + "/") || path.hasPrefix($0 + "/") }
  }

  /// Keeps in mind that the document has met a file.
  func meet(_ path: String) { known.insert(path) }

  /// The place at which a file may be written. What is there already is copied first.
  ///
  /// - Parameter asNew: Whether what the document does not know is as if it were not there: a document that
  ///   made a file finds it there when it is replayed.
  /// - Throws: What is there may not be read, or is neither a file nor a bundle.
  func place(forWriting path: String, asNew: Bool, _ access: FileAccess) throws -> String {
    writeCount += 1
    if path.hasPrefix(root + "/") { return path }
    let path = original(path)
    let isHidden = asNew && !isKnown(path)
    let item = FileAccess.item(holding: path)
    if places[item].map({ !$0.hasPrefix(root + "/") }) ?? true {
      try take(item, isHidden: isHidden && item == path, access)
    }
    let place = current(path)
    // Never a real file.
    if isHidden, place.hasPrefix(root + "/") { try? FileManager.default.removeItem(atPath: place) }
    known.insert(path)
    return place
  }

  /// The place for something new that belongs beside an item which has a place already.
  func place(forNew path: String, beside item: String) -> String {
    let place = URL(fileURLWithPath: item).deletingLastPathComponent()
      .appendingPathComponent(URL(fileURLWithPath: path).lastPathComponent).path
    places[path] = place
    known.insert(path)
    return place
  }

  /// Gives an item a place, and copies what is there.
  private func take(_ item: String, isHidden: Bool, _ access: FileAccess) throws {
    homeCount += 1
    let home = "\(root)/\(homeCount)"
    let place = "\(home)/\(URL(fileURLWithPath: item).lastPathComponent)"
    // Without this folder a command fails as it does where the real one is missing.
    if Self.mayHaveFolder(item) {
      try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
    }
    let parts =
      isHidden ? [] : try access.changeableParts(of: places[item] ?? item, inPlace: false)
    for file in parts {
      try FileCopy.copy(file, to: "\(home)/\(URL(fileURLWithPath: file).lastPathComponent)")
    }
    places[item] = place
  }

  /// Whether the folder of an item is there, as far as may be told: what lies out of reach is not looked at.
  private static func mayHaveFolder(_ item: String) -> Bool {
    let parent = URL(fileURLWithPath: item).deletingLastPathComponent().path
    do throws(FileError) {
      return try OpenedPath.kind(parent) == .folder
    } catch {
      if case .outOfReach = error { return true }
      return false
    }
  }

  /// A path below one of some places, below what the place stands for.
  private static func moved(_ path: String, by places: [String: String]) -> String? {
    var above = path[...]
    while !above.isEmpty {
      if let place = places[String(above)] { return place + path[above.endIndex...] }
      guard let slash = above.lastIndex(of: "/") else { return nil }
      above = above[..<slash]
    }
    return nil
  }
}
