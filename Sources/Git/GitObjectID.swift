/// The name of a git object: the hash of its contents.
///
/// Shape: 20 bytes in a SHA-1 repository, 32 bytes in a SHA-256 repository; as text, 40 or 64 lowercase hexadecimal
/// digits.
///
/// ```swift
/// let id = GitObjectID(hex: "4B825DC642CB6EB9A060E54BF8D69288FBEE4904")
/// id?.description  // "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
/// ```
package struct GitObjectID: Sendable, Hashable, CustomStringConvertible {
  package let bytes: [UInt8]

  /// - Parameter hex: 40 or 64 hexadecimal digits; otherwise `nil`.
  package init?(hex: some StringProtocol) {
    let digits = hex.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
    guard digits.count == hex.utf8.count else { return nil }
    let pairs = stride(from: 0, to: digits.count - 1, by: 2)
    self.init(bytes: pairs.map { UInt8(digits[$0] << 4 | digits[$0 + 1]) })
    guard bytes.count * 2 == digits.count else { return nil }
  }

  /// - Parameter bytes: 20 or 32 bytes; otherwise `nil`.
  package init?(bytes: some Collection<UInt8>) {
    guard Self.sizes.contains(bytes.count) else { return nil }
    self.bytes = Array(bytes)
  }

  /// Whether it is the name of an empty blob, in either format.
  package var isOfEmptyBlob: Bool {
    [
      "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391",
      "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813",
    ].contains(description)
  }

  /// The number of bytes of a SHA-1 and of a SHA-256 hash.
  private static let sizes = [20, 32]

  package var description: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  /// The first digits, for messages: `4b825dc642cb`.
  package var short: String { String(description.prefix(12)) }
}
