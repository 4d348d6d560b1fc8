internal import StrataBase
internal import StrataObjectModel
internal import StrataRendering

extension ObjectView.Links {
  /// The object or objects; of many the first ones and their number.
  var shortJSON: JSONValue {
    let names = objects.map(\.description)
    guard relationship.isToMany else { return .string(orNull: names.first) }
    guard count > objects.count else { return .strings(names) }
    return .object([("first", .strings(names)), ("count", .integer(Int64(count)))])
  }
}

extension ShownValue {
  private static let limit = 200

  /// The value; of a long text the beginning and the number of bytes.
  var shortJSON: JSONValue {
    switch json {
    // JavaScript reads no larger integers exactly.
    case .integer(let number) where number.magnitude > 1 << 53: return .string(String(number))
    default: break
    }
    guard case .string(let text) = json, text.utf8.count > Self.limit else { return json }
    return .object([
      (
        "text", .string(String(String.UnicodeScalarView(text.unicodeScalars.prefix(Self.limit))))
      ),
      ("bytes", .integer(Int64(text.utf8.count))),
    ])
  }

  /// The type of the value, and the size of a text.
  func maskedJSON(of attribute: Attribute) -> JSONValue {
    guard json != .null else { return .null }
    if attribute.type == .string, case .string(let text) = json {
      return .object([("type", "text"), ("bytes", .integer(Int64(text.utf8.count)))])
    }
    return .object([("type", .string(attribute.type.name))])
  }
}
