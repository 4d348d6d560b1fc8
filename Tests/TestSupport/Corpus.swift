package import Foundation

/// The real files by Apple's own tools, which stand beside the repository where they are at hand.
///
/// Tests over them are `.enabled(if: Corpus.isPresent)`: nothing of the corpus is part of the project.
package enum Corpus {
  /// `../shared/corpus`, seen from the root of the repository.
  package static let folder: URL = {
    var root = URL(fileURLWithPath: #filePath)
    for _ in 0..<3 { root.deleteLastPathComponent() }
    return root.deletingLastPathComponent().appendingPathComponent("shared/corpus")
  }()

  package static let isPresent = FileManager.default.fileExists(atPath: folder.path)

  /// The projects that it holds.
  package static let items = Set(
    (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])

  package static func path(_ relative: String) -> String {
    folder.appendingPathComponent(relative).path
  }

  /// Every file of that name, by its path from the corpus, sorted.
  package static func files(named name: String) -> [String] {
    (FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? [])
      .filter { $0.hasSuffix("/" + name) }.sorted()
  }

  /// For each `.xcdatamodel` (path from the corpus), entity name to hash in hex.
  package static func expectedHashes() throws -> [String: [String: String]] {
    try JSONDecoder().decode(
      [String: [String: String]].self,
      from: Data(contentsOf: folder.appendingPathComponent("EXPECTED-HASHES.json")))
  }

  /// What Core Data wrote into a store of the corpus.
  package struct ExpectedStore: Decodable, Sendable {
    package var framework: Int
    package var hashes: [String: String]
    package var identifiers: [String]
    package var matchingModels: [String]
    package var modelCache: Bool
    package var rows: [String: Int]
    package var uuid: String
    package var wal: Bool
    package var digest: String?
  }

  package static func expectedStores() throws -> [String: ExpectedStore] {
    try JSONDecoder().decode(
      [String: ExpectedStore].self,
      from: Data(contentsOf: folder.appendingPathComponent("EXPECTED-STORES.json")))
  }

  package static func exists(_ relative: String) -> Bool {
    FileManager.default.fileExists(atPath: path(relative))
  }
}
