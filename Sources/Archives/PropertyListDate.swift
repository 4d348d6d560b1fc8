internal import StrataEssentials

/// The dates of XML property lists: whole seconds in UTC, such as `2001-01-01T00:00:00Z`, in the Gregorian calendar for
/// all years. Foundation's own formats have Julian dates before 1582.
enum PropertyListDate {
  /// The seconds from 1970 to 2001.
  private static let reference: Double = 978_307_200

  /// - Parameter seconds: Since 2001; a fraction is cut.
  /// - Returns: `nil` for years before 0 and after 9999.
  static func text(_ seconds: Double) -> String? {
    guard var time = time_t(exactly: (seconds + reference).rounded(.down)) else { return nil }
    var parts = tm()
    guard gmtime_r(&time, &parts) != nil, (-1900...8099).contains(parts.tm_year) else { return nil }
    func padded(_ number: Int32, _ count: Int) -> String {
      let digits = String(number)
      return String(repeating: "0", count: count - digits.count) + digits
    }
    return "\(padded(parts.tm_year + 1900, 4))-\(padded(parts.tm_mon + 1, 2))-"
      + "\(padded(parts.tm_mday, 2))T\(padded(parts.tm_hour, 2)):\(padded(parts.tm_min, 2)):"
      + "\(padded(parts.tm_sec, 2))Z"
  }

  /// - Returns: The seconds since 2001; `nil` for another text than that of a date.
  static func seconds(_ text: String) -> Double? {
    let numbers = text.split { !$0.isASCII || !$0.isNumber }.compactMap { Int32($0) }
    guard numbers.count == 6, numbers[0] <= 9999 else { return nil }
    var parts = tm()
    (parts.tm_year, parts.tm_mon, parts.tm_mday) = (numbers[0] - 1900, numbers[1] - 1, numbers[2])
    (parts.tm_hour, parts.tm_min, parts.tm_sec) = (numbers[3], numbers[4], numbers[5])
    let seconds = Double(timegm(&parts)) - reference
    // Numbers out of range, such as a month 13, are counted on.
    return self.text(seconds) == text ? seconds : nil
  }
}
