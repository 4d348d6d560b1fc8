internal import StrataBase
internal import StrataEssentials

/// Values of other types that are written as text.
package enum TextualValue {
  /// Whether two texts of decimals are different numbers; `false` if the first is none.
  ///
  /// ```swift
  /// TextualValue.areDifferent(decimals: "1e3", "1000.0")   // false
  /// ```
  package static func areDifferent(decimals text: String, _ other: String) -> Bool {
    Decimal(string: text).map { $0 != Decimal(string: other) } ?? false
  }

  /// A date in ISO 8601, with or without a time (midnight UTC), in seconds since 2001.
  ///
  /// ```swift
  /// TextualValue.date("2001-01-02")               // 86400
  /// TextualValue.date("2001-01-01T00:00:01.5Z")   // 1.5
  /// ```
  package static func date(_ text: String) -> Double? {
    // The format style for a day would accept a date with time.
    if text.utf8.count == 10,
      let day = try? Date.ISO8601FormatStyle.iso8601.year().month().day().parse(text)
    {
      // The 30th of February would be read as a day in March.
      return day.formatted(.iso8601).hasPrefix(text) ? day.timeIntervalSinceReferenceDate : nil
    }
    // The fraction is read separately, since Foundation reads fewer digits than a date has.
    var whole = text
    var fraction = 0.0
    if let point = text.firstIndex(of: ".") {
      let digits = text[text.index(after: point)...].prefix { "0123456789".contains($0) }
      guard !digits.isEmpty, let value = Double("0." + digits) else { return nil }
      fraction = value
      whole.removeSubrange(point..<text.index(point, offsetBy: digits.count + 1))
    }
    guard isClockTime(whole), let date = try? Date(whole, strategy: .iso8601) else { return nil }
    return date.timeIntervalSinceReferenceDate + fraction
  }

  /// Whether day and time are valid: Foundation reads the 25th hour as the first hour of the next day.
  private static func isClockTime(_ text: String) -> Bool {
    let parts = text.split(separator: "T", maxSplits: 1)
    guard parts.count == 2, date(String(parts[0])) != nil else { return false }
    let clock = parts[1].prefix { $0.isASCII && ($0.isNumber || $0 == ":") }
    guard isZone(parts[1].dropFirst(clock.count)) else { return false }
    let digits = clock.filter { $0 != ":" }
    let numbers = stride(from: 0, to: digits.count - 1, by: 2).compactMap { offset in
      Int(digits.dropFirst(offset).prefix(2))
    }
    return zip(numbers, [24, 60, 60]).allSatisfy { $0 < $1 }
  }

  /// Whether a text is all of a time zone, `Z` or `+02:00`: Foundation ignores what follows one.
  private static func isZone(_ text: Substring) -> Bool {
    guard text != "Z" else { return true }
    let digits = text.dropFirst().filter { $0 != ":" }
    return (text.hasPrefix("+") || text.hasPrefix("-")) && [2, 4].contains(digits.count)
      && digits.allSatisfy { $0.isASCII && $0.isNumber }
  }

  /// Seconds since 2001 as an ISO 8601 date in UTC, with as many digits as needed to be unique; `nil` for values
  /// that cannot be written so.
  ///
  /// ```swift
  /// TextualValue.text(ofDate: 1.5)  // "2001-01-01T00:00:01.5Z"
  /// ```
  package static func text(ofDate seconds: Double) -> String? {
    // Years 1 to 9999.
    guard (-63_114_076_800..<252_423_993_600).contains(seconds) else { return nil }
    let whole = seconds.rounded(.down)
    let text = Date(timeIntervalSinceReferenceDate: whole).formatted(.iso8601)
    guard seconds != whole else { return text }
    for digits in 1...9 {
      let rounded = (seconds - whole).text(digits: digits)
      // What is nearer to the next second than nine digits show.
      if digits == 9, rounded.hasPrefix("1") { return Self.text(ofDate: whole + 1) }
      let fraction = rounded.dropFirst(2)
      if let value = Double("0." + fraction), whole + value == seconds || digits == 9 {
        return text.dropLast() + "." + fraction + "Z"
      }
    }
    return text
  }

  /// The 16 bytes of a UUID.
  package static func uuid(_ text: String) -> [UInt8]? {
    UUID(uuidString: text).map { uuid in withUnsafeBytes(of: uuid.uuid) { Array($0) } }
  }

  /// The object that a text names: `p17`, or a URI with the UUID of its store and its entity.
  ///
  /// ```swift
  /// TextualValue.object("x-coredata://374C5961-3E41-43E5-915C-383EA914074C/Topic/p17")?.entity  // "Topic"
  /// ```
  package static func object(
    _ text: String
  ) -> (store: String?, entity: String?, key: Int64)? {
    let scheme = "x-coredata://"
    guard text.hasPrefix(scheme) else { return key(text[...]).map { (nil, nil, $0) } }
    let parts = text.dropFirst(scheme.count).split(
      separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 3, !parts[0].isEmpty, !parts[1].isEmpty else { return nil }
    return key(parts[2]).map { (String(parts[0]), String(parts[1]), $0) }
  }

  private static func key(_ text: Substring) -> Int64? {
    text.hasPrefix("p") ? Int64(text.dropFirst()) : nil
  }
}
