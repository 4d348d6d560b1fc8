import StrataBase
import StrataMapping
import StrataMigration
import StrataObjectModel
import StrataStore
import TestSupport
import Testing

/// A policy that does not set a relationship loses its links as the default behavior does, and the receipt tells it.
@Suite("Lost links of entity mappings with policies")
struct PolicyLinkTests {
  private static func model(_ end: String, modifier: String) throws -> ObjectModel {
    try ObjectModel(
      ModelDocument(
        reading: Array(
          """
          <model><entity name="Item" versionHashModifier="\(modifier)">
          <attribute name="name" optional="YES" attributeType="String"/>
          <relationship name="subs" optional="YES" \(end) destinationEntity="Sub" inverseName="items" inverseEntity="Sub"/></entity>
          <entity name="Sub"><attribute name="name" optional="YES" attributeType="String"/>
          <relationship name="items" optional="YES" toMany="YES" destinationEntity="Item" inverseName="subs" inverseEntity="Item"/></entity>
          </model>
          """.utf8)))
  }

  private static let mapping = """
    I: Item -> Item
      policy X
      subs <- $source.subs through S
    S: Sub -> Sub
    """

  /// The links that are lost where the first of two items has two of three subs, and the second one has one.
  private static func lostLinks(
    _ policy: String?, _ mapping: String = mapping
  ) throws -> [Int] {
    let (old, new) = (
      try model("toMany=\"YES\"", modifier: "1"), try model("maxCount=\"1\"", modifier: "2")
    )
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let path = folder.path("old.sqlite")
    var store = try NewStore(path: path, model: old, uuid: "A")
    let subs = try (1...3).map {
      try store.insert("Sub", attributes: ["name": .text("\($0)")]).key
    }
    let relationship = try #require(old.relationship("subs", of: "Item"))
    for keys in [subs.prefix(2), subs.suffix(1)] {
      let item = try store.insert("Item", attributes: ["name": .text("a")]).key
      try store.connect(relationship, of: item, to: Array(keys))
    }
    try store.finish()
    var policies = PolicyRegistry()
    if let policy { policies.add(try PolicyScript.policies(parsing: "policy X\n  \(policy)")) }
    let text = policy == nil ? mapping.replacing("  policy X\n", with: "") : mapping
    let hop = try MigrationPlan.Hop(
      from: NamedModel(name: "old", model: old), to: NamedModel(name: "new", model: new), by: text)
    return try Passes.executors.map { name, executor, batchSize in
      try Passes.run(
        hop, from: path, into: folder.path("\(name).sqlite"), policies: policies,
        executor: executor, batchSize: batchSize
      ).report.receipt.losses.links
    }
  }

  @Test("links of relationships that the policy does not set are counted")
  func untouched() throws {
    #expect(try Self.lostLinks(nil) == [1, 1, 1])
    for policy in [
      "set name = 'b'", "in end: set name = 'b'", "in end: set name = name",
      "keep first of subs by name",
      "in validation: require name != nil, \"no name\"", "in begin: create Sub with name = 'c'",
    ] {
      #expect(try Self.lostLinks(policy) == [1, 1, 1], "\(policy)")
    }
  }

  @Test("where objects can be joined, links are lost if none is")
  func joined() throws {
    #expect(try Self.lostLinks("one destination for each $source.subs.@count") == [1, 1, 1])
    #expect(try Self.lostLinks("one destination for each $source.name") == [0, 0, 0])
  }

  @Test("links that nothing continues are lost, unless the policy reads them")
  func unmapped() throws {
    let mapping =
      Self.mapping.replacing("subs <- $source.subs through S", with: "omit subs") + "\n  omit items"
    for (policy, links) in [
      ("set name = 'b'", 3), ("set name = CAST($source.subs.@count, 'NSString')", 0),
    ] {
      #expect(try Self.lostLinks(policy, mapping) == [links, links, links], "\(policy)")
    }
  }

  @Test("links of relationships that the policy sets are not counted as lost")
  func set() throws {
    for policy in [
      "in relationships: set subs = find Sub where name == '3'",
      "in relationships: set subs = create Sub with name = 'c'",
    ] {
      #expect(try Self.lostLinks(policy) == [0, 0, 0], "\(policy)")
    }
  }
}
