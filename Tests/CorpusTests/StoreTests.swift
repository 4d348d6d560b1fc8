import Foundation
import StrataBase
import StrataObjectModel
import StrataStore
import TestSupport
import Testing

@Suite("Real stores", .needsCorpus)
struct StoreTests {
  @Test("metadata are what Core Data wrote")
  func metadata() throws {
    let stores = try Corpus.expectedStores()
    #expect(stores.count >= 16)
    for (path, expected) in stores {
      let store = try SQLiteStore(reading: Corpus.path(path))
      #expect(store.metadata.versionHashes.mapValues(\.hex) == expected.hashes, "\(path)")
      #expect(store.metadata.uuid == expected.uuid, "\(path)")
      #expect(store.metadata.frameworkVersion == Int64(expected.framework), "\(path)")
      #expect(store.metadata.versionIdentifiers == expected.identifiers, "\(path)")
      if let digest = store.metadata.digest {
        #expect(digest == store.metadata.versionHashes.versionDigest, "\(path)")
      }
      if let checksum = store.metadata.checksum {
        #expect(checksum == store.metadata.versionHashes.versionChecksum, "\(path)")
      }
      try store.checkUnchanged()
    }
  }

  @Test("some of the stores carry a digest and a checksum to compare with")
  func digestsExist() throws {
    var digests = 0
    var checksums = 0
    for path in try Corpus.expectedStores().keys {
      let metadata = try SQLiteStore(reading: Corpus.path(path)).metadata
      digests += metadata.digest == nil ? 0 : 1
      checksums += metadata.checksum == nil ? 0 : 1
    }
    #expect(digests >= 3)
    #expect(checksums >= 1)
  }

  @Test("the model that a store keeps hashes as the store says")
  func cachedModels() throws {
    var checked = 0
    for (path, expected) in try Corpus.expectedStores() {
      let store = try SQLiteStore(reading: Corpus.path(path))
      let model = try store.cachedModel()
      #expect((model != nil) == expected.modelCache, "\(path)")
      guard let model else { continue }
      #expect(model.versionHashes().mapValues(\.hex) == expected.hashes, "\(path)")
      checked += 1
    }
    #expect(checked >= 12)
  }

  @Test("the models that match a store are those that Core Data would open it with")
  func matchingModels() throws {
    let models = try Corpus.expectedHashes().keys.filter { Corpus.exists($0 + "/contents") }
    for (path, expected) in try Corpus.expectedStores() {
      let store = try SQLiteStore(reading: Corpus.path(path))
      let matching = try models.filter { name in
        guard name.split(separator: "/").first == path.split(separator: "/").first else {
          return false
        }
        let model = try ModelVersion(name: name, source: .file(Corpus.path(name))).read()
        return model.versionHashes() == store.metadata.versionHashes
      }
      let readable = expected.matchingModels.filter { Corpus.exists($0 + "/contents") }
      #expect(Set(readable).isSubset(of: Set(matching)), "\(path)")
    }
  }

  /// The expected counts go by `Z_PRIMARYKEY.Z_NAME`, where an in-place rename left the old name.
  private static let recordedName = ["LuxuryCar": "ExpensiveSportCar"]

  @Test("every object is found by the store's own model, rows in the WAL too")
  func rows() throws {
    var checked = 0
    for (path, expected) in try Corpus.expectedStores() {
      let store = try SQLiteStore(reading: Corpus.path(path))
      var model = try store.cachedModel()
      if model == nil,
        let name = expected.matchingModels.first(where: { Corpus.exists($0 + "/contents") })
      {
        model = try ModelVersion(name: name, source: .file(Corpus.path(name))).read()
      }
      guard let model else { continue }
      let reader = try StoreReader(store, model: model)
      var found: [String: Int] = [:]
      for entity in model.entities where !entity.isAbstract {
        let count = try reader.count(of: entity.name)
        if count > 0 { found[Self.recordedName[entity.name] ?? entity.name] = count }
      }
      #expect(found == expected.rows.filter { $0.value > 0 }, "\(path)")
      var known = StoreCounts()
      let strays = try reader.strayRows(&known)
      #expect(strays.isEmpty, "\(path)")
      checked += 1
    }
    #expect(checked >= 14)
  }

  @Test("reading leaves every file of the corpus as it was")
  func nothingChanges() throws {
    for path in try Corpus.expectedStores().keys {
      let folder = URL(fileURLWithPath: Corpus.path(path)).deletingLastPathComponent()
      let before = try FileState.all(below: folder)
      let store = try SQLiteStore(reading: Corpus.path(path))
      _ = try store.cachedModel()
      try store.checkUnchanged()
      #expect(try FileState.all(below: folder) == before, "\(path)")
    }
  }
}
