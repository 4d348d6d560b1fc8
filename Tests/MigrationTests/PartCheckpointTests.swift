import StrataBase
import StrataMapping
import StrataMigration
import StrataObjectModel
import StrataStore
import TestSupport
import Testing

@Suite("Checkpoints of a hop with several mapping models")
struct PartCheckpointTests {
  private static func model(_ name: String, maxCount: Int) throws -> NamedModel {
    let document = """
      <model><entity name="A"><relationship name="r" optional="YES" \(maxCount == 1 ? "maxCount='1'" : "toMany='YES'") destinationEntity="B" inverseName="s" inverseEntity="B"/></entity>
      <entity name="B"><attribute name="n" optional="YES" attributeType="Integer 16"/><relationship name="s" optional="YES" maxCount="1" destinationEntity="A" inverseName="r" inverseEntity="A"/></entity>
      <entity name="C"><attribute name="n" optional="YES" attributeType="Integer 16"/></entity></model>
      """
    return NamedModel(
      name: name, model: try ObjectModel(ModelDocument(reading: Array(document.utf8))))
  }

  @Test("back in an earlier part, its policies choose the objects that they chose before")
  func earlierPart() throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let (old, new) = (try Self.model("old", maxCount: 2), try Self.model("new", maxCount: 1))
    var store = try NewStore(path: folder.path("old.sqlite"), model: old.model, uuid: "A")
    let keys = try (1...3).map { try store.insert("B", attributes: ["n": .integer($0)]).key }
    let relationship = try #require(old.model.relationship("r", of: "A"))
    try store.connect(relationship, of: store.insert("A", attributes: [:]).key, to: keys)
    _ = try store.insert("C", attributes: ["n": .integer(1)])
    try store.finish()
    let parts = try [
      "A: A -> A\n  policy P\n  r <- $source.r through B\n\nB: B -> B\n  omit s", "C: C -> C",
    ].enumerated().map { number, text in
      NamedMappingModel(
        name: "part \(number)",
        mapping: try MappingScript(parsing: text).mapping(
          from: MatchableModel(old.model), to: MatchableModel(new.model)))
    }
    let hop = MigrationPlan.Hop(from: old, to: new, parts: parts, reason: "a test")
    var policies = PolicyRegistry()
    policies.add(
      try PolicyScript.policies(parsing: "policy P\n  keep first of r by n descending"))
    func run(goingBack: Bool) throws -> TableRows {
      let path = folder.path("\(goingBack).sqlite")
      var run = try PassesRun(
        hop, number: 1, of: 1,
        source: StoreReader(SQLiteStore(reading: folder.path("old.sqlite")), model: old.model),
        destination: NewStore(path: path, model: new.model, uuid: "B", keepsCheckpoints: true),
        policies: policies)
      while run.pending != .beginPass(.createRelationships) { _ = try run.step() }
      if goingBack {
        let checkpoint = try run.keepCheckpoint(1)
        while run.pending != .beginPart(1) { _ = try run.step() }
        _ = try run.step()
        try run.goBack(to: checkpoint)
      }
      while run.pending != nil { _ = try run.step() }
      return try TableRows(ofStoreAt: path)
    }
    #expect(try run(goingBack: false) == run(goingBack: true))
  }
}
