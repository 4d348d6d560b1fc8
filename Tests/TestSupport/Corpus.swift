package import Foundation
package import Testing

/// The public files by Apple's own tools, which are no part of the project: `Scripts/corpus` fetches them.
///
/// Tests over them have the trait `.needsCorpus`, and are skipped where the files are missing.
package enum Corpus {
  /// `$STRATA_CORPUS`, or `../shared/corpus` where that folder exists, or `../corpus`, seen from the root of the
  /// repository. Tests/Corpus/location.py says the same for the scripts.
  package static let folder: URL = {
    if let chosen = ProcessInfo.processInfo.environment["STRATA_CORPUS"], !chosen.isEmpty {
      return URL(fileURLWithPath: chosen)
    }
    var root = URL(fileURLWithPath: #filePath)
    for _ in 0..<3 { root.deleteLastPathComponent() }
    let parent = root.deletingLastPathComponent()
    let shared = parent.appendingPathComponent("shared/corpus")
    return FileManager.default.fileExists(atPath: shared.path)
      ? shared : parent.appendingPathComponent("corpus")
  }()

  /// Whether all files were fetched: the expected hashes and rows are written last.
  package static let isPresent = ["EXPECTED-HASHES.json", "EXPECTED-STORES.json"].allSatisfy(exists)

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

extension Trait where Self == ConditionTrait {
  /// Skips tests where the public files are missing. Scripts/test counts these tests by the comment.
  package static var needsCorpus: Self {
    .enabled(if: Corpus.isPresent, "no public files: Scripts/corpus fetches them")
  }

  /// Skips tests where the archived models are missing, which Scripts/corpus cannot fetch.
  package static var needsArchivedModels: Self {
    .enabled(if: Corpus.exists("archived-models"), "no archived models: they are not fetched")
  }
}
