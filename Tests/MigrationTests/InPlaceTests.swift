import Foundation
import StrataExpressions
import StrataMapping
import StrataMigration
import StrataObjectModel
import StrataStore
import StrataTraceEvents
import StrataValues
import TestSupport
import Testing

@Suite("Migrations in place")
struct InPlaceTests {
  private static func plan(_ old: String, _ new: String) throws -> MigrationPlan {
    try MigrationPlan(
      from: NamedModel(name: old, model: SampleStore.model("Topics", old)),
      to: NamedModel(name: new, model: SampleStore.model("Topics", new)))
  }

  @Test("Topics hop by hop: each change is one statement where Core Data has one")
  func topics() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("topics.sqlite")
    try SampleStore.topics(at: path)
    var schemas: [[String]] = []
    for (old, new) in [
      ("Model1", "Model2"), ("Model2", "Model3"), ("Model3", "Model4"), ("Model4", "Model5"),
    ] {
      let (_, _, statements) = try InPlace.run(
        try #require(Self.plan(old, new).hops.first), at: path)
      schemas.append(statements.filter(\.changesSchema).map { String($0.sql.prefix(20)) })
    }
    #expect(
      schemas[0] == ["ALTER TABLE ZTOPIC A"], "an attribute is added: \(schemas[0])")
    #expect(schemas[2].isEmpty, "a hash modifier changes no table: \(schemas[2])")
  }
}
