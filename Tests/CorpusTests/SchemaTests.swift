import Foundation
import StrataArchives
import StrataObjectModel
import StrataStore
import TestSupport
import Testing

/// The schema that Strata generates against those that Core Data wrote.
@Suite("Schemas of real stores", .needsCorpus, .serialized)
struct SchemaTests {
  /// What a store has besides its model's schema: the tables of persistent history.
  private static let history: Set = [
    "ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING", "ACHANGE_ZTRANSACTIONID_INDEX",
    "ATRANSACTION_ZAUTHORTS_INDEX", "ATRANSACTION_ZBUNDLEIDTS_INDEX",
    "ATRANSACTION_ZCONTEXTNAMETS_INDEX", "ATRANSACTION_ZPROCESSIDTS_INDEX",
    "Z_TRANSACTION_TransactionAuthorIndex", "Z_TRANSACTION_TransactionTimestampIndex",
    "Z_TRANSACTIONSTRING_UNIQUE_NAME",
  ]
  /// Stores that were migrated in place: their statements were made in another order.
  private static let migrated: Set = [
    "SampleModel_V2.sqlite", "CoreDataMigration_Example_2.sqlite",
  ]
  /// Made by the Core Data of 2008, which did not sort the columns of texts.
  private static let unsorted: Set = ["Recipes.sqlite"]

  @Test("every store of the corpus has the schema of its model, letter by letter")
  func stores() throws {
    var table = ["store | framework | statements | the same | columns in another order | besides"]
    for (path, expected) in try Corpus.expectedStores().sorted(by: { $0.key < $1.key }) {
      let store = try SQLiteStore(reading: Corpus.path(path))
      let name = String(path.split(separator: "/").last ?? "")
      guard let model = try Corpus.model(of: store, expected) else {
        table.append("\(name) | \(expected.framework) | no model at hand")
        continue
      }
      let schema = StoreSchema(model, version: FrameworkVersion(Int64(expected.framework)))
      let comparison = SchemaComparison(schema, found: try store.schema())
      #expect(schema.omissions.isEmpty)
      for (wanted, found) in comparison.different {
        Issue.record("\(name): \(wanted.sql)\nis: \(found.sql)")
      }
      #expect(comparison.missing.map(\.sql) == [], "\(name)")
      #expect(
        comparison.reordered.map(\.name) == (Self.unsorted.contains(name) ? ["ZRECIPE"] : []),
        "\(name)")
      #expect(
        comparison.others.filter { !Self.history.contains($0.name) }.map(\.sql) == [], "\(name)")
      #expect(comparison.isInOrder == !Self.migrated.contains(name), "\(name)")
      table.append(
        "\(name) | \(expected.framework) | \(schema.statements.count) | \(comparison.same.count) | "
          + "\(comparison.reordered.count) | \(comparison.others.count)")
    }
    print(table.joined(separator: "\n"))
    #expect(table.count == 17)
  }

  /// Each with what may differ, and why: join tables and indexes that older systems named, and that
  /// migrations in place kept; two blanks that Core Data writes before a relationship.
  private static let leftovers: [String: Set<String>] = [
    "ChatModel": [],
    "Photos-10.15.7": [
      "Z_GenericAsset_byMonthHighlightBeingFirstAsset", "ZGENERICASSET_Z_ENT_INDEX",
    ],
    "Photos-13.0.1": [],
    "Photos-15.7.1": [
      "Z_3MEMORIESBEINGREPRESENTATIVEASSETS", "Z_3SUGGESTIONSBEINGREPRESENTATIVEASSETS",
      "Z_3MEMORIESBEINGREPRESENTATIVEASSETS_Z_51MEMORIESBEINGREPRESENTATIVEASSETS_INDEX",
      "Z_3SUGGESTIONSBEINGREPRESENTATIVEASSETS_Z_65SUGGESTIONSBEINGREPRESENTATIVEASSETS_INDEX",
    ],
  ]

  @Test(
    "schemas of newer systems: hierarchies, partial indexes, R-trees and derived attributes",
    .needsArchivedModels)
  func archived() throws {
    var table = ["schema | statements | the same | columns in another order | besides"]
    for (name, leftovers) in Self.leftovers.sorted(by: { $0.key < $1.key }) {
      let file = "archived-models/\(name)"
      let compressed = try Data(
        contentsOf: URL(fileURLWithPath: Corpus.path("\(file).modelcache.deflate")))
      let model = try ObjectModel(ModelDocument(reading: Deflate.expand([UInt8](compressed))))
      let schema = StoreSchema(model)
      let text = try String(contentsOfFile: Corpus.path("\(file).schema.sql"), encoding: .utf8)
      let comparison = SchemaComparison(
        schema, found: text.split(separator: "\n").map { Self.statement(String($0)) })
      #expect(schema.omissions == [], "\(name)")
      let unlike = comparison.missing.map(\.name) + comparison.different.map(\.expected.name)
      #expect(Set(unlike) == leftovers, "\(name)")
      #expect(comparison.same.count + comparison.reordered.count > 35)
      table.append(
        "\(name) | \(schema.statements.count) | \(comparison.same.count) | "
          + "\(comparison.reordered.count) | \(comparison.others.count)")
    }
    print(table.joined(separator: "\n"))
  }

  private static func statement(_ line: String) -> StoreSchema.Statement {
    let sql = line.hasSuffix(";") ? String(line.dropLast()) : line
    let tokens = sql.split(separator: " ").filter { $0 != "UNIQUE" && $0 != "VIRTUAL" }
    let kind: StoreSchema.Statement.Kind =
      sql.hasPrefix("CREATE TABLE") ? .table : tokens[1] == "TRIGGER" ? .trigger : .index
    let name = tokens[2].split(separator: "(")[0].replacingOccurrences(of: "\"", with: "")
    // Names that a migration has changed are quoted.
    return .init(
      kind: kind, name: name, table: "",
      sql: sql.replacingOccurrences(of: "\"\(name)\"", with: name))
  }
}

extension Corpus {
  /// The model of a store: one of those that match it, or the one that it keeps itself.
  static func model(
    of store: borrowing SQLiteStore, _ expected: ExpectedStore
  ) throws -> ObjectModel? {
    let files = expected.matchingModels.flatMap { ["\($0)/contents", "\($0)/elements"] }
    guard let file = files.first(where: exists) else { return try store.cachedModel() }
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path(file)))
    return try ObjectModel(ModelDocument(reading: [UInt8](bytes)))
  }
}
