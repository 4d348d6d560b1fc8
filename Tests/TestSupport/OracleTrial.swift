import Foundation
package import StrataBase
import StrataMapping
import StrataMigration
package import StrataObjectModel
package import StrataStore

/// One rough store, migrated on every road and shown to the oracle.
package struct OracleTrial {
  private let hop: MigrationPlan.Hop
  private let description: OracleDescription
  private let models: (old: OracleModel, new: OracleModel)
  private let seed: UInt64
  private let version: FrameworkVersion
  private let folder: TemporaryFolder
  private let oracle: Oracle
  private let path: String

  /// `nil` where the new model is the old one to a store, or no mapping model can be inferred.
  package init?(
    from old: ObjectModel, to new: ObjectModel, seed: UInt64, version: FrameworkVersion,
    in folder: TemporaryFolder, _ oracle: Oracle, using random: inout SeededRandom
  ) throws {
    let (old, new) = (
      NamedModel(name: "old", model: try old.marked()),
      NamedModel(name: "new", model: try new.marked())
    )
    guard old.model.versionHashes() != new.model.versionHashes(),
      let hop = try? MigrationPlanner().plan(from: old, to: new).hops.first
    else { return nil }
    self.hop = hop
    description = OracleDescription(hop)
    models = (OracleModel(old.model), OracleModel(new.model))
    self.seed = seed
    self.version = version
    self.folder = folder
    self.oracle = oracle
    path = folder.path("\(seed)-old.sqlite")
    var store = try NewStore(
      path: path, model: old.model, uuid: random.uuidText(), version: version)
    var generator = StoreGenerator(
      old.model, rows: Int.random(in: 1...9, using: &random), seed: seed)
    try generator.fill(&store)
    try store.finish()
    try oracle.roughen(path, models.old, seed: seed)
  }

  /// Whether all roads give the same objects.
  ///
  /// Call it behind ``run(_:)``.
  package func compareMethods(_ record: inout OracleRecord) {
    do {
      func reader(_ name: String) throws -> StoreReader {
        try StoreReader(
          SQLiteStore(reading: folder.path("\(seed)-\(name).sqlite")), model: hop.to.model)
      }
      for method in ["new", "fastest"] {
        let difference = try StoreDifference(between: reader("objects"), and: reader(method))
        guard !difference.isEmpty else { continue }
        record.note(
          "roads", "\(difference.entities.filter { !$0.isEmpty })", at: "\(seed) \(method)")
      }
    } catch {
      record.note("error", "\(error)", at: "\(seed) roads")
    }
  }

  /// - Returns: Whether it migrated in place.
  package func run(_ record: inout OracleRecord) -> Bool {
    do {
      record.note(
        try oracle.validate(path, models.old, keepsDerived: keepsDerived), at: "\(seed) source")
    } catch {
      record.note("oracle", "\(error)", at: "\(seed) source")
    }
    for executor in [PassesRun.Executor.objects, .fastest] {
      let (target, place) = (folder.path("\(seed)-\(executor).sqlite"), "\(seed) \(executor)")
      do {
        let report = try Passes.run(hop, from: path, into: target, executor: executor).report
        guard !report.stopsMigration else { continue }
        try look(at: target, &record, place, inPlace: false, report)
      } catch {
        record.note("error", "\(error)", at: place)
      }
    }
    let (target, place) = (folder.path("\(seed)-new.sqlite"), "\(seed) in place")
    do {
      try FileManager.default.copyItem(atPath: path, toPath: target)
      let data = folder.path(".\(seed)-old_SUPPORT")
      if FileManager.default.fileExists(atPath: data) {
        try FileManager.default.copyItem(
          atPath: data, toPath: folder.path(".\(seed)-new_SUPPORT"))
      }
      let report = try InPlace.run(hop, at: target, version: version).report
      guard !report.stopsMigration else { return false }
      try look(at: target, &record, place, inPlace: true, report)
    } catch {
      record.note("error", "\(error)", at: place)
    }
    return true
  }

  /// Triggers keep derived attributes in step since iOS 13.
  private var keepsDerived: Bool { version.recordsDigest }

  private func look(
    at target: String, _ record: inout OracleRecord, _ place: String, inPlace: Bool,
    _ report: MigrationReport
  ) throws {
    // A store that is made by passes is always one of the newest Core Data.
    record.note(
      try oracle.validate(target, models.new, keepsDerived: keepsDerived || !inPlace), at: place)
    record.note(
      try oracle.compare(path, to: target, description, inPlace: inPlace, named: report.extras),
      at: place)
    record.note(
      try oracle.check(OracleReceipt(report.receipt), of: path, to: target, description),
      at: place)
  }
}
