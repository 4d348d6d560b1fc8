extension PropertyList {
  /// This value as a binary property list (`bplist00`).
  ///
  /// Dictionaries are written in the byte order of their keys and equal scalars share one object, so
  /// the same value always gives the same bytes.
  package func encoded() -> [UInt8] {
    var writer = BinaryPropertyListWriter()
    return writer.write(self)
  }
}

/// Writes `bplist00`; see ``BinaryPropertyListReader`` for the layout.
private struct BinaryPropertyListWriter {
  private enum Flat {
    case scalar(PropertyList)
    case array([Int])
    case dictionary(keys: [Int], values: [Int])
  }

  private var objects: [Flat] = []
  private var scalars: [PropertyList: Int] = [:]

  mutating func write(_ root: PropertyList) -> [UInt8] {
    let top = flatten(root)
    let referenceSize = Self.size(of: objects.count)
    var bytes = Array("bplist00".utf8)
    var offsets: [Int] = []
    for object in objects {
      offsets.append(bytes.count)
      append(object, to: &bytes, referenceSize: referenceSize)
    }
    let table = bytes.count
    let offsetSize = Self.size(of: table)
    for offset in offsets { Self.append(offset, size: offsetSize, to: &bytes) }
    bytes += [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)]
    for number in [objects.count, top, table] { Self.append(number, size: 8, to: &bytes) }
    return bytes
  }

  private mutating func flatten(_ value: PropertyList) -> Int {
    switch value {
    case .array(let elements):
      let index = reserve()
      objects[index] = .array(elements.map { flatten($0) })
      return index
    case .dictionary(let entries):
      let index = reserve()
      let sorted = entries.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      objects[index] = .dictionary(
        keys: sorted.map { flatten(.string($0.key)) }, values: sorted.map { flatten($0.value) })
      return index
    default:
      if let known = scalars[value] { return known }
      let index = reserve()
      objects[index] = .scalar(value)
      scalars[value] = index
      return index
    }
  }

  private mutating func reserve() -> Int {
    objects.append(.scalar(.null))
    return objects.count - 1
  }

  private func append(_ object: Flat, to bytes: inout [UInt8], referenceSize: Int) {
    switch object {
    case .scalar(let value): append(value, to: &bytes)
    case .array(let elements):
      Self.appendMarker(0xA0, count: elements.count, to: &bytes)
      for element in elements { Self.append(element, size: referenceSize, to: &bytes) }
    case .dictionary(let keys, let values):
      Self.appendMarker(0xD0, count: keys.count, to: &bytes)
      for reference in keys + values { Self.append(reference, size: referenceSize, to: &bytes) }
    }
  }

  private func append(_ value: PropertyList, to bytes: inout [UInt8]) {
    switch value {
    case .null, .array, .dictionary: bytes.append(0x00)
    case .boolean(let flag): bytes.append(flag ? 0x09 : 0x08)
    case .integer(let number): Self.append(integer: number, to: &bytes)
    case .largeInteger(let number):
      bytes.append(0x14)
      Self.append(bits: 0, size: 8, to: &bytes)
      Self.append(bits: number, size: 8, to: &bytes)
    case .real(let number):
      bytes.append(0x23)
      Self.append(bits: number.bitPattern, size: 8, to: &bytes)
    case .date(let seconds):
      bytes.append(0x33)
      Self.append(bits: seconds.bitPattern, size: 8, to: &bytes)
    case .data(let data):
      Self.appendMarker(0x40, count: data.count, to: &bytes)
      bytes += data
    case .string(let text):
      if text.utf8.allSatisfy({ $0 < 0x80 }) {
        Self.appendMarker(0x50, count: text.utf8.count, to: &bytes)
        bytes += text.utf8
      } else {
        Self.appendMarker(0x60, count: text.utf16.count, to: &bytes)
        for unit in text.utf16 { bytes += [UInt8(unit >> 8), UInt8(unit & 0xFF)] }
      }
    case .uid(let number):
      let size = Self.size(of: number)
      bytes.append(0x80 | UInt8(size - 1))
      Self.append(number, size: size, to: &bytes)
    }
  }

  private static func append(integer number: Int64, to bytes: inout [UInt8]) {
    // Negative numbers always take 8 bytes: shorter ones are unsigned.
    let size = number < 0 ? 8 : Self.size(of: Int(number))
    bytes.append(0x10 | UInt8(size.trailingZeroBitCount))
    append(bits: UInt64(bitPattern: number), size: size, to: &bytes)
  }

  private static func appendMarker(_ kind: UInt8, count: Int, to bytes: inout [UInt8]) {
    if count < 15 {
      bytes.append(kind | UInt8(count))
    } else {
      bytes.append(kind | 0x0F)
      append(integer: Int64(count), to: &bytes)
    }
  }

  private static func append(_ number: Int, size: Int, to bytes: inout [UInt8]) {
    append(bits: UInt64(number), size: size, to: &bytes)
  }

  private static func append(bits: UInt64, size: Int, to bytes: inout [UInt8]) {
    for shift in (0..<size).reversed() {
      bytes.append(UInt8(truncatingIfNeeded: bits >> UInt64(8 * shift)))
    }
  }

  private static func size(of number: Int) -> Int {
    switch number {
    case ..<0x100: 1
    case ..<0x1_0000: 2
    case ..<0x1_0000_0000: 4
    default: 8
    }
  }
}
