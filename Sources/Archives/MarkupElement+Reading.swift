internal import Foundation

#if canImport(FoundationXML)
  internal import FoundationXML
#endif

extension MarkupElement {
  /// Reads an XML document as a tree.
  ///
  /// Entities are not expanded: a document that declares any is refused, and nothing outside the
  /// bytes is ever looked at. Nesting and the number of elements are bounded by ``ArchiveLimits``.
  ///
  /// - Throws: ``ArchiveError/notWellFormed(reason:line:column:)`` and its kin, with the place.
  public init(reading bytes: [UInt8]) throws(ArchiveError) {
    try Self.checkText(bytes)
    try Self.checkProlog(of: bytes)
    try Self.checkTags(of: bytes)
    self = try Self.parse(bytes).get()
  }

  private static func parse(_ bytes: [UInt8]) -> Result<MarkupElement, ArchiveError> {
    let builder = MarkupTreeBuilder()
    return bytes.withUnsafeBytes { bytes in
      // A view, no copy: a large part of reading is the first touch of memory.
      let view = bytes.baseAddress.map {
        Data(
          bytesNoCopy: UnsafeMutableRawPointer(mutating: $0), count: bytes.count, deallocator: .none
        )
      }
      // libxml2 takes no more than ten million bytes in one piece.
      let isLarge = bytes.count > 8 << 20
      let parser =
        isLarge
        ? XMLParser(stream: InputStream(data: view ?? Data())) : XMLParser(data: view ?? Data())
      parser.shouldResolveExternalEntities = false
      parser.delegate = builder
      let isWhole = parser.parse()
      if let refusal = builder.refusal { return .failure(refusal) }
      // The parser says that all is well when only the end was missing.
      if isWhole, builder.error == nil, let root = builder.root { return .success(root) }
      return .failure(
        builder.error
          ?? failure(code: (parser.parserError as NSError?)?.code ?? 0, at: parser))
    }
  }

  /// Foundation's parser traps on text that is not UTF-8 and on processing instructions, so neither
  /// may reach it. No tool writes either into a model or a property list.
  private static func checkText(_ bytes: [UInt8]) throws(ArchiveError) {
    // ASCII, as nearly every model is, needs no second look.
    guard isASCII(bytes) || String(validating: bytes, as: UTF8.self) != nil else {
      throw .notWellFormed(reason: "the text is not UTF-8", line: 1, column: 1)
    }
    // The XML declaration looks like an instruction; it stands at the very beginning, behind the mark.
    let mark = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    let hasDeclaration = bytes[mark...].starts(with: Array("<?xml ".utf8))
    // Question marks are rare in these documents: the bytes between them need no look.
    var place = mark
    while let found = questionMark(in: bytes, from: place) {
      if found > 0, bytes[found - 1] == UInt8(ascii: "<"), !(hasDeclaration && found == mark + 1) {
        let line = 1 + bytes[..<found].count { $0 == UInt8(ascii: "\n") }
        throw .notWellFormed(reason: "a processing instruction", line: line, column: 1)
      }
      place = found + 1
    }
  }

  /// The parser takes time that grows with the square of an element's attributes: the largest real ones
  /// have 20.
  private static func checkTags(of bytes: [UInt8]) throws(ArchiveError) {
    // A small document has no room for so many.
    guard bytes.count > 1 << 16 else { return }
    let limit = ArchiveLimits.attributeCount
    let isTooMany = bytes.withUnsafeBytes { buffer in
      guard let base = buffer.baseAddress else { return false }
      var start = 0
      while start < buffer.count {
        // No tag and no text holds a bare "<".
        let next = memchr(base + start + 1, 0x3C, buffer.count - start - 1)
        let end = next.map { base.distance(to: $0) } ?? buffer.count
        if end - start > 4 * limit {
          var count = 0
          for place in start..<(end - 1)
          where buffer[place] == 0x3D && (buffer[place + 1] == 0x22 || buffer[place + 1] == 0x27) {
            count += 1
          }
          if count > limit { return true }
        }
        start = end
      }
      return false
    }
    guard !isTooMany else {
      throw .tooLarge(what: "the number of attributes of one element", limit: limit)
    }
  }

  private static func questionMark(in bytes: [UInt8], from place: Int) -> Int? {
    bytes.withUnsafeBytes { buffer in
      guard let base = buffer.baseAddress, place < buffer.count,
        let found = memchr(base + place, Int32(UInt8(ascii: "?")), buffer.count - place)
      else { return nil }
      return base.distance(to: found)
    }
  }

  /// Eight bytes at a time: models are read by the hundred.
  private static func isASCII(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { buffer in
      var place = 0
      var high: UInt64 = 0
      while place + 8 <= buffer.count {
        high |= buffer.loadUnaligned(fromByteOffset: place, as: UInt64.self)
        place += 8
      }
      guard high & 0x8080_8080_8080_8080 == 0 else { return false }
      return buffer[place...].allSatisfy { $0 < 0x80 }
    }
  }

  /// Looks at what stands before the root element.
  ///
  /// XMLParser drops references to entities without a word, which would change what a document says,
  /// and gives every element the default attributes that a document type declares, however large. So a
  /// document with declarations of its own is refused, and so is an encoding in which this look could
  /// not see them.
  private static func checkProlog(of bytes: [UInt8]) throws(ArchiveError) {
    var line = 1
    var place = bytes.startIndex
    while place < bytes.endIndex {
      let byte = bytes[place]
      if byte == UInt8(ascii: "\n") { line += 1 }
      guard byte != 0 else {
        throw .notWellFormed(reason: "the text is not UTF-8", line: line, column: 1)
      }
      let rest = bytes[place...]
      if rest.starts(with: Array("<!--".utf8)) {
        while place < bytes.endIndex, !bytes[place...].starts(with: Array("-->".utf8)) {
          place += 1
        }
      } else if rest.starts(with: Array("<?xml ".utf8)) {
        try checkEncoding(of: rest.prefix { $0 != UInt8(ascii: ">") })
      } else if rest.starts(with: Array("<!".utf8)), !rest.starts(with: Array("<!DOCTYPE".utf8)) {
        throw .declaresEntities(line: line)
      } else if byte == UInt8(ascii: "<"), !rest.starts(with: Array("<!".utf8)),
        !rest.starts(with: Array("<?".utf8))
      {
        return
      }
      place += 1
    }
  }

  private static func checkEncoding(of declaration: ArraySlice<UInt8>) throws(ArchiveError) {
    let text = String(decoding: declaration, as: UTF8.self).lowercased()
    guard let key = text.firstRange(of: "encoding") else { return }
    let known = ["utf-8", "us-ascii", "ascii", "iso-8859-1"]
    let value = text[key.upperBound...].drop { "= \t\n".contains($0) }
    guard let quote = value.first,
      known.contains(where: { value.dropFirst().hasPrefix("\($0)\(quote)") })
    else { throw .notWellFormed(reason: "the text is not UTF-8", line: 1, column: 1) }
  }

  fileprivate static func failure(code: Int, at parser: XMLParser) -> ArchiveError {
    // 89: a loop of entity references. Only a document that declares entities can have one.
    if code == 89 { return .declaresEntities(line: parser.lineNumber) }
    return .notWellFormed(
      reason: reason(code), line: max(1, parser.lineNumber), column: max(1, parser.columnNumber))
  }

  /// The commonest libxml2 error codes in words; the rest by number.
  private static func reason(_ code: Int) -> String {
    switch code {
    case 4: "the document is empty"
    case 5: "the document ends too early, or goes on after its end"
    case 9: "a character that XML does not allow"
    case 26, 27: "an entity that is not declared"
    case 38, 39, 40: "a broken attribute value"
    case 41: "an attribute without a value"
    case 42: "an attribute given twice"
    case 65: "white space is missing between attributes"
    case 68: "a broken name after '<'"
    case 73: "a tag that is not closed with '>'"
    case 76: "an end tag that does not match its start tag"
    case 77: "the document ends before its last element does"
    case 81: "bytes that are not in the document's encoding"
    default: "XML error \(code)"
    }
  }
}

/// Builds the tree out of the parser's events, and stops it at the first breach of a limit.
private final class MarkupTreeBuilder: NSObject, XMLParserDelegate {
  private(set) var root: MarkupElement?
  private(set) var refusal: ArchiveError?
  /// The first error: those after it are mostly its consequences.
  private(set) var error: ArchiveError?
  private var open: [MarkupElement] = []
  /// White space since the last tag, as long as nothing else has come.
  private var space = ""
  private var count = 0

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    count += 1
    guard open.count < ArchiveLimits.elementDepth else {
      return refuse(.tooDeep(limit: ArchiveLimits.elementDepth), parser)
    }
    guard count <= ArchiveLimits.elementCount else {
      return refuse(
        .tooLarge(what: "the number of elements", limit: ArchiveLimits.elementCount), parser)
    }
    space = ""
    open.append(MarkupElement(name: name, attributes: attributes, line: parser.lineNumber))
  }

  func parser(_ parser: XMLParser, foundCharacters text: String) {
    guard !open.isEmpty else { return }
    // Layout between elements is most of a model's text; it is kept back until more follows.
    if open[open.count - 1].text.isEmpty, text.utf8.allSatisfy(\.isXMLSpace) {
      space += text
      return
    }
    open[open.count - 1].text += space + text
    space = ""
  }

  func parser(_ parser: XMLParser, foundCDATA block: Data) {
    guard !open.isEmpty else { return }
    open[open.count - 1].text += space + String(decoding: block, as: UTF8.self)
    space = ""
  }

  func parser(
    _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
  ) {
    guard var element = open.popLast() else { return }
    // In one line and with nothing beside it, white space is what the element says.
    if element.text.isEmpty, element.children.isEmpty, !space.utf8.contains(0x0A) {
      element.text = space
    }
    space = ""
    if open.isEmpty {
      root = element
    } else {
      open[open.count - 1].children.append(element)
    }
  }

  func parser(_ parser: XMLParser, parseErrorOccurred parseError: any Error) {
    let code = (parseError as NSError).code
    // From 97 on libxml2 warns, or complains of name spaces: neither changes what the document says.
    guard error == nil, code < 97 else { return }
    error = MarkupElement.failure(code: code, at: parser)
    // Each error costs Foundation memory that it never frees, and a file can be nothing but errors.
    parser.abortParsing()
  }

  private func refuse(_ reason: ArchiveError, _ parser: XMLParser) {
    if refusal == nil { refusal = reason }
    parser.abortParsing()
  }
}

extension UInt8 {
  fileprivate var isXMLSpace: Bool { self == 0x20 || self == 0x0A || self == 0x09 || self == 0x0D }
}
