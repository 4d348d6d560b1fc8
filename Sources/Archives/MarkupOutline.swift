internal import StrataBase
internal import StrataEssentials

/// An XML document split into the texts of its elements of one name and the rest, so that elements with equal text
/// in many documents are parsed once.
///
/// ```swift
/// let text = #"<model><entity name="Topic"></entity></model>"#
/// let outline = MarkupOutline(of: Array(text.utf8), element: "entity")
/// outline?.pieces.count                         // 1
/// String(decoding: outline?.rest ?? [], as: UTF8.self)  // "<model><entity/></model>"
/// ```
package struct MarkupOutline: Sendable {
  /// The document with an empty element in place of each piece, over as many lines.
  package private(set) var rest: [UInt8] = []
  /// The text of each element, in the order of the document.
  package private(set) var pieces: [[UInt8]] = []

  /// - Returns: `nil` for a document that only a parser can split: one with comments, CDATA sections, a document
  ///   type, processing instructions or carriage returns, or in another encoding than UTF-8. Whether the
  ///   document and its pieces are well-formed is not checked; if all are, reading them separately and reading
  ///   the whole give the same elements, except for the limits of ``MarkupElement/init(reading:)``.
  package init?(of bytes: [UInt8], element name: StaticString) {
    guard bytes.count <= ArchiveLimits.fileSize,
      bytes.withUnsafeBytes({ Self.isPlain($0) })
    else { return nil }
    let isSplit = bytes.withUnsafeBytes { text in
      name.withUTF8Buffer { name in split(text, at: UnsafeRawBufferPointer(name)) }
    }
    guard isSplit else { return nil }
  }

  /// Whether `<` begins tags alone, except for the XML declaration, lines end with a line feed, and the encoding is
  /// UTF-8.
  private static func isPlain(_ text: UnsafeRawBufferPointer) -> Bool {
    guard text.first == UInt8(ascii: "<"), text.firstIndex(of: 0x0D, from: 0) == nil,
      text.firstIndex(of: Array("<!".utf8), from: 0) == nil,
      text.firstIndex(of: Array("<?".utf8), from: 1) == nil
    else { return false }
    guard let declaration = XMLDeclaration(of: text) else {
      return !text.starts(with: "<?".utf8)
    }
    return switch declaration.encoding {
    case nil, "utf-8", "utf8": true
    default: false
    }
  }

  private mutating func split(
    _ text: UnsafeRawBufferPointer, at name: UnsafeRawBufferPointer
  ) -> Bool {
    let tag = [UInt8(ascii: "<")] + name
    let endTag = Array("</".utf8) + name
    rest.reserveCapacity(4096)
    var (done, next) = (0, 0)
    while let start = text.firstIndex(of: tag, from: next) {
      next = start + tag.count
      guard next < text.count else { return false }
      // Another name begins with the same letters.
      guard Self.endsName(text[next]) else { continue }
      guard let end = Self.end(ofElementAt: next, in: text, endTag: endTag) else { return false }
      // More elements than a document may have: its reader says so.
      guard pieces.count < ArchiveLimits.elementCount else { return false }
      let piece = UnsafeRawBufferPointer(rebasing: text[start..<end])
      rest += text[done..<start]
      rest += tag
      var line = 0
      while let feed = piece.firstIndex(of: 0x0A, from: line) {
        rest.append(0x0A)
        line = feed + 1
      }
      rest += [UInt8(ascii: "/"), UInt8(ascii: ">")]
      pieces.append(Array(piece))
      (done, next) = (end, end)
    }
    rest += text[done...]
    return true
  }

  private static func endsName(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x09 || byte == UInt8(ascii: ">")
      || byte == UInt8(ascii: "/")
  }

  /// The index after an element, whose start tag continues at an index; `nil` if it does not end.
  private static func end(
    ofElementAt start: Int, in text: UnsafeRawBufferPointer, endTag: [UInt8]
  ) -> Int? {
    var quote: UInt8?
    var index = start
    while index < text.count {
      let byte = text[index]
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == UInt8(ascii: ">") {
        break
      }
      index += 1
    }
    guard index < text.count else { return nil }
    guard text[index - 1] != UInt8(ascii: "/") else { return index + 1 }
    guard let end = text.firstIndex(of: endTag, from: index + 1) else { return nil }
    return text.firstIndex(of: UInt8(ascii: ">"), from: end + endTag.count).map { $0 + 1 }
  }
}

extension UnsafeRawBufferPointer {
  fileprivate func firstIndex(of byte: UInt8, from start: Int) -> Int? {
    guard let baseAddress, start < count,
      let found = memchr(baseAddress + start, Int32(byte), count - start)
    else { return nil }
    return UnsafeRawPointer(found) - baseAddress
  }

  func firstIndex(of bytes: [UInt8], from start: Int) -> Int? {
    var next = start
    while let found = firstIndex(of: bytes[0], from: next) {
      guard let baseAddress, found + bytes.count <= count else { return nil }
      if memcmp(baseAddress + found, bytes, bytes.count) == 0 { return found }
      next = found + 1
    }
    return nil
  }
}
