import StrataBase
import StrataCommands
import StrataObjectModel
import TestSupport
import Testing

/// Core Data tells a to-one relationship by its max count: one that a model's file calls to-many with a max count of 1
/// is to-one, in every command.
@Suite("Relationships with a max count of 1")
struct BoundedRelationshipTests {
  private let folder: TemporaryFolder
  private let session: TestSession

  private static func model(_ keys: String, inverse: String, _ more: String = "") -> String {
    """
    <model><entity name="A"><attribute name="t" optional="YES" attributeType="String"/>\(more)\
    <relationship name="b" optional="YES" \(keys) destinationEntity="B" inverseName="a" inverseEntity="B"/></entity>\
    <entity name="B"><relationship name="a" optional="YES" \(inverse) destinationEntity="A" inverseName="b" \
    inverseEntity="A"/></entity></model>
    """
  }

  init() throws {
    folder = try TemporaryFolder()
    session = TestSession(in: folder)
  }

  @Test(
    "they hash, store, migrate and validate as to-one relationships",
    arguments: [#"toMany="YES" maxCount="1""#, #"toMany="YES""#])
  func oneRule(inverse: String) throws {
    let more = #"<attribute name="u" optional="YES" attributeType="String"/>"#
    for (version, keys, added) in [
      ("V1", #"toMany="YES" maxCount="1""#, ""), ("V2", #"toMany="YES" maxCount="1""#, more),
      ("Plain", #"maxCount="1""#, ""), ("Many", #"toMany="YES""#, ""),
    ] {
      try folder.write(
        Self.model(keys, inverse: inverse, added),
        to: "App.xcdatamodeld/\(version).xcdatamodel/contents")
    }
    session("load App.xcdatamodeld")
    #expect(session("compare Plain V1").status == .done)
    for name in ["s.sqlite", "s.xml"] {
      let created = session("create \(name) --model V1 --rows 5")
      #expect(created.status == .done && created.diagnostics.isEmpty, "\(created)")
      #expect(session("validate \(name)").status == .done, "\(session("validate \(name)"))")
      #expect(session("rows \(name) A --where 'b != nil'").status == .done)
      let links = session("count \(name) A --where 'b != nil'").output
      #expect(links != "0\n")
      let migrated = session("migrate \(name) --to V2 --strict")
      #expect(migrated.status == .done, "\(migrated)")
      #expect(session("count \(name) A --where 'b != nil'").output == links)
      #expect(session("validate \(name)").status == .done)
    }
    // From to-many, all objects but one are lost; the other way one object is kept.
    #expect(session("infer Many V1").output.contains("[loss.narrowed]"))
    #expect(!session("infer V1 Many").output.contains("[loss.narrowed]"))
    #expect(session("expect inferable V1 Many").status == .done)
  }

  @Test("a model keeps the maximum count of its file")
  func written() throws {
    let text = Self.model(#"toMany="YES" maxCount="1""#, inverse: #"toMany="YES" maxCount="4""#)
    let document = try ModelDocument(reading: Array(text.utf8))
    let relationship = document.entities[0].relationships[0]
    #expect(!relationship.isToMany && relationship.maxCount == 1)
    #expect(relationship.settings.contains { $0 == ("toMany", "YES") })
    #expect(relationship.settings.contains { $0 == ("maxCount", "1") })
    let bytes = document.encodedXML()
    #expect(try ModelDocument(reading: bytes).encodedXML() == bytes)
    #expect(document.entities[1].relationships[0].isToMany)
  }
}
