import Foundation
import StrataArchives
import StrataMigration
import StrataObjectModel
import StrataStore

extension FuzzTarget {
  /// What a store caches of its model, compressed or not: a model that is written again has the same hashes.
  static func readModelCache(_ bytes: [UInt8]) throws {
    let archive = (try? Deflate.expand(bytes)) ?? bytes
    guard archive.starts(with: Array("bplist".utf8)) else { return }
    let model = try ObjectModel(ModelDocument(reading: archive))
    _ = StoreLayout(model).tables
    let blob = Deflate.compress(model.archived())
    guard let again = try? ObjectModel(ModelDocument(reading: Deflate.expand(blob))),
      again.versionHashes() == model.versionHashes()
    else { preconditionFailure("what was written has other hashes") }
  }

  /// A store of which some bytes are others, with its WAL, its index and its journal: reading changes nothing.
  static func readFiles(_ bytes: [UInt8]) throws {
    let files = EditedStoreFiles(bytes).files
    let folder = SoundFiles.emptyWork()
    for (ending, bytes) in files { SoundFiles.write(bytes, to: "\(folder)/s\(ending)") }
    defer {
      for (ending, bytes) in files
      where (try? FileBytes.read("\(folder)/s\(ending)")) != bytes {
        preconditionFailure("s\(ending) has changed")
      }
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      precondition(names.count == files.count, "there are \(names)")
    }
    let store = try SQLiteStore(reading: "\(folder)/s")
    let model = (try? store.cachedModel()) ?? topics[0].model
    try read(StoreReader(store, model: model))
  }

  /// A sound store with other values and numbers in its rows. It is read and checked, it equals itself, and in
  /// place and by passes it comes to the same objects or is refused.
  static func readRows(_ bytes: [UInt8]) throws {
    var reader = InputReader(bytes)
    let family = StoreFamily.all[Int(reader.byte()) % StoreFamily.all.count]
    // Were it a byte of the input, libFuzzer would soon do nothing but migrate, which takes ten times as long.
    let lot = bytes.reduce(0, &+) % 16
    let folder = SoundFiles.emptyWork()
    let path = "\(folder)/rows.sqlite"
    SoundFiles.write(family.store, to: path)
    var edits = StoreEdits(reader)
    edits.apply(to: path)
    let model = family.first.model
    switch lot {
    case 0: try migrate(path, in: folder, by: family.small)
    case 1: try migrate(path, in: folder, by: family.large)
    case 2, 3:
      let one = try StoreReader(SQLiteStore(reading: path), model: model)
      let other = try StoreReader(SQLiteStore(reading: path), model: model)
      guard let difference = try? StoreDifference(between: one, and: other) else { return }
      precondition(difference.isEmpty, "a store differs from itself")
    default: try read(StoreReader(SQLiteStore(reading: path), model: model))
    }
  }

  static let topics = (1...5).map { SoundFiles.model("Model\($0)") }

  /// Every row, link and rule.
  private static func read(_ store: consuming StoreReader) throws {
    let reader = store
    var counts = StoreCounts()
    _ = try reader.strayRows(&counts)
    for entity in reader.model.entityNames {
      _ = try? reader.forEachRow(of: entity) { _ in }
      _ = try? reader.forEachProblem(of: entity) { _ in }
      let keys = (try? reader.keys(of: entity)) ?? []
      for key in keys.prefix(3) {
        _ = try? reader.object(key, of: entity)
        for relationship in reader.model.allRelationships(of: entity) {
          _ = try? reader.destinations(of: relationship, from: key)
        }
      }
    }
    try reader.store.checkUnchanged()
  }

  private static func migrate(
    _ path: String, in folder: String, by hop: MigrationPlan.Hop
  ) throws {
    let (first, target) = (hop.from, hop.to)
    let (changed, output) = ("\(folder)/in-place.sqlite", "\(folder)/passes.sqlite")
    try FileManager.default.copyItem(atPath: path, toPath: changed)
    let isChanged = arrives {
      var run = try InPlaceRun(hop, number: 1, of: 1, path: changed)
      try finish(&run)
    }
    let isMigrated = arrives {
      var run = try PassesRun(
        hop, number: 1, of: 1, source: StoreReader(SQLiteStore(reading: path), model: first.model),
        destination: NewStore(path: output, model: target.model, uuid: "B"), executor: .fastest,
        batchSize: 100)
      try finish(&run)
    }
    precondition(isChanged == isMigrated, "in place: \(isChanged), by passes: \(isMigrated)")
    guard isChanged else { return }
    let difference = try StoreDifference(
      between: StoreReader(SQLiteStore(reading: changed), model: target.model),
      and: StoreReader(SQLiteStore(reading: output), model: target.model))
    precondition(difference.isEmpty, "in place and by passes give different objects")
  }

  private static func arrives(_ work: () throws -> Void) -> Bool {
    do {
      try work()
      return true
    } catch {
      return false
    }
  }

  static func finish<Run: MigrationRun & ~Copyable>(_ run: inout Run) throws {
    while run.pending != nil {
      _ = try run.step()
      if run.report.stopsMigration { throw CancellationError() }
    }
  }
}
