internal import Foundation

/// Values that are written as text and kept as something else.
public enum TextualValue {
  /// A date in ISO 8601, with or without a time (midnight UTC), in seconds since 2001.
  ///
  /// ```swift
  /// TextualValue.date("2001-01-02")               // 86400
  /// TextualValue.date("2001-01-01T00:00:01.5Z")   // 1.5
  /// ```
  public static func date(_ text: String) -> Double? {
    let styles: [Date.ISO8601FormatStyle] = [
      .iso8601, Date.ISO8601FormatStyle(includingFractionalSeconds: true),
      .iso8601.year().month().day(),
    ]
    for style in styles {
      if let date = try? style.parse(text) { return date.timeIntervalSinceReferenceDate }
    }
    return nil
  }

  /// The 16 bytes of a UUID.
  public static func uuid(_ text: String) -> [UInt8]? {
    UUID(uuidString: text).map { uuid in withUnsafeBytes(of: uuid.uuid) { Array($0) } }
  }
}
