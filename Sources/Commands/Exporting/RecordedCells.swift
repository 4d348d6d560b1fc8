internal import StrataBase
internal import StrataObjectModel
internal import StrataRendering

extension ObjectView.Links {
  /// The object or objects; of many the first ones and their number.
  var shortJSON: JSONValue {
    let names = objects.map(\.description)
    guard relationship.isToMany else { return names.first.json }
    guard count > objects.count else { return names.json }
    return ["first": names, "count": count]
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
    let beginning = String(String.UnicodeScalarView(text.unicodeScalars.prefix(Self.limit)))
    return ["text": beginning, "bytes": text.utf8.count]
  }

  /// The type of the value, and the size of a text.
  func maskedJSON(of attribute: Attribute) -> JSONValue {
    guard json != .null else { return .null }
    if attribute.type == .string, case .string(let text) = json {
      return ["type": "text", "bytes": text.utf8.count]
    }
    return ["type": attribute.type.name]
  }
}
