internal import StrataArchives
internal import StrataBase
internal import StrataEssentials
internal import StrataSQLite

/// The binary data of attributes that may be stored in files beside the store.
///
/// The first byte of the column: 1 is followed by the data; 2 by a file name of 36 characters, an upper-case UUID,
/// and a NUL.
///
/// Source: `Docs/Facts/sqlite-schema.md`, section 8 (60 real stores).
struct ExternalData {
  /// The name of the folder in the support folder of a store.
  static let folderName = "_EXTERNAL_DATA"

  /// `.Name_SUPPORT/_EXTERNAL_DATA` beside `Name.sqlite`.
  let folder: String

  /// The folder of the store that is to be replaced: its files also belong to the new store, and its names are
  /// taken.
  private let sharedFolder: String?
  /// The separate folder of a store that was set aside.
  let keptFolder: String?
  /// Records the written files, if they may have to be removed again.
  private let written: WrittenFiles?
  var tracksFiles: Bool { written != nil }
  /// Whether the store is in memory, where all data is inline: it has no folder.
  private let isInMemory: Bool

  /// - Parameters:
  ///   - storePath: The store; empty for one in memory.
  ///   - replaced: The store that is to be replaced.
  init(storePath: String, replacing replaced: String? = nil, written: WrittenFiles? = nil) {
    folder = Self.folder(ofStoreAt: storePath)
    sharedFolder = replaced.map(Self.folder)
    let file = URL(fileURLWithPath: RealPath.resolving(storePath))
    let name = file.lastPathComponent
    keptFolder =
      StoreReplacement.originalName(of: name) == name
      ? nil : Self.keptFolder(ofStoreAt: file.path)
    self.written = written
    isInMemory = storePath.isEmpty
  }

  private static func folder(ofStoreAt path: String) -> String {
    let file = URL(fileURLWithPath: RealPath.resolving(path))
    let name = StoreReplacement.originalName(of: file.lastPathComponent)
    let stem = URL(fileURLWithPath: "/" + name).deletingPathExtension().lastPathComponent
    return file.deletingLastPathComponent()
      .appendingPathComponent(".\(stem)_SUPPORT/\(folderName)").path
  }

  /// The maximum size of inline data in bytes; real stores have values of up to 99,813 bytes inline.
  static let inlineLimit = 100_000

  /// The content of a column: the value itself, or the name of its file.
  enum Stored {
    case inline([UInt8])
    case file(String)
  }

  /// - Throws: ``StoreError/badExternalReference``.
  static func stored(_ bytes: [UInt8]) throws(StoreError) -> Stored {
    switch bytes.first {
    case 1: return .inline(Array(bytes.dropFirst()))
    case 2:
      let name = bytes.dropFirst().prefix { $0 != 0 }
      guard bytes.count == 38, bytes.last == 0, Self.isUUID(name) else {
        throw .badExternalReference
      }
      return .file(String(decoding: name, as: UTF8.self))
    default: throw .badExternalReference
    }
  }

  /// The name of the file of a column; `nil` if it has none.
  static func fileName(in column: AttributeValue) throws(StoreError) -> String? {
    guard case .bytes(let bytes) = column, bytes.first == 2,
      case .file(let name) = try stored(bytes)
    else { return nil }
    return name
  }

  /// A name is only used if it is an upper-case UUID: any other could be a path.
  private static func isUUID(_ name: ArraySlice<UInt8>) -> Bool {
    name.count == 36
      && zip(0..., name).allSatisfy { index, byte in
        [8, 13, 18, 23].contains(index)
          ? byte == UInt8(ascii: "-")
          : UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
            || UInt8(ascii: "A")...UInt8(ascii: "F") ~= byte
      }
  }

  /// The value of a column.
  func value(_ column: AttributeValue) throws(StoreError) -> AttributeValue {
    guard case .bytes(let bytes) = column else { return column }
    switch try Self.stored(bytes) {
    case .inline(let data): return .bytes(data)
    case .file(let name):
      guard let filePath = filePath(of: name) else { throw .missingExternalFile(name) }
      do {
        return .bytes(try FileBytes.read(filePath))
      } catch {
        throw .missingExternalFile(name)
      }
    }
  }

  /// The missing file that a column refers to.
  func missingFile(_ column: AttributeValue) throws(StoreError) -> String? {
    guard case .bytes(let bytes) = column, case .file(let name) = try Self.stored(bytes),
      filePath(of: name) == nil
    else { return nil }
    return name
  }

  /// The missing files of these names.
  func missing(among names: Set<String>) -> Set<String> { names.filter { filePath(of: $0) == nil } }

  // MARK: Copies

  /// The link, in the support folder of a copy in a private folder, to the files of the original: they are read
  /// there; new files are written to the copy.
  private static let inheritedName = "_INHERITED_DATA"

  /// The maximum depth of copies of copies.
  private static let inheritanceLimit = 1000

  private static func inheritance(of folder: String) -> String {
    "\(supportFolder(of: folder))/\(inheritedName)"
  }

  /// The folder of the original, for a copy in a private folder of this process: no other link is followed.
  private static func original(of folder: String) -> String? {
    guard OwnFolders.contain(folder) else { return nil }
    return try? FileManager.default.destinationOfSymbolicLink(atPath: inheritance(of: folder))
  }

  /// Whether a path is the link of a copy in a private folder of this process to the files of its original.
  static func isInheritance(_ path: String) -> Bool {
    URL(fileURLWithPath: path).lastPathComponent == inheritedName && OwnFolders.contain(path)
      && FileStatus(path)?.kind == .link
  }

  /// Links the store to the files of its original.
  func inherit(from original: ExternalData) throws(StoreError) {
    guard
      FileManager.default.fileExists(atPath: original.folder)
        || Self.original(of: original.folder) != nil
    else { return }
    let link = Self.inheritance(of: folder)
    try FileOperations.makeFolder(Self.supportFolder(of: link))
    do {
      try FileManager.default.createSymbolicLink(
        atPath: link, withDestinationPath: original.folder)
    } catch {
      throw .unwritable(reason: FileCause(error).message)
    }
  }

  /// The path of a file, which must not be a link: in the separate folder of a kept store, in the store's own
  /// folder, or in that of its original.
  func filePath(of name: String) -> String? {
    if let keptFolder, OpenedPath.isPlainFile("\(keptFolder)/\(name)") {
      return "\(keptFolder)/\(name)"
    }
    var folder: String? = folder
    for _ in 0..<Self.inheritanceLimit {
      guard let current = folder else { return nil }
      if OpenedPath.isPlainFile("\(current)/\(name)") { return "\(current)/\(name)" }
      folder = Self.original(of: current)
    }
    return nil
  }

  /// The folder for files that no store refers to: `.Topics_SUPPORT/_ORPHANED_DATA`.
  static let asideName = "_ORPHANED_DATA"

  /// Moves files to the folder for orphaned data.
  func setAside(_ names: [String]) throws(StoreError) {
    let aside = "\(Self.supportFolder(of: folder))/\(Self.asideName)"
    try FileOperations.makeFolder(aside)
    for name in names where !FileManager.default.fileExists(atPath: "\(aside)/\(name)") {
      try FileOperations.move("\(folder)/\(name)", to: "\(aside)/\(name)")
    }
  }

  /// The names in a folder, which need not exist. A folder that cannot be read is an error, since it may contain
  /// needed files.
  ///
  /// - Throws: ``StoreError/unreadable(reason:)``.
  static func names(in folder: String) throws(StoreError) -> [String] {
    do throws(FileError) {
      return try OpenedPath.names(in: folder)
    } catch {
      switch error {
      case .notFound, .unreadable(_, .notAFolder), .outOfReach: return []
      default: throw StoreError(error)
      }
    }
  }

  /// The files of the folder with valid names.
  func files() throws(StoreError) -> [String] {
    try Self.names(in: folder)
      .filter { Self.isUUID(Array($0.utf8)[...]) && OpenedPath.isPlainFile("\(folder)/\($0)") }
  }

  /// Syncs files and their folder to the disk before a store that refers to them is committed.
  func sync(_ names: [String]) throws(StoreError) {
    guard !names.isEmpty else { return }
    for name in names { try FileOperations.sync("\(folder)/\(name)") }
    var parent = URL(fileURLWithPath: folder)
    for _ in 1...3 {
      try FileOperations.sync(parent.path)
      parent.deleteLastPathComponent()
    }
  }

  func remove(_ name: String) {
    try? FileOperations.remove("\(folder)/\(name)")
  }

  /// The content of the column for a value; a large value is written to a file.
  ///
  /// - Parameter seed: The seed of the file name: the same store, object and property give the same name.
  func column(_ value: AttributeValue, seed: String) throws(StoreError) -> AttributeValue {
    guard case .bytes(let data) = value else { return value }
    guard data.count > Self.inlineLimit, !isInMemory else { return .bytes([1] + data) }
    var random = SeededRandom(seed: seed)
    var name = random.uuidText()
    while let isSame = try shares(name, data) {
      if isSame { return .bytes([2] + Array(name.utf8) + [0]) }
      name = random.uuidText()
    }
    // A store with checkpoints keeps the files of former values.
    while FileManager.default.fileExists(atPath: "\(folder)/\(name)") { name = random.uuidText() }
    try FileOperations.makeFolder(folder)
    try FileOperations.write(data, to: "\(folder)/\(name)")
    written?.names.append(name)
    return .bytes([2] + Array(name.utf8) + [0])
  }

  /// Whether the replaced store has the same data under this name, which the new store then shares; `nil` if it has
  /// no such file.
  private func shares(_ name: String, _ data: [UInt8]) throws(StoreError) -> Bool? {
    guard let sharedFolder else { return nil }
    let (old, new) = ("\(sharedFolder)/\(name)", "\(folder)/\(name)")
    guard let status = FileStatus(old) else { return nil }
    guard status.kind == .file, status.size == data.count, (try? FileBytes.read(old)) == data else {
      return false
    }
    if FileManager.default.fileExists(atPath: new) { return true }
    try FileOperations.makeFolder(folder)
    // A hard link is enough; without hard links the file gets another name.
    return try FileOperations.link(old, to: new)
  }
}

/// The files written for a store, in order.
final class WrittenFiles {
  var names: [String] = []
}
