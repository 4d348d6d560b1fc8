/// The public hash of CoreFoundation's strings, and the slots of its hash tables.
///
/// ```swift
/// CoreFoundationHash("labels").slot(of: CoreFoundationHash.tableSize(entries: 9))  // 0
/// ```
///
/// Source: CoreFoundation's published source, and `Docs/Facts/sqlite-schema.md`, section 6.
struct CoreFoundationHash: Hashable {
  /// 64 bits, as on every system that runs Core Data today.
  let value: UInt64

  /// A string of up to this many UTF-16 units is hashed entirely; of a longer one, the ends and the middle.
  private static let wholeLimit = 96
  private static let partLength = 32

  init(_ text: String) {
    let units = Array(text.utf16)
    var hash = UInt64(units.count)
    func mix(_ part: ArraySlice<UInt16>) {
      var rest = part
      while rest.count >= 4 {
        let four = rest.prefix(4).map { UInt64($0) }
        hash =
          hash &* 67_503_105 &+ four[0] &* 16_974_593 &+ four[1] &* 66049 &+ four[2] &* 257
          &+ four[3]
        rest = rest.dropFirst(4)
      }
      for unit in rest { hash = hash &* 257 &+ UInt64(unit) }
    }
    if units.count <= Self.wholeLimit {
      mix(units[...])
    } else {
      mix(units.prefix(Self.partLength))
      let middle = units.count / 2 - Self.partLength / 2
      mix(units[middle..<middle + Self.partLength])
      mix(units.suffix(Self.partLength))
    }
    value = hash &+ hash << UInt64(units.count & 31)
  }

  func slot(of size: Int) -> Int { Int(value % UInt64(size)) }

  /// The number of slots of a table with this many entries.
  static func tableSize(entries: Int) -> Int {
    let sizes = [
      (3, 3), (6, 7), (11, 13), (19, 23), (32, 41), (52, 71), (85, 127), (118, 191), (155, 251),
      (237, 383),
    ]
    return sizes.first { entries <= $0.0 }?.1 ?? 631
  }
}
