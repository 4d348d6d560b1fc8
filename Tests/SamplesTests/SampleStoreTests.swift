import Foundation
import StrataObjectModel
import StrataSamples
import StrataStore
import TestSupport
import Testing

@Suite("Sample stores")
struct SampleStoreTests {
  private static func write(_ name: String, in folder: TemporaryFolder) throws -> String {
    let path = folder.path("\(name).sqlite")
    try #require(StrataSamples.SampleStore.named(name)).write(to: path)
    return path
  }

  @Test(
    "each store is valid, the same every time, and has gaps in its keys",
    arguments: StrataSamples.SampleStore.all.map(\.name))
  func everyStore(name: String) throws {
    #expect(Sample.named(name) == nil)
    let (folder, other) = (try TemporaryFolder(), try TemporaryFolder())
    let path = try Self.write(name, in: folder)
    #expect(
      try Data(contentsOf: URL(fileURLWithPath: path))
        == Data(contentsOf: URL(fileURLWithPath: Self.write(name, in: other))))
    #expect(try Python.integrity(of: path) == "ok")
    let store = try #require(StrataSamples.SampleStore.named(name))
    let model = try #require(store.sample.bundle.version(named: store.version)).read()
    let reader = try StoreReader(SQLiteStore(reading: path), model: model)
    for entity in model.entityNames {
      try reader.forEachProblem(of: entity, among: nil, .stored) { Issue.record("\($0)") }
      let table = try #require(reader.layout.table(of: entity)).name
      let facts = try Python.value(
        "SELECT count(*) || ' ' || max(Z_PK) || ' ' || (SELECT Z_MAX FROM Z_PRIMARYKEY "
          + "WHERE Z_NAME = '\(entity)') FROM \(table)", in: path
      ).split(separator: " ").compactMap { Int($0) }
      try #require(facts.count == 3)
      #expect(facts[0] < facts[2] && facts[1] <= facts[2], "\(entity): \(facts)")
      #expect(facts[0] == store.objects.count { $0.entity == entity })
    }
  }

  @Test("the recipes of Kitchen are created, joined and skipped by their cuisine")
  func kitchen() throws {
    let folder = try TemporaryFolder()
    let path = try Self.write("Kitchen", in: folder)
    func keys(_ condition: String) throws -> String {
      try Python.value("SELECT group_concat(Z_PK) FROM ZRECIPE WHERE \(condition)", in: path)
    }
    #expect(try keys("ZCUISINE IS NULL") == "5,9")
    #expect(try keys("ZCUISINE = 'Indian'") == "1,8")
    #expect(try keys("ZCUISINE = 'French'") == "3,4")
    #expect(try keys("ZCUISINE = 'Italian'") == "7")
    #expect(try keys("ZCHEF = (SELECT Z_PK FROM ZCHEF WHERE ZNAME = 'Julia Child')") == "3,4")
  }

  @Test(
    "Phone has contents of 20 and 26 UTF-16 units, and topics that no part of Model4ToModel5 reads")
  func phone() throws {
    let folder = try TemporaryFolder()
    let path = try Self.write("Phone", in: folder)
    let lengths = try Python.run(
      """
      import sqlite3, sys
      rows = sqlite3.connect(sys.argv[1]).execute("select Z_PK, ZCONTENT from ZTOPIC order by 1")
      print([(key, len(text.encode("utf-16-le")) // 2) for key, text in rows])
      """, arguments: [path])
    #expect(lengths.hasPrefix("[(1, 20), (2, 26), "))
    #expect(lengths.contains("(9, 10)"))
    #expect(
      try Python.value(
        "SELECT group_concat(Z_PK) FROM (SELECT t.Z_PK FROM ZTOPIC t "
          + "LEFT JOIN ZTOPICLIST l ON l.Z_PK = t.ZTOPICLIST "
          + "WHERE l.ZTITLE IS NULL OR NOT l.ZTITLE GLOB '[a-zA-Z]*' ORDER BY t.Z_PK)", in: path)
        == "11,12")
    #expect(
      try Python.value(
        "SELECT count(DISTINCT ZPRESENTERNAME) || ' ' || count(*) FROM ZTOPIC", in: path) == "5 9")
  }
}
