public import Foundation

/// The real files by Apple's own tools, which stand beside the repository where they are at hand.
///
/// Tests over them are `.enabled(if: Corpus.isPresent)`: nothing of the corpus is part of the project.
public enum Corpus {
  /// `../shared/corpus`, seen from the root of the repository.
  public static let folder: URL = {
    var root = URL(fileURLWithPath: #filePath)
    for _ in 0..<3 { root.deleteLastPathComponent() }
    return root.deletingLastPathComponent().appendingPathComponent("shared/corpus")
  }()

  public static let isPresent = FileManager.default.fileExists(atPath: folder.path)

  /// The projects that it holds.
  public static let items = Set(
    (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])

  public static func path(_ relative: String) -> String {
    folder.appendingPathComponent(relative).path
  }

  /// Every file of that name, by its path from the corpus, sorted.
  public static func files(named name: String) -> [String] {
    (FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? [])
      .filter { $0.hasSuffix("/" + name) }.sorted()
  }

  /// For each `.xcdatamodel` (path from the corpus), entity name to hash in hex.
  public static func expectedHashes() throws -> [String: [String: String]] {
    try JSONDecoder().decode(
      [String: [String: String]].self,
      from: Data(contentsOf: folder.appendingPathComponent("EXPECTED-HASHES.json")))
  }

  /// What Core Data wrote into a store of the corpus.
  public struct ExpectedStore: Decodable, Sendable {
    public var framework: Int
    public var hashes: [String: String]
    public var identifiers: [String]
    public var matchingModels: [String]
    public var modelCache: Bool
    public var rows: [String: Int]
    public var uuid: String
    public var wal: Bool
    public var digest: String?
  }

  public static func expectedStores() throws -> [String: ExpectedStore] {
    try JSONDecoder().decode(
      [String: ExpectedStore].self,
      from: Data(contentsOf: folder.appendingPathComponent("EXPECTED-STORES.json")))
  }

  public static func exists(_ relative: String) -> Bool {
    FileManager.default.fileExists(atPath: path(relative))
  }
}
