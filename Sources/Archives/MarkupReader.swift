internal import CExpat

/// Builds the tree from expat's events, and stops at the first exceeded limit.
final class MarkupReader {
  private let bytes: [UInt8]
  private let parser: XML_Parser?
  private var root: MarkupElement?
  private var refusal: ArchiveError?
  private var open: [MarkupElement] = []
  /// White space since the last tag, if there was no other text.
  private var space = ""
  private var count = 0
  private var isInCDATA = false
  /// Whether an external document type, which is not read, could declare entities.
  private var hasExternalSubset = false

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    // `utf8` is not a valid encoding name, but real files use it.
    parser = XML_ParserCreate(XMLDeclaration(of: bytes)?.encoding == "utf8" ? "UTF-8" : nil)
  }

  deinit { XML_ParserFree(parser) }

  func read() -> Result<MarkupElement, ArchiveError> {
    XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
    XML_SetElementHandler(
      parser, { MarkupReader.of($0)?.start($1, $2) },
      { reader, _ in MarkupReader.of(reader)?.end() })
    XML_SetCharacterDataHandler(parser) { MarkupReader.of($0)?.take($1, $2) }
    XML_SetCdataSectionHandler(
      parser, { MarkupReader.of($0)?.isInCDATA = true }, { MarkupReader.of($0)?.isInCDATA = false })
    XML_SetStartDoctypeDeclHandler(parser) { reader, _, system, publicID, _ in
      MarkupReader.of(reader)?.hasExternalSubset = system != nil || publicID != nil
    }
    XML_SetEntityDeclHandler(parser) { reader, _, isParameter, text, _, _, _, _, _ in
      if isParameter != 0 || text == nil { MarkupReader.of(reader)?.refuseDeclaration() }
    }
    XML_SetAttlistDeclHandler(parser) { reader, _, _, _, value, _ in
      if value != nil { MarkupReader.of(reader)?.refuseDeclaration() }
    }
    XML_SetSkippedEntityHandler(parser) { reader, _, _ in
      MarkupReader.of(reader)?.refuseUndeclaredEntity()
    }
    let status = bytes.withUnsafeBytes { buffer in
      XML_Parse(
        parser, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(buffer.count), 1)
    }
    if let refusal { return .failure(refusal) }
    guard status == XML_STATUS_OK, let root else { return .failure(failure) }
    return .success(root)
  }

  private static func of(_ data: UnsafeMutableRawPointer?) -> MarkupReader? {
    data.map { Unmanaged<MarkupReader>.fromOpaque($0).takeUnretainedValue() }
  }

  // MARK: Events

  private func start(
    _ name: UnsafePointer<XML_Char>?, _ list: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?
  ) {
    guard refusal == nil, let name else { return }
    count += 1
    guard open.count < ArchiveLimits.elementDepth else {
      return refuse(.tooDeep(limit: ArchiveLimits.elementDepth))
    }
    guard count <= ArchiveLimits.elementCount else {
      return refuse(.tooLarge(what: "the number of elements", limit: ArchiveLimits.elementCount))
    }
    guard !hasExternalSubset || !tagRefersToEntity else { return refuseUndeclaredEntity() }
    space = ""
    var attributes = [String: String](
      minimumCapacity: Int(XML_GetSpecifiedAttributeCount(parser)) / 2)
    var index = 0
    while let list, let key = list[index], let value = list[index + 1] {
      attributes[String(cString: key)] = String(cString: value)
      index += 2
    }
    open.append(MarkupElement(name: String(cString: name), attributes: attributes, line: line))
  }

  /// In attributes, expat silently drops undeclared entities that an external document type could declare.
  private var tagRefersToEntity: Bool {
    let start = Int(XML_GetCurrentByteIndex(parser))
    let end = start + Int(XML_GetCurrentByteCount(parser))
    guard start >= 0, start <= end, end <= bytes.count else { return true }
    let known = ["#", "lt;", "gt;", "amp;", "quot;", "apos;"].map { Array($0.utf8) }
    return (start..<end).contains { index in
      bytes[index] == UInt8(ascii: "&")
        && !known.contains { bytes[(index + 1)...].starts(with: $0) }
    }
  }

  private func take(_ characters: UnsafePointer<XML_Char>?, _ count: Int32) {
    guard refusal == nil, !open.isEmpty, let characters else { return }
    let text = characters.withMemoryRebound(to: UInt8.self, capacity: Int(count)) {
      UnsafeBufferPointer(start: $0, count: Int(count))
    }
    let last = open.count - 1
    // Most text in a model is indentation between elements; it is held back until other text follows.
    if !isInCDATA, open[last].text.isEmpty, text.allSatisfy(\.isXMLSpace) {
      space += String(decoding: text, as: UTF8.self)
      return
    }
    if !space.isEmpty {
      open[last].text += space
      space = ""
    }
    open[last].text += String(decoding: text, as: UTF8.self)
  }

  private func end() {
    guard refusal == nil, var element = open.popLast() else { return }
    // White space without other text and without elements is the content.
    if element.text.isEmpty, element.children.isEmpty { element.text = space }
    space = ""
    if open.isEmpty {
      root = element
    } else {
      open[open.count - 1].children.append(element)
    }
  }

  // MARK: Errors

  private var line: Int { max(1, Int(XML_GetCurrentLineNumber(parser))) }

  private func refuse(_ reason: ArchiveError) {
    guard refusal == nil else { return }
    refusal = reason
    XML_StopParser(parser, XML_Bool(XML_FALSE))
  }

  private func refuseDeclaration() { refuse(.declaresEntities(line: line)) }

  private func refuseUndeclaredEntity() {
    refuse(notWellFormed(Self.undeclaredEntity))
  }

  private static let undeclaredEntity = "undeclared entity"

  private func notWellFormed(_ reason: String) -> ArchiveError {
    .notWellFormed(
      reason: reason, line: line, column: Int(XML_GetCurrentColumnNumber(parser)) + 1)
  }

  private var failure: ArchiveError {
    switch XML_GetErrorCode(parser) {
    case XML_ERROR_RECURSIVE_ENTITY_REF, XML_ERROR_AMPLIFICATION_LIMIT_BREACH,
      XML_ERROR_ATTRIBUTE_EXTERNAL_ENTITY_REF, XML_ERROR_BINARY_ENTITY_REF,
      XML_ERROR_EXTERNAL_ENTITY_HANDLING:
      .declaresEntities(line: line)
    case let code: notWellFormed(reason(code))
    }
  }

  private func reason(_ code: XML_Error) -> String {
    switch code {
    case XML_ERROR_NO_ELEMENTS where count == 0: "the document is empty"
    case XML_ERROR_NO_ELEMENTS: "the document ends inside an element"
    case XML_ERROR_INVALID_TOKEN where String(validating: bytes, as: UTF8.self) == nil,
      XML_ERROR_PARTIAL_CHAR:
      "bytes that are not in the document's encoding"
    case XML_ERROR_INVALID_TOKEN: "a character that XML does not allow there"
    case XML_ERROR_SYNTAX: "text outside of the root element, or a misplaced character"
    case XML_ERROR_UNCLOSED_TOKEN: "a tag that is not closed with '>'"
    case XML_ERROR_TAG_MISMATCH: "an end tag that does not match its start tag"
    case XML_ERROR_DUPLICATE_ATTRIBUTE: "duplicate attribute"
    case XML_ERROR_JUNK_AFTER_DOC_ELEMENT: "the document continues after its end"
    case XML_ERROR_UNDEFINED_ENTITY: Self.undeclaredEntity
    case XML_ERROR_BAD_CHAR_REF: "a reference to a character that XML does not allow"
    case XML_ERROR_MISPLACED_XML_PI, XML_ERROR_XML_DECL, XML_ERROR_TEXT_DECL:
      "an XML declaration that is invalid or not at the beginning"
    case XML_ERROR_UNKNOWN_ENCODING: "an unknown encoding: the text must be UTF-8"
    case XML_ERROR_INCORRECT_ENCODING: "the text is not in the encoding that it declares"
    case XML_ERROR_UNCLOSED_CDATA_SECTION: "a CDATA section that is not closed"
    default: XML_ErrorString(code).map { String(cString: $0) } ?? "XML error \(code.rawValue)"
    }
  }
}

extension UInt8 {
  fileprivate var isXMLSpace: Bool { self == 0x20 || self == 0x0A || self == 0x09 || self == 0x0D }
}
