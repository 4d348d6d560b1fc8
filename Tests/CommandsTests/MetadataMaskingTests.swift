import Foundation
import StrataArchives
import StrataBase
import StrataCommands
import TestSupport
import Testing

@Suite("Masked metadata")
struct MetadataMaskingTests {
  /// A word that stands in every value of an application's own keys.
  private static let marker = "Geheimnis"
  private static let number: Int64 = 8_642_097_531

  private static let ownValues: [String: PropertyList] = [
    "appText": .string(marker), "appData": .data(Array(marker.utf8)),
    "appList": .array([.string(marker), .integer(number)]),
    "appTable": .dictionary(["inner": .string(marker), "deep": .array([.string(marker)])]),
    "appNumber": .integer(number), "appReal": .real(Double(number) + 0.5),
    "appDate": .date(Double(number)),
  ]

  private static func session(_ folder: TemporaryFolder) throws -> TestSession {
    let session = TestSession(in: folder)
    let created = session("create s.sqlite --model sample:Topics/Model1 --rows 1")
    #expect(created.status == .done)
    var entries = ownValues
    entries["NSStoreType"] = .string("SQLite")
    entries["NSPersistenceFrameworkVersion"] = .integer(1344)
    entries["NSStoreModelVersionIdentifiers"] = .array([.string("first")])
    entries["NSStoreModelVersionHashes"] = .dictionary([:])
    entries["_NSAutoVacuumLevel"] = .string("2")
    let store = try StoreFixture.OpenStore(folder.path("s.sqlite"))
    try store.run(
      "UPDATE Z_METADATA SET Z_PLIST = ?", blob: PropertyList.dictionary(entries).encoded())
    store.close()
    return session
  }

  @Test(
    "values of an app's own keys are shown only by type and length",
    arguments: ["metadata s.sqlite", "metadata s.sqlite --json"])
  func masked(line: String) throws {
    let folder = try TemporaryFolder()
    let evaluation = try Self.session(folder)(line)
    #expect(evaluation.status == .done)
    let all = evaluation.output + evaluation.diagnostics
    for key in Self.ownValues.keys { #expect(all.contains(key), "\(key)") }
    #expect(!all.contains(Self.marker) && !all.contains("\(Self.number)"), "\(all)")
    #expect(all.contains("string of \(Self.marker.count)"))
    #expect(all.contains("data of \(Self.marker.utf8.count) bytes"))
    // Core Data's own values are no user's.
    #expect(all.contains("_NSAutoVacuumLevel") && all.contains("first"))
  }

  @Test(
    "--reveal shows them",
    arguments: ["metadata s.sqlite --reveal", "metadata s.sqlite --reveal --json"])
  func revealed(line: String) throws {
    let folder = try TemporaryFolder()
    let evaluation = try Self.session(folder)(line)
    #expect(evaluation.output.contains(Self.marker))
    #expect(evaluation.output.contains("\(Self.number)"))
  }
}
