package import Foundation

/// A fresh folder for one test, removed with all it holds when the test lets it go.
package final class TemporaryFolder: Sendable {
  package let url: URL

  package init() throws {
    url = FileManager.default.temporaryDirectory
      .appendingPathComponent("strata-tests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  package func path(_ name: String) -> String { url.appendingPathComponent(name).path }

  /// Writes a file, making its folders, and returns its path.
  @discardableResult
  package func write(_ bytes: [UInt8], to name: String) throws -> String {
    let file = url.appendingPathComponent(name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: file)
    return file.path
  }

  @discardableResult
  package func write(_ text: String, to name: String) throws -> String {
    try write(Array(text.utf8), to: name)
  }

  /// Writes `X.xcdatamodeld` with these versions, each by its entities in XML.
  package func writeBundle(_ versions: KeyValuePairs<String, String>) throws {
    for (name, entities) in versions {
      try write("<model>\(entities)</model>", to: "X.xcdatamodeld/\(name).xcdatamodel/contents")
    }
  }

  /// Every file below the folder with its bytes and modification time: what must not change.
  package func state() throws -> [String: FileState] {
    try FileState.all(below: url)
  }
}

/// A file as it is: its bytes, and when it was last written.
package struct FileState: Hashable, Sendable {
  package var bytes: Data
  package var modified: Date

  package static func all(below folder: URL) throws -> [String: FileState] {
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
