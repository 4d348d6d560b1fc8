import Foundation
import StrataArchives
import Testing

@Suite("XML trees")
struct MarkupTests {
  private static func read(_ text: String) throws -> MarkupElement {
    try MarkupElement(reading: Array(text.utf8))
  }

  @Test("elements, attributes, text and lines are kept")
  func tree() throws {
    let root = try Self.read(
      "<a x='1'>\n  <b y=\"&lt;2&amp;\"/>\n  <c>text<![CDATA[ & more]]></c>\n</a>")
    #expect(root.attributes == ["x": "1"])
    #expect(root.text == "")
    #expect(root.children.map(\.name) == ["b", "c"])
    #expect(root.children[0].attributes["y"] == "<2&")
    #expect(root.children[0].line == 2)
    #expect(root.children[1].text == "text & more")
  }

  @Test("what is written is read again, awkward characters too")
  func roundTrip() throws {
    let element = MarkupElement(
      name: "a", attributes: ["x": "<\"'&>\n\t\r é🎈"],
      children: [MarkupElement(name: "b", text: "1 < 2 & 3\r")])
    let bytes = element.encoded { _ in [] }
    #expect(try MarkupElement(reading: bytes) == element)
  }

  @Test("text beside children does not grow")
  func mixedContent() throws {
    let element = try Self.read("<a>\n  some <b><c/></b>\n  text\n</a>")
    #expect(element.text.contains("some"))
    #expect(try MarkupElement(reading: element.encoded { _ in [] }) == element)
  }

  @Test("white space is layout between elements, and text where nothing else is")
  func whiteSpace() throws {
    let root = try Self.read(
      "<a>\n <b>  </b><c> &amp; </c><d>\n</d><e> <![CDATA[x]]></e><f> <g/> </f>\n</a>")
    #expect(root.text == "")
    #expect(root.children.map(\.text) == ["  ", " & ", "", " x", ""])
  }

  @Test("the first of many errors is told")
  func firstError() {
    #expect(
      throws: ArchiveError.notWellFormed(
        reason: "an entity that is not declared", line: 2, column: 6)
    ) {
      try Self.read("<a>\n&one;\n&two;<b></a>")
    }
  }

  @Test("attributes are written in the order that is asked for, then by name")
  func attributeOrder() {
    let element = MarkupElement(name: "a", attributes: ["b": "1", "z": "2", "c": "3"])
    let text = String(decoding: element.encoded { _ in ["z", "q"] }, as: UTF8.self)
    #expect(text.hasSuffix(#"<a z="2" b="1" c="3"/>"#))
  }

  @Test(
    "documents with entities are refused before anything is expanded",
    arguments: [
      #"<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>"#,
      #"<!DOCTYPE a [<!ENTITY x "1"><!ENTITY y "&x;&x;&x;&x;">]><a>&y;</a>"#,
      #"<!DOCTYPE a [<!ENTITY x "&y;"><!ENTITY y "&x;">]><a b="&x;"/>"#,
      #"<!-- <b> --><!DOCTYPE a [<!ATTLIST a x CDATA "default">]><a/>"#,
      #"<!DOCTYPE a [<!ENTITY % p SYSTEM "file:///etc/passwd">%p;]><a/>"#,
    ])
  func entities(document: String) {
    #expect { try Self.read(document) } throws: { error in
      if case ArchiveError.declaresEntities = error { return true }
      return false
    }
  }

  @Test("an external document type is never fetched")
  func externalDocumentType() throws {
    #expect(try Self.read(#"<!DOCTYPE a SYSTEM "file:///nonexistent.dtd"><a/>"#).name == "a")
  }

  @Test("text in another encoding than UTF-8's family is refused before anything is parsed")
  func encodings() throws {
    let text = "<a/>"
    #expect(throws: ArchiveError.self) {
      try MarkupElement(reading: text.utf16.flatMap { [UInt8($0 & 0xFF), 0] })
    }
    #expect(throws: ArchiveError.self) {
      try Self.read("<?xml version='1.0' encoding='UTF-7'?>+ADw-a/>")
    }
    #expect(try Self.read("<?xml version=\"1.0\" encoding=\"utf-8\"?><a/>").name == "a")
    #expect(try Self.read("<?xml version='1.0'?><a/>").name == "a")
  }

  @Test(
    "what would make the parser itself trap never reaches it",
    arguments: [
      Array("<a><!-- ".utf8) + [0xFF] + Array(" --></a>".utf8),
      [0x3C, 0x61, 0xC0, 0x80, 0x2F, 0x3E],
      Array("<a/><?pi?>".utf8), Array("<a><?pi x?></a>".utf8), Array("<?pi?><a/>".utf8),
      Array("<!DOCTYPE a [<?pi?>]><a/>".utf8),
    ] as [[UInt8]])
  func parserTraps(bytes: [UInt8]) {
    #expect(throws: ArchiveError.self) { try MarkupElement(reading: bytes) }
  }

  @Test("100,000 nested elements are refused")
  func nesting() {
    let document =
      String(repeating: "<e>", count: 100_000) + String(repeating: "</e>", count: 100_000)
    #expect(throws: ArchiveError.tooDeep(limit: ArchiveLimits.elementDepth)) {
      try Self.read(document)
    }
  }

  @Test(
    "broken documents say where",
    arguments: [
      "", "<", "<a", "<a>", "<a></b>", "<a x=1/>", "<a x='1' x='2'/>", "\u{0}", "<a>&nope;</a>",
      // After these Foundation's parser says that all is well.
      "<a><b></a>", "<a></a>b", "<a></a><", "<a<//", "<!DOCTYPE a SYSTEM 'x'><a>&nope;</a>",
    ])
  func notWellFormed(document: String) {
    #expect { try Self.read(document) } throws: { error in
      guard case ArchiveError.notWellFormed(_, let line, let column) = error else { return false }
      return line >= 1 && column >= 1
    }
  }
}

@Suite("Deflate")
struct DeflateTests {
  @Test("what is compressed is expanded again")
  func roundTrip() throws {
    for bytes in [
      [], [1], Array(repeating: 7, count: 500_000), (0..<70_000).map { UInt8($0 & 0xFF) },
    ] as [[UInt8]] {
      #expect(try Deflate.expand(Deflate.compress(bytes)) == bytes)
    }
  }

  @Test("a stream that expands without end is stopped")
  func bomb() {
    let bomb = Deflate.compress(Array(repeating: 0, count: ArchiveLimits.inflatedSize + 1))
    #expect(bomb.count < 1 << 20)
    #expect(
      throws: ArchiveError.tooLarge(what: "the expanded size", limit: ArchiveLimits.inflatedSize)
    ) {
      try Deflate.expand(bomb)
    }
  }

  @Test("damaged and cut streams are refused")
  func damage() {
    let stream = Deflate.compress(Array("a model, a model, a model".utf8))
    #expect(throws: ArchiveError.self) { try Deflate.expand(Array(stream.dropLast())) }
    #expect(throws: ArchiveError.self) { try Deflate.expand([0xFF, 0xFF, 0xFF]) }
    #expect(throws: ArchiveError.self) { try Deflate.expand([]) }
  }
}
