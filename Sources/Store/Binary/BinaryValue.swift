internal import StrataArchives
internal import StrataBase
internal import StrataEssentials
internal import StrataExpressions

/// Decodes the attribute values of a binary store.
///
/// Source: `Docs/Facts/binary-store.md`, section 1, for numbers, texts, dates, data and nil; the open-source
/// Foundation for the keys of `NSDecimalNumber`, `NSUUID` and `NSURL`, which none of the documents has.
enum BinaryValue {
  /// - Returns: `nil` if the object is not a value of the type.
  static func read(
    _ object: ArchivedObject?, as type: AttributeType
  ) throws(ArchiveError) -> AttributeValue? {
    guard let object, object.className != "NSNull" else { return .null }
    switch type {
    case .transformable: return .bytes(try object.archived())
    case .decimal where object.isDecimal:
      return try object.decimalText().flatMap(Double.init).map { .real($0) }
    case .uuid: return try uuid(object).map { .bytes($0) }
    case .uri where object.className == "NSURL": return try url(object).map { .text($0) }
    case .undefined, .objectID, .composite: return nil
    default: break
    }
    switch (type, try object.scalar()) {
    case (.boolean, .boolean(let flag)?): return .integer(flag ? 1 : 0)
    case (.boolean, .integer(let number)?) where (0...1).contains(number): return .integer(number)
    case (.integer16, let value?), (.integer32, let value?), (.integer64, let value?):
      return integer(value).map { .integer($0) }
    case (.decimal, let value?), (.double, let value?), (.float, let value?):
      return number(value).flatMap {
        $0.isNaN || $0.isInfinite && type == .decimal ? nil : .real($0)
      }
    case (.date, .date(let seconds)?) where seconds.isFinite: return .real(seconds)
    case (.string, .string(let text)?), (.uri, .string(let text)?): return .text(text)
    case (.binary, .data(let bytes)?): return .bytes(bytes)
    default: return nil
    }
  }

  /// Whether an object is a decimal with more digits than its value.
  static func isRounded(_ object: ArchivedObject?) -> Bool {
    guard let object, object.isDecimal, let text = try? object.decimalText(),
      let number = Double(text)
    else { return false }
    return TextualValue.areDifferent(decimals: text, "\(number)")
  }

  /// What an object is that is no value of a type.
  static func description(_ object: ArchivedObject?) -> String {
    switch try? object?.scalar() {
    case .real(let number)? where number.isNaN: "not a number"
    case .real(let number)? where number.isInfinite: "infinite"
    case .date(let seconds)? where seconds.isNaN: "not a number"
    case .date(let seconds)? where seconds.isInfinite: "infinite"
    default:
      object?.isDecimal == true
        ? "a Decimal that is not a number" : object?.className ?? object?.value.kind ?? "null"
    }
  }

  private static func integer(_ value: PropertyList) -> Int64? {
    switch value {
    case .integer(let number): number
    case .boolean(let flag): flag ? 1 : 0
    case .real(let number): Int64(exactly: number)
    default: nil
    }
  }

  private static func number(_ value: PropertyList) -> Double? {
    switch value {
    case .integer(let number): Double(number)
    case .boolean(let flag): flag ? 1 : 0
    case .real(let number): number
    default: nil
    }
  }

  private static func uuid(_ object: ArchivedObject) throws(ArchiveError) -> [UInt8]? {
    guard object.className == "NSUUID", let bytes = try object.plain("NS.uuidbytes")?.data,
      bytes.count == 16
    else { return nil }
    return bytes
  }

  private static func url(_ object: ArchivedObject) throws(ArchiveError) -> String? {
    guard let relative = try object.string("NS.relative") else { return nil }
    guard let base = try object.object("NS.base") else { return relative }
    // A base has none itself.
    guard let start = try base.string("NS.relative") else { return nil }
    return URL(string: relative, relativeTo: URL(string: start))?.absoluteString
  }
}
