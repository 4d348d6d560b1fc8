import Foundation
import StrataBase
import StrataObjectModel
import StrataStore
import TestSupport
import Testing

@testable import StrataCommands

@Suite("migrate --proof")
struct MethodComparisonTests {
  private static func session(_ folder: TemporaryFolder) -> TestSession {
    let session = TestSession(in: folder)
    session("load sample:Topics")
    session("create t.sqlite --model Model2 --rows 4")
    return session
  }

  @Test("in place and in passes give equal objects, and the JSON lists the compared properties")
  func same() throws {
    let folder = try TemporaryFolder()
    let session = Self.session(folder)
    let line = "in place and in passes: 8 equal objects"
    let rehearsed = session("migrate t.sqlite --to Model3 --proof --dry-run")
    #expect(rehearsed.output.contains(line), "\(rehearsed)")
    let output = session("migrate t.sqlite --to Model3 --proof --output new.sqlite")
    #expect(output.status == .done && output.output.contains(line), "\(output)")
    let json = session("migrate t.sqlite --to Model3 --proof --json")
    let answer = try #require(
      try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
    let proof = try #require(answer["proof"] as? [String: Any])
    #expect(proof["ways"] as? String == "same" && proof["objects"] as? Int == 8)
    let hop = try #require((answer["hops"] as? [[String: Any]])?.first)
    #expect((hop["compared"] as? [String])?.contains("Topic.topicList") == true)
    #expect((hop["notCompared"] as? [String: String]) == [:])
    #expect(answer["outcome"] as? String == "migrated")
  }

  @Test(
    "if only one method is possible, the output gives the reason",
    arguments: [
      ("migrate t.sqlite --to Model2", "a mapping model is run in passes"),
      (
        "migrate t.xml --to Model3 --output new.sqlite",
        "an XML or binary store is migrated in passes"
      ),
    ])
  func oneMethod(command: String, reason: String) throws {
    let folder = try TemporaryFolder()
    let session = TestSession(in: folder)
    session("load sample:Topics")
    session("create t.sqlite --model Model1 --rows 2")
    session("create t.xml --model Model2 --rows 2")
    let evaluation = session("\(command) --proof")
    #expect(evaluation.status == .done, "\(evaluation)")
    #expect(
      evaluation.output.contains(
        "in place and in passes: not compared: \(reason)"),
      "\(evaluation)")
  }

  @Test(
    "each hop is compared from the same store",
    arguments: [("progressive", "Model4"), ("lightweight", "Model5"), ("hybrid", "Model5")])
  func hops(strategy: String, target: String) throws {
    let folder = try TemporaryFolder()
    let session = TestSession(in: folder)
    session("load sample:Topics")
    session("create t.sqlite --model Model2 --rows 3")
    let evaluation = session(
      "migrate t.sqlite --to \(target) --strategy \(strategy) --proof --dry-run")
    #expect(evaluation.output.contains(" equal objects"), "\(evaluation)")
    #expect(session("validate t.sqlite").status == .done)
  }

  @Test("stores that differ are an error with the first objects, and nothing is migrated")
  func different() throws {
    let folder = try TemporaryFolder()
    let model = try ObjectModel(
      ModelDocument(entities: [
        {
          var entity = Entity(name: "Item")
          entity.attributes = [Attribute(name: "a", type: .integer32, isOptional: true)]
          return entity
        }()
      ]))
    func store(_ name: String, _ values: [Int64]) throws -> String {
      let path = folder.path(name)
      var store = try NewStore(path: path, model: model, uuid: "A")
      for (index, value) in values.enumerated() {
        try store.insert(
          ObjectRow(key: Int64(index + 1), values: [.integer(value)]), of: "Item")
      }
      try store.finish()
      return path
    }
    let (first, same, other) = (
      try store("1.sqlite", [1, 2]), try store("2.sqlite", [1, 2]),
      try store("3.sqlite", [1, 3, 4])
    )
    #expect(try MethodComparison.sameObjects(first, same, model) == 2)
    for (isRevealing, change) in [(false, "a differs"), (true, "a 2 -> 3")] {
      do {
        _ = try MethodComparison.sameObjects(first, other, model, revealing: isRevealing)
        Issue.record("stores that differ are the same")
      } catch let error as Diagnostic {
        #expect(error.id == "migration.waysDiffer")
        #expect(error.notes == ["Item p2: \(change)", "Item p3 is created only in passes"])
      }
    }
  }

  @Test("a store that one of the two methods refuses is not migrated")
  func refused() throws {
    let folder = try TemporaryFolder()
    let session = Self.session(folder)
    // No migration counts with such a key.
    try StoreFixture.run(
      ["UPDATE ZTOPIC SET Z_PK = -5 WHERE Z_PK = 1"], on: folder.path("t.sqlite"))
    let before = try Data(contentsOf: URL(fileURLWithPath: folder.path("t.sqlite")))
    let evaluation = session("migrate t.sqlite --to Model3 --proof")
    #expect(evaluation.status == .failed, "\(evaluation)")
    #expect(evaluation.diagnostics.contains("[store.keyOutOfRange]"), "\(evaluation)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder.path("t.sqlite"))) == before)
  }
}
