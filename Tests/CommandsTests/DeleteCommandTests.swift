import Foundation
import StrataBase
import StrataCommands
import TestSupport
import Testing

@Suite("The command delete")
struct DeleteCommandTests {
  private static let band = """
    <model>\
    <entity name='Band'><attribute name='name' attributeType='String' optional='YES'/>\
    <relationship name='albums' optional='YES' toMany='YES' deletionRule='Deny' \
    destinationEntity='Album' inverseName='band' inverseEntity='Album'/>\
    <relationship name='label' optional='YES' maxCount='1' deletionRule='No Action' \
    destinationEntity='Label' inverseName='bands' inverseEntity='Label'/></entity>\
    <entity name='Album'><relationship name='band' maxCount='1' deletionRule='Nullify' \
    destinationEntity='Band' inverseName='albums' inverseEntity='Band'/>\
    <relationship name='songs' optional='YES' toMany='YES' ordered='YES' deletionRule='Cascade' \
    destinationEntity='Song' inverseName='album' inverseEntity='Album'/></entity>\
    <entity name='Song'><relationship name='album' optional='YES' maxCount='1' deletionRule='Nullify' \
    destinationEntity='Album' inverseName='songs' inverseEntity='Album'/></entity>\
    <entity name='Label'><relationship name='bands' optional='YES' toMany='YES' deletionRule='No Action' \
    destinationEntity='Band' inverseName='label' inverseEntity='Band'/></entity>\
    </model>
    """

  /// A store with a label of two bands, the first with an album of two songs.
  private static func session(_ folder: TemporaryFolder, _ store: String) throws -> TestSession {
    try folder.write(band, to: "Band.xcdatamodel/contents")
    let session = TestSession(in: folder)
    // Ids are unique in an XML document, from 102 on.
    let isXML = store.hasSuffix(".xml")
    let (label, band, album) = isXML ? ("p102", "p103", "p105") : ("p1", "p1", "p1")
    for line in [
      "load Band.xcdatamodel", "create \(store) --model Band", "insert \(store) Label",
      "insert \(store) Band name=First label=\(label)",
      "insert \(store) Band name=Second label=\(label)",
      "insert \(store) Album band=\(band)", "insert \(store) Song album=\(album)",
      "insert \(store) Song album=\(album)",
    ] {
      let answer = session(line)
      try #require(answer.status == .done, "\(line): \(answer)")
    }
    return session
  }

  @Test("the answer names the deleted, the changed, the denying objects and the keys that remain")
  func answers() throws {
    let folder = try TemporaryFolder()
    let session = try Self.session(folder, "s.sqlite")
    func deletes(_ object: String, _ status: StrataBase.ExitStatus = .done) -> String {
      let answer = session("delete s.sqlite \(object)")
      #expect(answer.status == status, "\(object): \(answer)")
      return answer.output + answer.diagnostics
    }
    let denied = deletes("Band p1", .failed)
    #expect(denied.contains("not deleted: Core Data would not save this; the store is unchanged"))
    #expect(denied.contains("Band/p1.albums  has p1 and the delete rule Deny (1600)"))
    #expect(deletes("Song p1") == "deleted Song p1\n")
    let left = deletes("Label p1")
    #expect(left.hasPrefix("deleted Label p1\n") && left.contains("[store.keyLeft]"))
    #expect(left.contains("Band p1 label") && left.contains("Band p2 label"))
    #expect(deletes("Album p1") == "deleted Album p1; by Cascade also Song p2\n")
    #expect(deletes("Band/p1") == "deleted Band p1\n")
    #expect(deletes("Band", .usage).contains("name one object"))
    #expect(deletes("Band/p2 p2", .usage).contains("name one object"))
    #expect(session("validate s.sqlite").output.contains("Band/p2.label"))
    #expect(deletes("Band p1", .failed).contains("there is no Band p1"))
    #expect(deletes("Bnd p1", .failed).contains("did you mean Band"))
    #expect(deletes("Band first", .failed).contains("[store.notAKey]"))
    #expect(session("insert s.sqlite Band").output == "inserted Band p3\n")
  }

  @Test("JSON names the same; a refusal has its findings")
  func json() throws {
    let folder = try TemporaryFolder()
    let session = try Self.session(folder, "s.sqlite")
    func json(_ line: String) throws -> NSDictionary {
      let output = Data(session(line).output.utf8)
      return try #require(try JSONSerialization.jsonObject(with: output) as? NSDictionary)
    }
    let denied = try json("delete s.sqlite Band p1 --json")
    #expect(denied["deleted"] as? [String] == [])
    let problems = try #require(denied["problems"] as? [[String: Any]])
    #expect(problems.map { $0["code"] as? Int } == [1600])
    let done = try json("delete s.sqlite Album p1 --json")
    #expect(done["deleted"] as? [String] == ["Album p1", "Song p1", "Song p2"])
    let left = try json("delete s.sqlite Label p1 --json")
    #expect(left["keysLeft"] as? [String] == ["Band p1 label", "Band p2 label"])
  }

  @Test("an XML store is rewritten without the objects and the references to them")
  func xml() throws {
    let folder = try TemporaryFolder()
    let session = try Self.session(folder, "s.xml")
    func keys(_ entity: String) -> [String] {
      session("rows s.xml \(entity) --json").output.split(separator: "\n").map { String($0) }
    }
    let album = try #require(Self.key(keys("Album").first))
    #expect(session("delete s.xml Album p\(album)").status == .done)
    #expect(keys("Album").isEmpty && keys("Song").isEmpty && keys("Band").count == 2)
    let label = try #require(Self.key(keys("Label").first))
    let answer = session("delete s.xml Label p\(label)")
    #expect(answer.status == .done && answer.diagnostics.isEmpty, "\(answer)")
    #expect(session("validate s.xml").status == .done)
  }

  private static func key(_ line: String?) -> Int? {
    guard let line, let range = line.range(of: "/p[0-9]+", options: .regularExpression) else {
      return nil
    }
    return Int(line[range].dropFirst(2))
  }

  @Test("a binary store is not changed, nor one of which the model is unknown")
  func refused() throws {
    let folder = try TemporaryFolder()
    let session = try Self.session(folder, "s.sqlite")
    session("unload Band")
    try StoreFixture.run(["DROP TABLE Z_MODELCACHE"], on: folder.path("s.sqlite"))
    #expect(session("delete s.sqlite Song p1").diagnostics.contains("[store.noModel]"))
    #expect(session("delete s.sqlite Song p1 --model Band.xcdatamodel").status == .done)
  }

  @Test("an object can be written with its entity wherever its key is wanted")
  func namedObjects() throws {
    let folder = try TemporaryFolder()
    let session = TestSession(in: folder)
    try SampleStore.topics(at: folder.path("t.sqlite"))
    session("load sample:Topics")
    let inserted = session("insert t.sqlite Topic presenterName=x topicList=TopicList/p1")
    #expect(inserted.status == .done, "\(inserted)")
    #expect(
      session("count t.sqlite Topic --where 'topicList == p1 AND presenterName == \"x\"'").output
        == "1\n")
    let other = session("insert t.sqlite Topic presenterName=x topicList=Topic/p1")
    #expect(other.diagnostics.contains("Topic/p1 is not an object of TopicList"), "\(other)")
  }
}
