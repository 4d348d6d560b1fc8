import StrataBase
import StrataMapping
import StrataMigration
import StrataObjectModel
import StrataStore
import TestSupport
import Testing

/// Both ends of a one-to-one relationship that a policy sets beside the entity mapping of the other end.
@Suite("One-to-one relationships that policies set")
struct PolicyEndsTests {
  private static func model(_ modifier: String) throws -> NamedModel {
    let entities = [("A", "b", "B", "a"), ("B", "a", "A", "b")].map { own, name, other, inverse in
      """
      <entity name="\(own)" versionHashModifier="\(modifier)">
      <attribute name="n" optional="YES" attributeType="String"/>
      <attribute name="want" optional="YES" attributeType="String"/>
      <relationship name="\(name)" optional="YES" maxCount="1" destinationEntity="\(other)" inverseName="\(inverse)" inverseEntity="\(other)"/></entity>
      """
    }
    return NamedModel(
      name: "V\(modifier)",
      model: try ObjectModel(
        ModelDocument(reading: Array("<model>\(entities.joined())</model>".utf8))))
  }

  /// The links of two objects of A, of which each wants the object of B with a number; 0 stands for none.
  private struct Case {
    var links: [Int64]
    var wants: [Int64]

    static let all = [[0, 0], [1, 0], [0, 1], [1, 2], [2, 1]].flatMap { links in
      (0...2).flatMap { first in
        (0...2).map { Case(links: links, wants: [first, $0]) }
      }
    }
  }

  @Test(
    "both ends agree, and each way to migrate gives the same links", .part(2),
    arguments: ["", "in end of creation: ", "in end of relationships: ", "in end: "],
    ["A: A -> A\n  policy P\nB: B -> B", "B: B -> B\nA: A -> A\n  policy P"])
  func ends(pass: String, mapping: String) throws {
    let (old, new) = (try Self.model("1"), try Self.model("2"))
    let hop = try MigrationPlan.Hop(from: old, to: new, by: mapping)
    var policies = PolicyRegistry()
    policies.add(
      try PolicyScript.policies(
        parsing: "policy P\n  \(pass)set b = find B where n == $source.want"))
    let b = try #require(old.model.relationship("b", of: "A"))
    for example in Case.all {
      let folder = try TemporaryFolder()
      defer { withExtendedLifetime(folder) {} }
      var store = try NewStore(path: folder.path("old.sqlite"), model: old.model, uuid: "A")
      for number in 1...2 { _ = try store.insert("B", attributes: ["n": .text("n\(number)")]) }
      for (link, want) in zip(example.links, example.wants) {
        let key = try store.insert("A", attributes: ["want": .text("n\(want)")]).key
        if link > 0 { try store.connect(b, of: key, to: [link]) }
      }
      try store.finish()
      var found: [[[Int64?]]] = []
      for (name, executor, batchSize) in Passes.executors {
        let path = folder.path("\(name).sqlite")
        let report = try Passes.run(
          hop, from: folder.path("old.sqlite"), into: path, policies: policies,
          executor: executor, batchSize: batchSize
        ).report
        #expect(report.problems.isEmpty, "\(name) \(example) \(report.problems)")
        let reader = try StoreReader(SQLiteStore(reading: path), model: new.model)
        var ends: [[Int64?]] = []
        for (entity, end) in [("A", "b"), ("B", "a")] {
          let shape = reader.shape(of: entity)
          let index = try #require(shape?.index(of: end))
          var keys: [Int64?] = []
          try reader.forEachRow(of: entity) { row in
            if case .integer(let key) = row.values[index] {
              keys.append(key)
            } else {
              keys.append(nil)
            }
          }
          ends.append(keys)
        }
        for (own, other) in ends[0].enumerated() {
          if let other { #expect(ends[1][Int(other) - 1] == Int64(own + 1), "\(name) \(example)") }
        }
        #expect(
          ends[0].count { $0 != nil } == ends[1].count { $0 != nil }, "\(name) \(example) \(ends)")
        found.append(ends)
      }
      #expect(Set(found).count == 1, "\(example) \(found)")
      // What the policy does last holds: the second object takes what the first one has.
      if pass == "in end: " || pass == "in end of relationships: " && mapping.hasPrefix("B") {
        let wants = example.wants.map { $0 == 0 ? nil : $0 }
        #expect(found[0][0] == [wants[0] == wants[1] ? nil : wants[0], wants[1]], "\(example)")
      }
    }
  }

  @Test(
    "a policy reads keys that only the entity of the other object has, and elements of composites")
  func keys() throws {
    func model(_ modifier: String) throws -> NamedModel {
      var document = try ModelDocument(
        reading: Array(
          """
          <model><entity name="Part" isAbstract="YES"><relationship name="items" optional="YES" toMany="YES" destinationEntity="Item" inverseName="part" inverseEntity="Item"/></entity>
          <entity name="Wheel" parentEntity="Part"><attribute name="size" optional="YES" attributeType="Integer 16"/></entity>
          <entity name="Item" versionHashModifier="\(modifier)"><attribute name="a" optional="YES" attributeType="Integer 16"/><attribute name="b" optional="YES" attributeType="Integer 16"/><attribute name="c" optional="YES" attributeType="String"/>
          <relationship name="part" optional="YES" maxCount="1" destinationEntity="Part" inverseName="items" inverseEntity="Part"/></entity></model>
          """.utf8))
      document.composites = [
        CompositeType(name: "Address", attributes: [Attribute(name: "zip", type: .string)])
      ]
      let index = try #require(document.entities.firstIndex { $0.name == "Item" })
      var address = Attribute(name: "address", type: .composite, isOptional: true)
      address.compositeName = "Address"
      document.entities[index].attributes.append(address)
      return NamedModel(name: "V\(modifier)", model: try ObjectModel(document))
    }
    let (old, new) = (try model("1"), try model("2"))
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    var store = try NewStore(path: folder.path("old.sqlite"), model: old.model, uuid: "A")
    let wheel = try store.insert("Wheel", attributes: ["size": .integer(7)]).key
    let item = try store.insert("Item", attributes: ["address.zip": .text("z")]).key
    try store.connect(#require(old.model.relationship("part", of: "Item")), of: item, to: [wheel])
    try store.finish()
    let hop = try MigrationPlan.Hop(
      from: old, to: new,
      by:
        "Wheel: Wheel -> Wheel\nItem: Item -> Item\n  policy P\n  address.zip = $source.address.zip"
    )
    var policies = PolicyRegistry()
    policies.add(
      try PolicyScript.policies(
        parsing: """
          policy P
            set a = $source.part.size
            in end: set b = part.size + 1
            in relationships: set c = address.zip
          """))
    for (name, executor, batchSize) in Passes.executors {
      let path = folder.path("\(name).sqlite")
      _ = try Passes.run(
        hop, from: folder.path("old.sqlite"), into: path, policies: policies, executor: executor,
        batchSize: batchSize)
      let reader = try StoreReader(SQLiteStore(reading: path), model: new.model)
      let found = reader.shape(of: "Item")
      let shape = try #require(found)
      try reader.forEachRow(of: "Item") { row in
        let values = ["a", "b", "c"].map { shape.index(of: $0).map { row.values[$0] } }
        #expect(values == [.integer(7), .integer(8), .text("z")], "\(name)")
      }
    }
  }
}
