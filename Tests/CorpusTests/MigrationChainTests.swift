import Foundation
import StrataArchives
import StrataBase
import StrataMapping
import StrataMigration
import StrataObjectModel
import StrataStore
import TestSupport
import Testing

/// Every neighbouring hop of the chains with real stores: what comes out is compared with the store that
/// Core Data itself left at the next version.
@Suite("Real chains", .needsCorpus, .serialized)
struct MigrationChainTests {
  struct Chain: Sendable, CustomTestStringConvertible {
    var name: String
    var bundle: String
    var versions: [String]
    /// Of each version, where there is one.
    var stores: [String]
    var mappings: String?
    var testDescription: String { name }

    func model(_ place: Int) throws -> NamedModel {
      let file = "\(bundle)/\(versions[place]).xcdatamodel/contents"
      return NamedModel(
        name: versions[place],
        model: try ObjectModel(ModelDocument(reading: FileBytes.read(Corpus.path(file)))))
    }
  }

  static let chains = [
    Chain(
      name: "objcio-moody", bundle: "objcio-moody/Migrations/Migrations/Moody.xcdatamodeld",
      versions: ["Moody", "Moody 2", "Moody 3", "Moody 4", "Moody 5", "Moody 6"],
      stores: ["Moody", "Moody 2", "Moody 3", "Moody 4", "Moody 5"].map {
        "objcio-moody/Migrations/MigrationsTests/\($0).moody"
      }, mappings: "objcio-moody/Migrations/Migrations"),
    Chain(
      name: "wibosco",
      bundle:
        "wibosco-migration-revised/CoreDataMigration-Example/CoreData/Model/CoreDataMigration_Example.xcdatamodeld",
      versions: (1...4).map { "CoreDataMigration_Example" + ($0 == 1 ? "" : " \($0)") },
      stores: (1...3).map {
        "wibosco-migration-revised/CoreDataMigration-ExampleTests/Resources/SQLite/CoreDataMigration_Example_\($0).sqlite"
      }, mappings: "wibosco-migration-revised/CoreDataMigration-Example/CoreData/Migration/Mappings"
    ),
    Chain(
      name: "coredataplus",
      bundle: "coredataplus-sample/Tests/Resources/SampleModel/SampleModel.xcdatamodeld",
      versions: ["SampleModel", "SampleModel2", "SampleModel3"],
      stores: (1...2).map {
        "coredataplus-sample/Tests/Resources/SampleModel/Fixtures/SampleModel_V\($0).sqlite"
      }, mappings: "coredataplus-sample/Tests/Resources/SampleModel/MappingModels"),
  ]

  private static func reader(_ path: String, _ model: ObjectModel) throws -> StoreReader {
    try StoreReader(SQLiteStore(reading: path), model: model)
  }

  /// A copy to write to, with its journal.
  private static func copy(_ store: String, to path: String) throws {
    for end in ["", "-wal"] where FileManager.default.fileExists(atPath: Corpus.path(store + end)) {
      try FileManager.default.copyItem(atPath: Corpus.path(store + end), toPath: path + end)
    }
  }

  /// The statements of a store but for those of persistent history, in no order.
  private static func statements(_ path: String) throws -> Set<String> {
    Set(
      try SQLiteStore(reading: path).schema().filter { !$0.table.hasPrefix("A") }.map(\.sql))
  }

  @Test(
    "in place, as Core Data itself did it: the schema of the next real store", arguments: chains)
  func inPlace(chain: Chain) throws {
    let folder = try TemporaryFolder()
    for (place, store) in chain.stores.enumerated() {
      let (from, to) = (try chain.model(place), try chain.model(place + 1))
      guard
        let plan = try? MigrationPlanner().plan(
          from: from, to: to), let hop = plan.hops.first
      else {
        print("\(chain.name) \(from.name) -> \(to.name): not inferable")
        continue
      }
      let path = folder.path("\(place).sqlite")
      try Self.copy(store, to: path)
      let before = try SQLiteStore(reading: path).metadata
      let version = FrameworkVersion(try #require(before.frameworkVersion))
      let output = folder.path("\(place)-passes.sqlite")
      let passes = try Passes.run(hop, from: path, into: output).report
      let (_, report, statements) = try InPlace.run(hop, at: path, version: version)
      #expect(!report.stopsMigration && !passes.stopsMigration, "\(from.name): \(report.problems)")
      #expect(report.entities.map(\.created) == passes.entities.map(\.created))
      let difference = try StoreDifference(
        between: Self.reader(path, to.model), and: Self.reader(output, to.model))
      #expect(difference.isEmpty)
      #expect(try SQLiteStore(reading: path).metadata.uuid == before.uuid)
      #expect(try Python.integrity(of: path) == "ok")
      if place + 1 < chain.stores.count {
        let real = try Self.statements(Corpus.path(chain.stores[place + 1]))
        let ours = try Self.statements(path)
        // Indexes of old numbers and names may stay.
        #expect(real.subtracting(ours) == [], "\(from.name) -> \(to.name)")
      }
      let changes = statements.filter(\.changesSchema).count
      print(
        "\(chain.name) \(from.name) -> \(to.name): \(changes) schema statements, rows \(report.entities.map(\.created))"
      )
    }
  }

  @Test("SampleModel 1 to 2: the thirteen statements of the real migration, and its very order")
  func sampleModel() throws {
    let chain = Self.chains[2]
    let folder = try TemporaryFolder()
    let path = folder.path("V1.sqlite")
    try Self.copy(chain.stores[0], to: path)
    let hop = try #require(
      MigrationPlanner().plan(
        from: chain.model(0), to: chain.model(1)
      ).hops.first)
    let (_, _, statements) = try InPlace.run(hop, at: path, version: FrameworkVersion(1044))
    #expect(statements.filter(\.changesSchema).count == 13)
    func order(_ path: String) throws -> [String] {
      try SQLiteStore(reading: path).schema().map(\.sql)
    }
    // Which of two tables is made first follows a hash of Foundation's.
    let tables = { (sql: String) in
      !sql.hasPrefix("CREATE TABLE ZCAR") && !sql.hasPrefix("CREATE TABLE ZPERSON")
    }
    #expect(try order(path).filter(tables) == order(Corpus.path(chain.stores[1])).filter(tables))
    let keys = try Self.reader(path, chain.model(1).model).keys(of: "Car")
    #expect(
      try keys == Self.reader(Corpus.path(chain.stores[0]), chain.model(0).model).keys(of: "Car"))
  }

  @Test("by the real mapping models, without their apps' policies", arguments: chains)
  func mappingModels(chain: Chain) throws {
    let folder = try TemporaryFolder()
    let files = Corpus.files(named: "xcmapping.xml").filter { $0.hasPrefix(chain.mappings ?? "-") }
    let mappings = try files.map { file in
      let name = String(file.split(separator: "/").dropLast().last ?? "").replacing(
        ".xcmappingmodel", with: "")
      let document = try MappingDocument(reading: FileBytes.read(Corpus.path(file)))
      return NamedMappingModel(name: name, mapping: document.mapping)
    }
    var migrated = 0
    for (place, store) in chain.stores.enumerated() {
      let (from, to) = (try chain.model(place), try chain.model(place + 1))
      let choice = MappingChoice(from: from, to: to, among: mappings)
      guard let chosen = choice.chosen else { continue }
      let hop = try #require(
        MigrationPlanner(versions: [], mappings: [chosen]).plan(from: from, to: to).hops.first)
      let output = folder.path("\(place).sqlite")
      let report = try Passes.run(
        hop, from: Corpus.path(store), into: output, withoutPolicies: true
      ).report
      let reader = try Self.reader(output, to.model)
      for entity in report.entities where entity.sourceEntity != nil {
        #expect(entity.created == entity.source, "\(entity.mapping)")
      }
      let fast = folder.path("\(place)-sql.sqlite")
      let sql = try Passes.run(
        hop, from: Corpus.path(store), into: fast, withoutPolicies: true, executor: .fastest
      ).report
      #expect(sql == report)
      #expect(try StoreDifference(between: reader, and: Self.reader(fast, to.model)).isEmpty)
      let comparison = SchemaComparison(StoreSchema(to.model), found: try reader.store.schema())
      #expect(comparison.missing.isEmpty && comparison.different.isEmpty)
      print(
        "\(chain.name) \(from.name) -> \(to.name): \(chosen.name), problems \(report.problems.map(\.property)), untaken \(report.unmapped.map(\.entity))"
      )
      migrated += 1
    }
    #expect(migrated > 0)
  }
}
