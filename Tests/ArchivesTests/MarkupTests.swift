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

  @Test("a written tree is read back, including special characters")
  func roundTrip() throws {
    let element = MarkupElement(
      name: "a", attributes: ["x": "<\"'&>\n\t\r é🎈"],
      children: [MarkupElement(name: "b", text: "1 < 2 & 3\r")])
    let bytes = element.encoded { _ in [] }
    #expect(try MarkupElement(reading: bytes) == element)
  }

  @Test("mixed content does not grow when it is written")
  func mixedContent() throws {
    let element = try Self.read("<a>\n  some <b><c/></b>\n  text\n</a>")
    #expect(element.text.contains("some"))
    #expect(try MarkupElement(reading: element.encoded { _ in [] }) == element)
  }

  @Test("white space is indentation between elements, and text if there is nothing else")
  func whiteSpace() throws {
    let root = try Self.read(
      "<a>\n <b>  </b><c> &amp; </c><d>\n</d><e> <![CDATA[x]]></e><f> <g/> </f>\n</a>")
    #expect(root.text == "")
    #expect(root.children.map(\.text) == ["  ", " & ", "\n", " x", ""])
  }

  @Test("the first of many errors is reported")
  func firstError() {
    #expect(
      throws: ArchiveError.notWellFormed(
        reason: "undeclared entity", line: 2, column: 1)
    ) {
      try Self.read("<a>\n&one;\n&two;<b></a>")
    }
  }

  @Test("attributes are written in the given order, then by name")
  func attributeOrder() {
    let element = MarkupElement(name: "a", attributes: ["b": "1", "z": "2", "c": "3"])
    let text = String(decoding: element.encoded { _ in ["z", "q"] }, as: UTF8.self)
    #expect(text.hasSuffix(#"<a z="2" b="1" c="3"/>"#))
  }

  @Test(
    "external, parameter and recursive entities and default attributes are refused",
    arguments: [
      #"<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>"#,
      #"<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a b="&x;"/>"#,
      #"<!DOCTYPE a [<!ENTITY x SYSTEM "x.gif" NDATA gif>]><a/>"#,
      #"<!DOCTYPE a [<!ENTITY x "&y;"><!ENTITY y "&x;">]><a b="&x;"/>"#,
      #"<!-- <b> --><!DOCTYPE a [<!ATTLIST a x CDATA "default">]><a/>"#,
      #"<!DOCTYPE a [<!ENTITY % p SYSTEM "file:///etc/passwd">%p;]><a/>"#,
      #"<!DOCTYPE a [<!ENTITY % p "<!ENTITY x '1'>">%p;]><a>&x;</a>"#,
      MarkupTests.laughs,
    ])
  func entities(document: String) {
    #expect { try Self.read(document) } throws: { error in
      if case ArchiveError.declaresEntities = error { return true }
      return false
    }
  }

  @Test("an attribute may be declared without a default")
  func declaredAttributes() throws {
    let root = try Self.read(#"<!DOCTYPE a [<!ATTLIST a x CDATA #IMPLIED>]><a y="1"/>"#)
    #expect(root == MarkupElement(name: "a", attributes: ["y": "1"]))
    #expect(root != MarkupElement(name: "a", attributes: ["y": "1"], children: [root]))
  }

  /// Ten entities, each ten times the one before: 10 GB of text.
  static let laughs =
    "<!DOCTYPE a [<!ENTITY e0 \"0123456789\">"
    + (1...9).map { level in
      "<!ENTITY e\(level) \"\(String(repeating: "&e\(level - 1);", count: 10))\">"
    }.joined() + "]><a>&e9;</a>"

  @Test("internal entities are expanded")
  func internalEntities() throws {
    let declarations = #"<!DOCTYPE a [<!ENTITY x "1"><!ENTITY y "&x;<b c='&x;'/>&x;">]>"#
    let root = try Self.read(declarations + "<a d='&x;2'>&y;</a>")
    #expect(
      root
        == MarkupElement(
          name: "a", attributes: ["d": "12"],
          children: [MarkupElement(name: "b", attributes: ["c": "1"])], text: "11"))
  }

  @Test("an external document type is never fetched, and its entities are errors")
  func externalDocumentType() throws {
    for identifier in ["SYSTEM 'file:///nonexistent.dtd'", "PUBLIC 'p' 'file:///nonexistent.dtd'"] {
      let type = "<!DOCTYPE a \(identifier)>"
      let root = try Self.read(type + "<a b='&lt;&#65;'>&amp;</a>")
      #expect(root == MarkupElement(name: "a", attributes: ["b": "<A"], text: "&"))
      for content in ["<a>&x;</a>", "<a b='&x;'/>", "<a>%x;&x;</a>"] {
        #expect {
          try Self.read(type + content)
        } throws: { error in
          guard case ArchiveError.notWellFormed(let reason, 1, _) = error else { return false }
          return reason == "undeclared entity"
        }
      }
    }
  }

  @Test(
    "documents are read in each encoding that real files declare",
    arguments: ["", "UTF-8", "utf-8", "utf8", "UTF8", "US-ASCII", "ISO-8859-1"])
  func encodings(name: String) throws {
    let text = name == "US-ASCII" ? "e" : "é"
    for mark in ["", "\u{FEFF}"] where mark.isEmpty || !["US-ASCII", "ISO-8859-1"].contains(name) {
      for quote in ["'", "\""] {
        let declaration =
          name.isEmpty ? "" : "<?xml version='1.0' encoding=\(quote)\(name)\(quote)?>\n"
        let document =
          Array((mark + declaration + "<a b='").utf8)
          + (name == "ISO-8859-1" ? [0xE9] : Array(text.utf8)) + Array("'/>".utf8)
        #expect(
          try MarkupElement(reading: document) == MarkupElement(name: "a", attributes: ["b": text]))
      }
    }
  }

  @Test("text in another encoding is refused")
  func otherEncodings() throws {
    for order in [0, 1] {
      let wide = "<a/>".utf8.flatMap { byte -> [UInt8] in order == 0 ? [byte, 0] : [0, byte] }
      let mark: [UInt8] = order == 0 ? [0xFF, 0xFE] : [0xFE, 0xFF]
      #expect(throws: ArchiveError.self) { try MarkupElement(reading: wide) }
      #expect(throws: ArchiveError.self) { try MarkupElement(reading: mark + wide) }
    }
    #expect(throws: ArchiveError.self) {
      try Self.read("<?xml version='1.0' encoding='UTF-7'?>+ADw-a/>")
    }
    #expect(throws: ArchiveError.self) { try Self.read("<?xml version='1.0' encoding='x'?><a/>") }
  }

  private static let invalidTexts: [[UInt8]] = [
    Array("<a><!-- ".utf8) + [0xFF] + Array(" --></a>".utf8),
    [0x3C, 0x61, 0xC0, 0x80, 0x2F, 0x3E],
    Array("<a b='".utf8) + [0xED, 0xA0, 0x80] + Array("'/>".utf8),
    Array("<a>".utf8) + [0xE2, 0x82],
  ]

  @Test("invalid UTF-8 is refused at every position", arguments: invalidTexts)
  func invalidBytes(bytes: [UInt8]) {
    #expect(throws: ArchiveError.self) { try MarkupElement(reading: bytes) }
  }

  @Test("processing instructions and comments are ignored")
  func instructions() throws {
    for document in [
      "<a/><?pi?>", "<a><?pi x?></a>", "<?pi?><a/>", "<!DOCTYPE a [<?pi?>]><a/>",
      "<a><!-- & --></a>",
    ] {
      #expect(try Self.read(document) == MarkupElement(name: "a"))
    }
  }

  @Test("the line of a multi-line start tag is its first")
  func lines() throws {
    let root = try Self.read("<a>\n<b\n c='1'\n/>\r\n<d/></a>")
    #expect(root.children.map(\.line) == [2, 5])
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
    "errors of invalid documents have a position",
    arguments: [
      "", "<", "<a", "<a>", "<a></b>", "<a x=1/>", "<a x='1' x='2'/>", "\u{0}", "<a>&nope;</a>",
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
  @Test("compressed data is decompressed to the same bytes")
  func roundTrip() throws {
    for bytes in [
      [], [1], Array(repeating: 7, count: 500_000), (0..<70_000).map { UInt8($0 & 0xFF) },
    ] as [[UInt8]] {
      #expect(try Deflate.expand(Deflate.compress(bytes)) == bytes)
    }
  }

  @Test("a decompression bomb is refused")
  func bomb() {
    let bomb = Deflate.compress(Array(repeating: 0, count: ArchiveLimits.inflatedSize + 1))
    #expect(bomb.count < 1 << 20)
    #expect(
      throws: ArchiveError.tooLarge(what: "the expanded size", limit: ArchiveLimits.inflatedSize)
    ) {
      try Deflate.expand(bomb)
    }
  }

  @Test("damaged and truncated streams are refused")
  func damage() {
    let stream = Deflate.compress(Array("a model, a model, a model".utf8))
    #expect(throws: ArchiveError.self) { try Deflate.expand(Array(stream.dropLast())) }
    #expect(throws: ArchiveError.self) { try Deflate.expand([0xFF, 0xFF, 0xFF]) }
    #expect(throws: ArchiveError.self) { try Deflate.expand([]) }
  }
}
