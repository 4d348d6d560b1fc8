import Foundation
import StrataBase
import StrataObjectModel
import StrataStore
import TestSupport
import Testing

/// Real stores read whole and written anew.
@Suite("Copies of real stores", .needsCorpus)
struct StoreCopyTests {
  @Test("a copy has the same objects, Core Data's schema, and SQLite finds it whole")
  func copies() throws {
    let folder = try TemporaryFolder()
    var objects = 0
    for (number, entry) in try Corpus.expectedStores().sorted(by: { $0.key < $1.key }).enumerated()
    {
      let (path, expected) = entry
      let original = try SQLiteStore(reading: Corpus.path(path))
      guard let model = try Corpus.model(of: original, expected) else { continue }
      let reader = try StoreReader(SQLiteStore(reading: Corpus.path(path)), model: model)
      let copy = folder.path("\(number).sqlite")
      // Core Data has saved them all, so the model must allow them.
      for entity in model.entities where !entity.isAbstract {
        try reader.forEachProblem(of: entity.name) { problem in
          Issue.record("\(path): \(problem.location) \(problem.reason)")
        }
      }
      var store = try NewStore(
        path: copy, model: model, uuid: original.metadata.uuid,
        version: FrameworkVersion(Int64(expected.framework)))
      try store.copy(reader)
      try store.finish()

      let written = try SQLiteStore(reading: copy)
      #expect(written.metadata.versionHashes == original.metadata.versionHashes, "\(path)")
      #expect(written.metadata.uuid == expected.uuid)
      #expect(
        SchemaComparison(
          StoreSchema(model, version: FrameworkVersion(Int64(expected.framework))),
          found: try written.schema()
        ).same.count
          == StoreSchema(model, version: FrameworkVersion(Int64(expected.framework))).statements
          .count,
        "\(path)")
      let again = try StoreReader(SQLiteStore(reading: copy), model: model)
      let difference = try StoreDifference(between: reader, and: again)
      #expect(difference.isEmpty, "\(path)")
      objects += difference.entities.reduce(0) { $0 + $1.same }
      for (entity, count) in expected.rows where model[entity]?.isAbstract == false {
        #expect(try again.count(of: entity) == count, "\(path) \(entity)")
      }
      #expect(try Python.integrity(of: copy) == "ok", "\(path)")
    }
    #expect(objects > 1000)
  }
}
