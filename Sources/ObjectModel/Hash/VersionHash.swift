internal import StrataBase

/// A version hash: a SHA-256 digest of 32 bytes with which Core Data checks whether a model is compatible with
/// a store.
///
/// ```swift
/// VersionHash(hex: String(repeating: "4927b7d1", count: 8))?.description  // "<4927b7d1 4927b7d1 …>"
/// ```
package struct VersionHash: Sendable, Hashable {
  private var storage: SIMD32<UInt8>

  /// - Parameter bytes: Exactly 32 bytes; otherwise the result is `nil`.
  package init?(bytes: some Collection<UInt8>) {
    guard bytes.count == 32 else { return nil }
    storage = SIMD32()
    Swift.withUnsafeMutableBytes(of: &storage) { $0.copyBytes(from: bytes) }
  }

  /// - Parameter hex: Exactly 64 hexadecimal digits; otherwise the result is `nil`.
  package init?(hex: String) {
    let digits = hex.utf8.map { Character(Unicode.Scalar($0)).hexDigitValue }
    guard digits.count == 64 else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: 64, by: 2) {
      guard let high = digits[index], let low = digits[index + 1] else { return nil }
      bytes.append(UInt8(high << 4 | low))
    }
    self.init(bytes: bytes)
  }

  package var bytes: [UInt8] { withUnsafeBytes { Array($0) } }

  func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    Swift.withUnsafeBytes(of: storage, body)
  }

  /// 64 lower-case hexadecimal digits.
  package var hex: String { bytes.hex }
}

extension VersionHash: CustomStringConvertible {
  /// The printed form of Core Data: eight groups of four bytes in angle brackets.
  package var description: String { "<\(groups.joined(separator: " "))>" }

  /// The first four bytes in hexadecimal: `4927b7d1`.
  package var short: String { groups[0] }

  private var groups: [String] {
    let bytes = bytes
    return stride(from: 0, to: 32, by: 4).map { bytes[$0..<($0 + 4)].hex }
  }
}
