public import Foundation

/// A fresh folder for one test, removed with all it holds when the test lets it go.
public final class TemporaryFolder: Sendable {
  public let url: URL

  public init() throws {
    url = FileManager.default.temporaryDirectory
      .appendingPathComponent("strata-tests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  public func path(_ name: String) -> String { url.appendingPathComponent(name).path }

  /// Writes a file, making its folders, and returns its path.
  @discardableResult
  public func write(_ bytes: [UInt8], to name: String) throws -> String {
    let file = url.appendingPathComponent(name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: file)
    return file.path
  }

  @discardableResult
  public func write(_ text: String, to name: String) throws -> String {
    try write(Array(text.utf8), to: name)
  }

  /// Writes `X.xcdatamodeld` with these versions, each by its entities in XML.
  public func writeBundle(_ versions: KeyValuePairs<String, String>) throws {
    for (name, entities) in versions {
      try write("<model>\(entities)</model>", to: "X.xcdatamodeld/\(name).xcdatamodel/contents")
    }
  }

  /// Every file below the folder with its bytes and modification time: what must not change.
  public func state() throws -> [String: FileState] {
    try FileState.all(below: url)
  }
}

/// A file as it is: its bytes, and when it was last written.
public struct FileState: Hashable, Sendable {
  public var bytes: Data
  public var modified: Date

  public static func all(below folder: URL) throws -> [String: FileState] {
    var states: [String: FileState] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
      let url = folder.appendingPathComponent(name)
      let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
      guard attributes[.type] as? FileAttributeType == .typeRegular else { continue }
      states[name] = FileState(
        bytes: try Data(contentsOf: url),
        modified: attributes[.modificationDate] as? Date ?? .distantPast)
    }
    return states
  }
}
