import Foundation
import StrataArchives
import StrataBase
import StrataObjectModel
import TestSupport
import Testing

@Suite("Version hashes")
struct VersionHashTests {
  private static let listModel = """
    <entity name="Topic">
      <attribute name="content" optional="YES" attributeType="String"/>
      <attribute name="dateCreated" optional="YES" attributeType="Date"/>
      <relationship name="topicList" optional="YES" maxCount="1" destinationEntity="TopicList" inverseName="topics" inverseEntity="TopicList"/>
    </entity>
    <entity name="TopicList">
      <attribute name="title" optional="YES" attributeType="String"/>
      <relationship name="topics" optional="YES" toMany="YES" deletionRule="Cascade" destinationEntity="Topic" inverseName="topicList" inverseEntity="Topic"/>
    </entity>
    """

  @Test("the two hashes printed in the source presentation")
  func printedHashes() throws {
    let hashes = try ModelErrorTests.model(Self.listModel).versionHashes()
    #expect(
      hashes["Topic"]?.hex == "698da797f6cf0f5639f882fab3fbe868bc8ac1428f571ce2e2a2eb4e641dbc75")
    #expect(
      hashes["TopicList"]?.description
        == "<4927b7d1 7bba6dd7 ebac5de5 285be471 4f0392ce abde1362 81201051 53e8f347>")
  }

  @Test(
    "an explanation can be recomputed: each step is the SHA-256 of its pieces, and the last is the hash"
  )
  func explanations() throws {
    let model = try ModelErrorTests.model(Self.listModel)
    for (entity, hash) in model.versionHashes() {
      let steps = model.explainVersionHashes(of: [entity])
      #expect(steps.last?.result == hash)
      var known: Set<[UInt8]> = []
      for step in steps {
        var bytes: [UInt8] = []
        for piece in step.pieces {
          bytes += piece.bytes
          #expect(SHA2.digest256(of: bytes) == piece.running.bytes)
          // A hash that goes in was computed above.
          if piece.bytes.count == 32 { #expect(known.contains(piece.bytes), "\(piece.meaning)") }
        }
        #expect(SHA2.digest256(of: bytes) == step.result.bytes)
        known.insert(step.result.bytes)
      }
    }
  }

  @Test(
    "a hashed setting changes the hash, a setting that is not hashed does not",
    arguments: [
      (#"optional="YES" attributeType="Date""#, #"attributeType="Date""#, true),
      (#"deletionRule="Cascade""#, #"deletionRule="Deny""#, false),
      (
        #"<attribute name="content" optional="YES""#,
        #"<attribute name="content" defaultValueString="x" optional="YES""#, false
      ),
      (
        #"<attribute name="content" optional="YES""#,
        #"<attribute name="content" elementID="old" optional="YES""#, false
      ),
      (
        #"<attribute name="content" optional="YES""#,
        #"<attribute name="content" versionHashModifier="" optional="YES""#, false
      ),
      (
        #"<attribute name="content" optional="YES""#,
        #"<attribute name="content" versionHashModifier="2" optional="YES""#, true
      ),
      (#"<entity name="Topic">"#, #"<entity name="Topic" isAbstract="YES">"#, true),
      (
        #"<entity name="Topic">"#,
        #"<entity name="Topic"><uniquenessConstraints><uniquenessConstraint><constraint value="content"/></uniquenessConstraint></uniquenessConstraints>"#,
        true
      ),
      (
        #"<entity name="Topic">"#, #"<entity name="Topic"><attribute name="t" transient="YES"/>"#,
        false
      ),
      (#"<entity name="Topic">"#, #"<entity name="Topic"><fetchedProperty name="f"/>"#, false),
    ])
  func effects(old: String, new: String, moves: Bool) throws {
    let before = try ModelErrorTests.model(Self.listModel).versionHashes()
    let after = try ModelErrorTests.model(Self.listModel.replacing(old, with: new)).versionHashes()
    #expect((before != after) == moves, "\(new)")
  }

  @Test("a subentity's hash changes when its parent changes, but not the reverse")
  func inheritance() throws {
    let tree = { (base: String, sub: String) in
      try ModelErrorTests.model(
        #"<entity name="Base"><attribute name="a" attributeType="\#(base)"/></entity><entity name="Sub" parentEntity="Base"><attribute name="b" attributeType="\#(sub)"/></entity>"#
      ).versionHashes()
    }
    let original = try tree("String", "String")
    let sub = try tree("String", "Date")
    let base = try tree("Date", "String")
    #expect(original["Base"] == sub["Base"] && original["Sub"] != sub["Sub"])
    #expect(original["Base"] != base["Base"] && original["Sub"] != base["Sub"])
  }

  @Test("hashes that depend on an unverified rule are marked, others are not")
  func evidence() throws {
    #expect(try ModelErrorTests.model(Self.listModel).unprovenRules(of: "Topic").isEmpty)
    let cases: [(String, UnprovenRule.Rule?)] = [
      (
        #"<relationship name="friends" toMany="YES" destinationEntity="A" inverseName="friends" inverseEntity="A"/>"#,
        nil
      ),
      (
        #"<relationship name="friend" maxCount="1" destinationEntity="A" inverseName="friend" inverseEntity="A"/>"#,
        .ownInverse
      ),
      (
        #"<relationship name="friends" toMany="YES" ordered="YES" destinationEntity="A" inverseName="friends" inverseEntity="A"/>"#,
        .ownInverse
      ),
      (
        #"<attribute name="n" attributeType="Integer 16" derived="YES" derivationExpression="r.@count"/>"#,
        nil
      ),
      (
        #"<attribute name="n" attributeType="Date" derived="YES" derivationExpression="now:()"/>"#,
        .derivedFunction
      ),
      (
        #"<relationship name="friend" maxCount="1" transient="YES" destinationEntity="A" inverseName="friend" inverseEntity="A"/>"#,
        nil
      ),
      (#"<attribute name="ü" attributeType="String"/>"#, .nameBeyondASCII),
      (#"<attribute name="ü" attributeType="String" transient="YES"/>"#, nil),
    ]
    for (property, rule) in cases {
      let model = try ModelErrorTests.model(#"<entity name="A">\#(property)</entity>"#)
      #expect(model.unprovenRules(of: "A").first?.rule == rule, "\(property)")
    }
    let inherited = try ModelErrorTests.model(
      #"<entity name="A"><relationship name="friends" toMany="YES" destinationEntity="A" inverseName="friends" inverseEntity="A"/></entity><entity name="B" parentEntity="A"/>"#
    )
    for (destination, rule) in [("B", nil), ("Ü", .nameBeyondASCII)]
      as [(String, UnprovenRule.Rule?)]
    {
      let model = try ObjectModel(brief: "A\n  r -> \(destination)\n\(destination)\n  t String")
      #expect(model.unprovenRules(of: "A").first?.rule == rule, "\(destination)")
    }
    let narrowed = try ObjectModel(brief: "A\n  r -> B inverse=r\nB: A\n  t String")
    #expect(narrowed.unprovenRules(of: "A").map(\.rule) == [.inverseThroughSubentity])
    #expect(inherited.unprovenRules(of: "A").isEmpty)
    #expect(inherited.unprovenRules(of: "B").map(\.rule) == [.inheritedOwnInverse])
  }

  @Test("the printed forms can be parsed")
  func forms() throws {
    let hash = try #require(VersionHash(bytes: Array(0..<32)))
    #expect(VersionHash(hex: hash.hex) == hash)
    #expect(hash.short == "00010203")
    #expect(VersionHash(hex: "00") == nil)
    #expect(VersionHash(hex: String(repeating: "g", count: 64)) == nil)
    #expect(VersionHash(bytes: [1, 2]) == nil)
  }
}
