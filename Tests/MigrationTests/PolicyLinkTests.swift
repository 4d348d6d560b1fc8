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
    try receipts(policy, mapping, to: "maxCount=\"1\"", subsOfSecond: 1).map(\.losses.links)
  }

  /// The receipts of all executors where the first of two items has the first two of three subs.
  ///
  /// - Parameters:
  ///   - end: The maximum number of subs in the new model.
  ///   - count: The number of subs of the second item, the last ones.
  private static func receipts(
    _ policy: String?, _ mapping: String, to end: String, subsOfSecond count: Int
  ) throws -> [Receipt] {
    let (old, new) = (
      try model("toMany=\"YES\"", modifier: "1"), try model(end, modifier: "2")
    )
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let path = folder.path("old.sqlite")
    var store = try NewStore(path: path, model: old, uuid: "A")
    let subs = try (1...3).map {
      try store.insert("Sub", attributes: ["name": .text("\($0)")]).key
    }
    let relationship = try #require(old.relationship("subs", of: "Item"))
    for keys in [subs.prefix(2), subs.suffix(count)] {
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
      ).report.receipt
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

  @Test("a joined object loses the links that it cannot have")
  func joined() throws {
    #expect(try Self.lostLinks("one destination for each $source.subs.@count") == [1, 1, 1])
    #expect(try Self.lostLinks("one destination for each $source.name") == [2, 2, 2])
  }

  @Test(
    "links that become equal because their objects are joined are no loss, and not set by a policy")
  func equalLinks() throws {
    let receipts = try Self.receipts(
      "one destination for each $source.name", Self.mapping, to: "toMany=\"YES\"", subsOfSecond: 2)
    for receipt in receipts {
      let fate = try #require(receipt.properties.first { $0.isRelationship })
      #expect(fate.kind == .kept && fate.before == 4 && fate.after == 3)
      #expect(fate.joined == 1 && fate.lost.count == 0)
      #expect(receipt.losses.links == 0)
    }
  }

  @Test("links that nothing continues are lost, unless the policy reads them")
  func unmapped() throws {
    let mapping =
      Self.mapping.replacing("subs <- $source.subs through S", with: "omit subs") + "\n  omit items"
    for (policy, links) in [
      ("set name = 'b'", 3), ("one destination for each $source.name", 3),
      ("set name = CAST($source.subs.@count, 'NSString')", 0),
    ] {
      #expect(try Self.lostLinks(policy, mapping) == [links, links, links], "\(policy)")
    }
  }

  @Test("links that a policy uses are not counted as lost where it sets others")
  func used() throws {
    let count = "CAST($source.subs.@count, 'NSString')"
    for (policy, links) in [
      ("in relationships: set subs = find Sub where name == '3'", 2),
      ("in relationships: set subs = create Sub with name = 'c'", 3),
      ("in relationships: set subs = find Sub where name == \(count)", 0),
      ("in end: set subs = find Sub where name == '3'\n  set name = \(count)", 0),
    ] {
      #expect(try Self.lostLinks(policy) == [links, links, links], "\(policy)")
    }
  }
}
