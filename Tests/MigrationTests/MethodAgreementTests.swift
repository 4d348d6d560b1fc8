import Foundation
import StrataBase
import StrataMapping
import StrataMigration
import StrataObjectModel
import StrataStore
import TestSupport
import Testing

/// Random models, edits and graphs: a migration in place and one in three passes give the same objects.
@Suite("In-place migration and passes")
struct MethodAgreementTests {
  private static func reader(_ path: String, _ model: ObjectModel) throws -> StoreReader {
    try StoreReader(SQLiteStore(reading: path), model: model)
  }

  /// Of each way to migrate in place, and the newest.
  private static let versions = [
    FrameworkVersion.newest, FrameworkVersion(640), FrameworkVersion(866), FrameworkVersion(977),
  ]

  private static let partCount = UInt64(5)

  /// In parts, which run at the same time: each has seeds of all kinds and versions.
  @Test("in-place migration and passes give equal objects", arguments: 1...partCount)
  func agree(part: UInt64) throws {
    let folder = try TemporaryFolder()
    var (migrated, counted) = (0, 0)
    for seed in CaseCount.seeds(600, "METHOD_AGREEMENT_SEEDS")
    where seed % Self.partCount == part % Self.partCount {
      var random = SeededRandom(seed: seed)
      let old = try RandomModel.make(using: &random)
      let edits = Int.random(in: 1...4, using: &random)
      let new =
        try seed / 4 % 2 == 0
        ? RandomModel.edited(old, edits: edits, using: &random)
        : RandomModel.nextVersion(of: old, edits: edits, using: &random)
      guard old.versionHashes() != new.versionHashes(),
        let plan = try? MigrationPlanner().plan(
          from: NamedModel(name: "old", model: old), to: NamedModel(name: "new", model: new)),
        let hop = plan.hops.first
      else { continue }
      let (path, output) = (folder.path("\(seed).sqlite"), folder.path("\(seed)-new.sqlite"))
      let version = Self.versions[Int(seed) % Self.versions.count]
      var store = try NewStore(
        path: path, model: old, uuid: random.uuidText(), version: version)
      var generator = StoreGenerator(old, rows: Int.random(in: 1...9, using: &random), seed: seed)
      try generator.fill(&store)
      try store.finish()
      do {
        let passes = try Passes.run(hop, from: path, into: output).report
        let bulk = folder.path("\(seed)-sql.sqlite")
        let sql = try Passes.run(hop, from: path, into: bulk, executor: .fastest).report
        #expect(sql == passes, "\(seed)")
        let before = folder.path("\(seed)-old.sqlite")
        try FileManager.default.copyItem(atPath: path, toPath: before)
        let cookie = try Self.cookie(of: path)
        let inPlace = try InPlace.run(hop, at: path, version: version)
        #expect(passes.stopsMigration == inPlace.report.stopsMigration, "\(seed)")
        guard !inPlace.report.stopsMigration else {
          #expect(FileManager.default.contentsEqual(atPath: path, andPath: before), "\(seed)")
          continue
        }
        #expect(
          try Self.cookie(of: path) - cookie == inPlace.statements.filter(\.changesSchema).count,
          "\(seed)")
        if let predicted = PredictedStatements(old: old, new: new, version: version),
          !predicted.hasTriggers
        {
          counted += 1
          #expect(
            inPlace.statements.filter(\.changesSchema).count == predicted.total,
            "\(seed), \(predicted.parts): \(inPlace.statements.filter(\.changesSchema).map(\.sql))")
        }
        let first = try Self.reader(path, new)
        let second = try Self.reader(output, new)
        let executors = try StoreDifference(between: second, and: Self.reader(bulk, new))
        #expect(executors.isEmpty, "\(seed): \(executors.entities.filter { !$0.isEmpty })")
        let difference = try StoreDifference(between: first, and: second)
        if !difference.isEmpty {
          Issue.record("\(seed): \(difference.entities.filter { !$0.isEmpty })")
          for statement in inPlace.statements { print(statement.sql.prefix(400)) }
        }
        let comparison = SchemaComparison(
          StoreSchema(new, version: version), found: try first.store.schema())
        #expect(comparison.missing.map(\.sql) == [], "\(seed)")
        #expect(first.store.metadata.versionHashes == new.versionHashes(), "\(seed)")
        #expect(try first.store.cachedModel()?.versionHashes() == new.versionHashes(), "\(seed)")
        if seed % 10 == 0 { #expect(try Python.integrity(of: path) == "ok", "\(seed)") }
        migrated += 1
      } catch {
        Issue.record("\(seed): \(error)")
      }
    }
    #expect(migrated > CaseCount.least(80) && counted > CaseCount.least(40))
  }

  /// SQLite's schema cookie: it moves with each statement that changes the schema.
  private static func cookie(of path: String) throws -> Int {
    let header = try Data(contentsOf: URL(fileURLWithPath: path)).prefix(100)
    return header[40..<44].reduce(0) { $0 << 8 | Int($1) }
  }
}
