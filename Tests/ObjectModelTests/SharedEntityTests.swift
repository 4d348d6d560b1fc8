import StrataArchives
import StrataBase
import StrataObjectModel
import TestSupport
import Testing

@Suite("Entities that models share")
struct SharedEntityTests {
  /// What reading a file gives: a description of the model with every line, or of the error.
  private static func outcome(_ read: () throws -> ObjectModel) -> String {
    do {
      let model = try read()
      let lines = model.document.entities.map { entity in
        let properties =
          entity.attributes.map { entity.line(of: $0) }
          + entity.relationships.map { entity.line(of: $0) }
          + entity.fetchedProperties.map { entity.line(of: $0) }
        return "\(entity.name) \(entity.extras.line) \(properties)"
      }
      let hashes = model.versionHashes().sorted { $0.key < $1.key }.map {
        "\($0.key) \($0.value.hex)"
      }
      let ofProperties = model.propertyHashes(of: model.entityNames).mapValues { hashes in
        hashes.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.hex)" }
      }.sorted { $0.key < $1.key }
      let text = String(decoding: model.document.encodedXML(), as: UTF8.self)
      return "\(lines)\n\(hashes)\n\(ofProperties)\n\(text)"
    } catch let error as any DiagnosticError {
      return "\(error.diagnostic.located(in: "contents"))"
    } catch {
      return "\(error)"
    }
  }

  private static func read(_ text: [UInt8], _ models: SharedModels) throws -> ObjectModel {
    try ModelVersion(name: "contents", source: .embedded(text)).read(sharing: models)
  }

  /// Whether a text gives the same when entities are shared with what was read before, and how often they were.
  private static func check(_ text: [UInt8], _ models: SharedModels) {
    let whole = outcome { try ObjectModel(ModelDocument(reading: text)) }
    let shared = outcome { try read(text, models) }
    #expect(shared == whole, "\(String(decoding: text, as: UTF8.self))")
  }

  @Test(
    "versions read with shared entities have the same lines, hashes and contents", arguments: 0..<4)
  func versions(seed: Int) throws {
    var random = SeededRandom(seed: UInt64(700 + seed))
    var sharedCount = 0
    for _ in 0..<15 {
      let models = SharedModels()
      var model = try RandomModel.make(features: .all, using: &random)
      var identities: Set<[ObjectIdentifier]> = []
      // Kept, so that no identity is used again.
      var kept: [ObjectModel] = []
      for _ in 0..<5 {
        let text = model.document.encodedXML()
        Self.check(text, models)
        let again = try Self.read(text, models)
        for index in again.entities.indices {
          guard let identity = again.sharedIdentity(ofEntityAt: index) else { continue }
          if !identities.insert(identity).inserted { sharedCount += 1 }
        }
        kept.append(again)
        model = try RandomModel.nextVersion(
          of: model, edits: 2, features: .all, using: &random)
      }
    }
    #expect(sharedCount > 20, "nothing was shared")
  }

  @Test("a changed text gives the same model or the same error", arguments: 0..<4)
  func mutants(seed: Int) throws {
    var random = SeededRandom(seed: UInt64(800 + seed))
    let inserted = [
      "<", ">", "/", "\"", "'", "&", "&amp;", "!", "?", "\n", "\r", "\r\n", "<entity", "<entity/>",
      "</entity>",
      "</entity", "<entity name=\"E0\">", "<entity x='>'/>", "<!-- <entity> -->",
      "<![CDATA[</entity>]]>",
      "<?x?>", "é", "\u{FFFE}", "<x>", "</x>", "</model>", "<!DOCTYPE model>",
    ].map { Array($0.utf8) }
    for _ in 0..<10 {
      let models = SharedModels()
      let text = try RandomModel.make(features: .all, using: &random).document.encodedXML()
      Self.check(text, models)
      for _ in 0..<60 {
        var changed = text
        for _ in 0...Int.random(in: 0..<2, using: &random) {
          let place = Int.random(in: 0..<changed.count, using: &random)
          let end = min(changed.count, place + Int.random(in: 0..<40, using: &random))
          switch Int.random(in: 0..<4, using: &random) {
          case 0: changed.removeSubrange(place..<end)
          case 1: changed.insert(contentsOf: changed[place..<end], at: place)
          case 2: changed[place] = UInt8.random(in: 0...255, using: &random)
          default:
            changed.insert(contentsOf: inserted.randomElement(using: &random) ?? [], at: place)
          }
        }
        Self.check(changed, models)
      }
    }
  }

  @Test("a document of too many entities is not split")
  func tooMany() {
    let few = Array("<model>\(String(repeating: "<entity/>", count: 10))</model>".utf8)
    #expect(MarkupOutline(of: few, element: "entity")?.pieces.count == 10)
    let many = Array("<model>\(String(repeating: "<entity/>", count: 500_001))</model>".utf8)
    #expect(MarkupOutline(of: many, element: "entity")?.pieces == nil)
  }

  @Test(
    "what only a parser can split is read as a whole",
    arguments: [
      #"<entity name="A>B" syncable='"/>'/>"#, #"<entity name="A"/><entity name="A"/>"#,
      #"<entity name="A"><entity name="B"/></entity>"#,
      #"<entity name="A"><entity name="B"></entity></entity>"#,
      #"<x><entity name="A"/></x>"#, #"<!-- <entity name="A"/> -->"#,
      #"<entity name="A"><userInfo><!-- </entity> --></userInfo></entity>"#,
      "<entity name='A'>\r\n</entity>\r\n<entity name='B' parentEntity='C'/>",
      "<entity\nname='A'\n/>\n<entityx name='B'/><entity name='B' parentEntity='C'/>",
      "<entity name='A'></entity \n ><entity name='B'></entityx>", "<entity name='&lt;A'/>",
      "<entity name='A'><attribute\nname='x'\n/></entity>", "<entity name='&x;'/>", "<entity/>",
      "<entity name='A'", "<entity",
      "<entity name='A'><attribute name='x' attributeType='no'/></entity>",
    ])
  func shapes(entities: String) {
    for start in [
      "", "<?xml version='1.0'?>\n", "<?xml version=\"1.0\" encoding=\"utf8\"?>",
      "<?xml version='1.0' encoding='UTF-8' ?>", "\u{FEFF}",
      "\u{FEFF}<?xml version='1.0' encoding='utf8'?>",
      "<!DOCTYPE model>",
    ] {
      let models = SharedModels()
      for text in [
        "\(start)<model>\(entities)</model>", "\(start)\n<model>\n\n\(entities)\n</model>",
      ] {
        Self.check(Array(text.utf8), models)
      }
    }
    let latin =
      "<?xml version='1.0' encoding='ISO-8859-1'?><model>\(entities)<entity name='é'/></model>"
    Self.check(Array(latin.utf8), SharedModels())
  }
}
