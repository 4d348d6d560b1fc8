import Foundation
import StrataBase
import StrataCommands
import StrataMigration
import TestSupport
import Testing

/// Every real store of the chains to each later version, by each strategy that has a way: where the store is,
/// and into a new one.
@Suite("Strategies on real chains", .needsCorpus)
struct StrategyChainTests {
  private typealias Chain = MigrationChainTests.Chain

  @Test(
    "every store, every later version, every strategy", .part(1),
    arguments: MigrationChainTests.chains)
  func strategies(chain: MigrationChainTests.Chain) throws {
    var (done, refused) = (0, 0)
    // One session reads the models and mapping models once.
    let folder = try TemporaryFolder()
    let session = TestSession(in: folder)
    session(arguments: ["load", Corpus.path(chain.bundle), "--as", "B"])
    for place in chain.stores.indices {
      for target in (place + 1)..<chain.versions.count {
        for strategy in MigrationStrategy.allCases where strategy != .custom {
          let isDone = try migrate(chain, place, target, strategy, in: folder, session)
          if isDone { done += 1 } else { refused += 1 }
          for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.path) {
            try FileManager.default.removeItem(atPath: folder.path(name))
          }
        }
      }
    }
    print("\(chain.name): \(done) migrations, \(refused) without a way")
    #expect(done > 0)
  }

  /// - Returns: Whether there is a way.
  private func migrate(
    _ chain: Chain, _ place: Int, _ target: Int, _ strategy: MigrationStrategy,
    in folder: TemporaryFolder, _ session: TestSession
  ) throws -> Bool {
    let what: Comment = "\(chain.name) \(place) to \(target) by \(strategy)"
    let store = chain.stores[place]
    for end in ["", "-wal"] where FileManager.default.fileExists(atPath: Corpus.path(store + end)) {
      try FileManager.default.copyItem(
        atPath: Corpus.path(store + end), toPath: folder.path("t.sqlite" + end))
    }
    let before = try folder.state()
    var options = ["--to", "B/\(chain.versions[target])"]
    if strategy == .staged {
      let stages = (place..<target).map {
        "stage custom \(chain.versions[$0]) -> \(chain.versions[$0 + 1])"
      }
      options += ["--stages", try folder.write(stages.joined(separator: "\n"), to: "all.stages")]
    } else {
      options += ["--strategy", strategy.rawValue]
      if strategy != .lightweight, let mappings = chain.mappings {
        options += ["--mappings", Corpus.path(mappings)]
      }
    }
    let hasPath = session(arguments: ["plan", "t.sqlite"] + options).status == .done
    let migrate = ["migrate", "t.sqlite"] + options + ["--without-policy"]
    let rehearsed = session(arguments: migrate + ["--dry-run"])
    #expect(try folder.state()["t.sqlite"] == before["t.sqlite"], what)
    guard hasPath, rehearsed.status == .done else {
      // A way by inference may still be one that the rows do not go.
      #expect(rehearsed.status != .done && (hasPath || rehearsed.status == .failed), what)
      #expect(session(arguments: migrate).status == .failed, what)
      let state = try folder.state()["t.sqlite"]
      let isIncomplete = session("doctor t.sqlite").status == .done
      #expect(state == before["t.sqlite"] || hasPath && isIncomplete, what)
      return false
    }
    if strategy != .staged {
      let created = session(arguments: migrate + ["--output", "new.sqlite"])
      #expect(created.status == .done, "\(what): \(created)")
    }
    let done = session(arguments: migrate)
    #expect(done.status == .done, "\(what): \(done)")
    let identified = session(arguments: ["compare", "t.sqlite", "B/\(chain.versions[target])"])
    #expect(identified.status == .done, "\(what): \(identified)")
    #expect(session("doctor t.sqlite").status == .done, what)
    #expect(try Python.integrity(of: folder.path("t.sqlite")) == "ok", what)
    if strategy != .staged {
      let same = session("compare t.sqlite new.sqlite --rows")
      #expect(same.status == .done, "\(what): \(same)")
    }
    return true
  }
}
