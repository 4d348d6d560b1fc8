internal import StrataBase
internal import StrataEssentials
internal import StrataExpressions
internal import StrataObjectModel
internal import StrataRendering
internal import StrataStore

/// A value as text for display and as JSON.
struct ShownValue {
  let text: StyledText
  let json: JSONValue

  /// A value without a declared type, such as a column of a query.
  init(_ value: AttributeValue) {
    switch value {
    case .null: (text, json) = (StyledText("nil", .faint), .null)
    case .integer(let number): (text, json) = (StyledText(String(number)), .integer(number))
    case .real(let number):
      text = StyledText(String(number))
      // JSON has no infinity.
      json = number.isFinite ? .real(number) : .string(String(number))
    case .text(let string): (text, json) = (StyledText(string), .string(string))
    case .bytes(let bytes):
      text = StyledText(Phrase.count(bytes.count, "byte"), .faint)
      json = ["bytes": bytes.count]
    }
  }

  /// A value of which only the kind is known.
  init(_ value: AttributeValue, of kind: ValueKind) {
    switch (kind.element, value) {
    case (.date, .integer(let seconds)): self.init(date: Double(seconds))
    case (.date, .real(let seconds)): self.init(date: seconds)
    case (.uuid, .bytes(let bytes)) where bytes.count == 16:
      let uuid = bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }.uuidString
      self.init(StyledText(uuid), .string(uuid))
    default: self.init(value)
    }
  }

  /// A value of an attribute, such as an expression returns it.
  init(_ value: AttributeValue, of attribute: Attribute) {
    guard attribute.type == .boolean, case .integer(let number) = value else {
      self.init(value, of: ValueKind(attribute.type))
      return
    }
    self.init(StyledText(number == 0 ? "NO" : "YES"), .bool(number != 0))
  }

  /// The value of an attribute as its column has it.
  init(stored value: AttributeValue, of attribute: Attribute) {
    switch value {
    case .bytes(let bytes) where attribute.mayBeExternal && bytes.count > 0:
      // Facts on the SQLite schema, section 8: the first byte is the kind of storage.
      switch bytes[0] {
      case 1: self.init(.bytes(Array(bytes.dropFirst())))
      case 2:
        let name = String(decoding: bytes.dropFirst().prefix { $0 != 0 }, as: UTF8.self)
        self.init(StyledText("external file \(name)", .faint), ["externalFile": name])
      default:
        let whole = ShownValue(.bytes(bytes))
        self.init(
          whole.text + StyledText(", damaged: neither data nor a file name", .warning), whole.json)
      }
    default: self.init(value, of: attribute)
    }
  }

  /// The maximum length of a string on a terminal.
  private static let longestText = 200

  /// The text, truncated if it is long.
  var truncatedText: StyledText {
    guard case .string(let string) = json, string.utf8.count > Self.longestText else { return text }
    // By scalars: a character may have any number of combining marks.
    return StyledText(
      String(String.UnicodeScalarView(string.unicodeScalars.prefix(Self.longestText))))
      + StyledText("… \(string.utf8.count) bytes", .faint)
  }

  private init(_ text: StyledText, _ json: JSONValue) {
    self.text = text
    self.json = json
  }

  private init(date seconds: Double) {
    guard let written = TextualValue.text(ofDate: seconds) else {
      self.init(.real(seconds))
      return
    }
    self.init(StyledText(written), .string(written))
  }
}
