/// A seeded pseudorandom number generator: the same seed gives the same numbers on every machine.
///
/// ```swift
/// var random = SeededRandom(seed: 7)
/// Int.random(in: 1...6, using: &random)
/// ```
///
/// Source: SplitMix64, as published by Steele, Lea and Flood, 2014.
package struct SeededRandom: RandomNumberGenerator, Sendable {
  private var state: UInt64

  package init(seed: UInt64) {
    state = seed
  }

  /// Creates a generator seeded by a text.
  package init(seed text: String) {
    // FNV-1a spreads the bytes over the seed.
    state = text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// The 16 bytes of a version 4 UUID.
  package mutating func uuidBytes() -> [UInt8] {
    var bytes = [next(), next()].flatMap { word in
      (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * UInt64($0))) }
    }
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
    return bytes
  }

  /// A version 4 UUID as text, upper-case.
  package mutating func uuidText() -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var text: [UInt8] = []
    for (index, byte) in uuidBytes().enumerated() {
      if [4, 6, 8, 10].contains(index) { text.append(UInt8(ascii: "-")) }
      text += [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
    return String(decoding: text, as: UTF8.self)
  }
}
