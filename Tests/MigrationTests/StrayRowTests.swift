import Foundation
import StrataBase
import StrataMigration
import StrataObjectModel
import StrataSQLite
import StrataStore
import TestSupport
import Testing

/// Rows whose entity number is unknown, with links from and to objects, where their tables are kept.
@Suite("Rows of unknown entities in kept tables")
struct StrayRowTests {
  /// The values of a store's rows of unknown entities, by table and key: those of columns whose name tells no entity
  /// number, which changes with the model.
  private static func strayRows(
    of connection: SQLiteConnection
  ) throws -> [String: [String: AttributeValue]] {
    var found: [String: [String: AttributeValue]] = [:]
    for case .text(let table) in try connection.rows(
      "SELECT name FROM sqlite_master WHERE type = 'table'"
    ).joined() where table.hasPrefix("Z") && !table.hasPrefix("Z_") {
      var columns: [String] = []
      for case .text(let name) in try connection.rows("PRAGMA table_info(\(table.quoted))").map({
        $0[1]
      }) where name.dropFirst().first?.isNumber == false { columns.append(name) }
      let list = columns.map(\.quoted).joined(separator: ", ")
      for row in try connection.rows("SELECT Z_PK, \(list) FROM \(table.quoted) WHERE Z_ENT = 99") {
        found["\(table) \(row[0])"] = Dictionary(
          uniqueKeysWithValues: zip(columns, row.dropFirst()))
      }
    }
    return found
  }

  @Test("they keep their values and links through random changes, and passes find the same links")
  func everyKindOfChange() throws {
    let folder = try TemporaryFolder()
    var (kept, links) = (0, 0)
    for seed in UInt64(1)...60 {
      let path = folder.path("\(seed).sqlite")
      guard let hop = try MigrationPlan.Hop.random(seed: seed, at: path) else { continue }
      let tables = StoreLayout(hop.from.model).tables.map(\.name)
      try StoreFixture.run(
        tables.map { "UPDATE \($0) SET Z_ENT = 99 WHERE Z_PK % 5 = \(seed % 5)" }, on: path)
      let passes = try? Passes.run(hop, from: path, into: folder.path("p\(seed).sqlite")).report
      let before = try Self.strayRows(of: SQLiteConnection(path: path, mode: .readOnly))
      let report: MigrationReport
      do {
        report = try InPlace.run(hop, at: path).report
      } catch {
        Issue.record("\(seed): \(error)")
        continue
      }
      guard !report.stopsMigration else { continue }
      let after = try Self.strayRows(of: SQLiteConnection(path: path, mode: .readOnly))
      #expect(after.count == report.keptStrayRows, "\(seed)")
      #expect(before.count == report.keptStrayRows + report.strayRows, "\(seed)")
      for (name, row) in after {
        let was = try #require(before[name], "\(seed): \(name)")
        for (column, value) in row {
          guard let old = was[column] else { continue }
          #expect(value == old, "\(seed): \(name), \(column)")
          if case .integer = value, !column.hasPrefix("Z_") { links += 1 }
        }
      }
      kept += after.count
      if let passes {
        #expect(
          passes.links.map { [$0.count, $0.dangling] }
            == report.links.map { [$0.count, $0.dangling] }, "\(seed)")
      }
    }
    #expect(kept > 100 && links > 100, "\(kept) \(links)")
  }
}
