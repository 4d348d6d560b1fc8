internal import StrataBase

/// Reads `bplist00` and checks every length, offset and reference.
///
/// Layout, by Apple's published description of the format: the magic, the objects, a table of
/// object offsets, and a trailer of 32 bytes (offset size, reference size, object count, root
/// object, table offset), all numbers big-endian.
///
/// An object that several containers share is decoded once, so a list that repeats itself
/// exponentially costs no more than its objects.
struct BinaryPropertyListReader {
  static let magic = Array("bplist0".utf8)

  private let bytes: [UInt8]
  private let referenceSize: Int
  private let offsetSize: Int
  private let objectCount: Int
  private let tableOffset: Int
  private var decoded: [PropertyList?]
  /// The nesting depth of each decoded object: a shared object is decoded once, at any depth.
  private var heights: [Int]
  private var isOpen: [Bool]
  /// Elements of all containers, and bytes of all objects, so far.
  private var elementCount = 0
  private var byteCount = 0
  /// Bytes of long strings and data, for each reference to them, so far.
  private var referredSize = 0

  static func read(_ bytes: [UInt8]) throws(ArchiveError) -> PropertyList {
    guard bytes.count >= 8 + 32 else { throw .truncated(offset: bytes.count) }
    let trailer = bytes.count - 32
    var reader = Self(
      bytes: bytes, referenceSize: Int(bytes[trailer + 7]), offsetSize: Int(bytes[trailer + 6]),
      objectCount: try number(bytes, at: trailer + 8, size: 8),
      tableOffset: try number(bytes, at: trailer + 24, size: 8))
    try reader.checkTrailer(trailer: trailer)
    let root = try number(bytes, at: trailer + 16, size: 8)
    return try reader.object(root, depth: 0)
  }

  private init(
    bytes: [UInt8], referenceSize: Int, offsetSize: Int, objectCount: Int, tableOffset: Int
  ) {
    self.bytes = bytes
    self.referenceSize = referenceSize
    self.offsetSize = offsetSize
    self.objectCount = objectCount
    self.tableOffset = tableOffset
    decoded = []
    heights = []
    isOpen = []
  }

  /// Checks the trailer before it allocates memory for the number of objects in it.
  private mutating func checkTrailer(trailer: Int) throws(ArchiveError) {
    guard (1...8).contains(offsetSize), (1...8).contains(referenceSize) else {
      throw .malformed(what: "invalid integer size in the trailer", offset: trailer + 6)
    }
    guard objectCount <= ArchiveLimits.objectCount else {
      throw .tooLarge(what: "the number of objects", limit: ArchiveLimits.objectCount)
    }
    guard tableOffset >= 8, tableOffset <= trailer,
      objectCount <= (trailer - tableOffset) / offsetSize
    else { throw .outOfRange(what: "offset table", value: tableOffset, count: trailer) }
    decoded = Array(repeating: nil, count: objectCount)
    heights = Array(repeating: 0, count: objectCount)
    isOpen = Array(repeating: false, count: objectCount)
  }

  private mutating func object(_ index: Int, depth: Int) throws(ArchiveError) -> PropertyList {
    guard decoded.indices.contains(index) else {
      throw .outOfRange(what: "object reference", value: index, count: decoded.count)
    }
    if let known = decoded[index] { return known }
    guard depth < ArchiveLimits.depth else { throw .tooDeep(limit: ArchiveLimits.depth) }
    guard !isOpen[index] else { throw .cyclic(object: index) }
    isOpen[index] = true
    let offset = try Self.number(bytes, at: tableOffset + index * offsetSize, size: offsetSize)
    guard offset >= 8, offset < tableOffset else {
      throw .outOfRange(what: "object offset", value: offset, count: tableOffset)
    }
    let value = try decode(at: offset, index: index, depth: depth)
    isOpen[index] = false
    decoded[index] = value
    return value
  }

  private mutating func decode(
    at offset: Int, index: Int, depth: Int
  ) throws(ArchiveError) -> PropertyList {
    let marker = bytes[offset]
    let low = Int(marker & 0x0F)
    switch marker >> 4 {
    case 0x0:
      switch low {
      case 0x0: return .null
      case 0x8: return .boolean(false)
      case 0x9: return .boolean(true)
      default: break
      }
    case 0x1:
      if low <= 3 { return .integer(try integer(at: offset + 1, size: 1 << low)) }
      if low == 4 { return try longInteger(at: offset + 1) }
    case 0x2:
      if low == 2 {
        let bits = try Self.number(bytes, at: offset + 1, size: 4)
        return .real(Double(Float(bitPattern: UInt32(bits))))
      }
      if low == 3 { return .real(try double(at: offset + 1)) }
    case 0x3:
      if low == 3 { return .date(try double(at: offset + 1)) }
    case 0x4:
      let range = try span(low: low, after: offset, unit: 1)
      return .data(Array(bytes[range]))
    case 0x5, 0x7:
      let range = try span(low: low, after: offset, unit: 1)
      guard let text = String(validating: bytes[range], as: UTF8.self) else {
        throw .invalidText(offset: offset)
      }
      return .string(text)
    case 0x6:
      let range = try span(low: low, after: offset, unit: 2)
      let units = stride(from: range.lowerBound, to: range.upperBound, by: 2).map {
        UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
      }
      guard let text = String(validating: units, as: UTF16.self) else {
        throw .invalidText(offset: offset)
      }
      return .string(text)
    case 0x8:
      return .uid(try Self.number(bytes, at: offset + 1, size: low + 1))
    case 0xA, 0xC:
      let range = try span(low: low, after: offset, unit: referenceSize)
      return .array(try elements(in: range, of: index, depth: depth))
    case 0xD:
      let range = try span(low: low, after: offset, unit: 2 * referenceSize)
      return .dictionary(try entries(in: range, of: index, depth: depth))
    default: break
    }
    throw .malformed(what: "unknown type of value", offset: offset)
  }

  private mutating func elements(
    in range: Range<Int>, of index: Int, depth: Int
  ) throws(ArchiveError) -> [PropertyList] {
    elementCount += range.count / referenceSize
    guard elementCount <= ArchiveLimits.listElementCount else {
      throw .tooLarge(what: "the number of elements", limit: ArchiveLimits.listElementCount)
    }
    var elements: [PropertyList] = []
    for offset in stride(from: range.lowerBound, to: range.upperBound, by: referenceSize) {
      let reference = try Self.number(bytes, at: offset, size: referenceSize)
      let element = try object(reference, depth: depth + 1)
      try countReference(to: element)
      elements.append(element)
      heights[index] = max(heights[index], heights[reference] + 1)
      guard heights[index] < ArchiveLimits.depth else {
        throw .tooDeep(limit: ArchiveLimits.depth)
      }
    }
    return elements
  }

  /// Keys and class names are short and shared by thousands of objects; one long shared text would grow to
  /// gigabytes when it is shown.
  private mutating func countReference(to value: PropertyList) throws(ArchiveError) {
    let size =
      switch value {
      case .string(let text): text.utf8.count
      case .data(let data): data.count
      default: 0
      }
    guard size > 64 else { return }
    referredSize += size
    guard referredSize <= 2 * bytes.count + ArchiveLimits.sharedSize else {
      throw .tooLarge(what: "the size of shared values", limit: ArchiveLimits.sharedSize)
    }
  }

  private mutating func entries(
    in range: Range<Int>, of index: Int, depth: Int
  ) throws(ArchiveError) -> [String: PropertyList] {
    let middle = range.lowerBound + range.count / 2
    let keys = try elements(in: range.lowerBound..<middle, of: index, depth: depth)
    let values = try elements(in: middle..<range.upperBound, of: index, depth: depth)
    var entries: [String: PropertyList] = [:]
    for (key, value) in zip(keys, values) {
      guard case .string(let name) = key else {
        throw .malformed(what: "dictionary key that is not a string,", offset: range.lowerBound)
      }
      entries[name] = value
    }
    return entries
  }

  /// The bytes of a value whose marker is at `offset`: its count is in the marker's low half, or, if that is 15, in
  /// the integer that follows.
  ///
  /// Objects of a real file do not overlap: together they have no more bytes than the file. A file with overlapping
  /// objects is refused when their bytes exceed twice its size.
  private mutating func span(
    low: Int, after offset: Int, unit: Int
  ) throws(ArchiveError) -> Range<Int> {
    var count = low
    var start = offset + 1
    if low == 0x0F {
      guard start < tableOffset else { throw .truncated(offset: start) }
      let marker = bytes[start]
      guard marker >> 4 == 0x1, marker & 0x0F <= 3 else {
        throw .malformed(what: "count that is not an integer,", offset: start)
      }
      let size = 1 << Int(marker & 0x0F)
      count = try Self.number(bytes, at: start + 1, size: size)
      start += 1 + size
    }
    guard start <= tableOffset, count <= (tableOffset - start) / unit else {
      throw .truncated(offset: tableOffset)
    }
    byteCount += count * unit
    guard byteCount <= 2 * bytes.count else {
      throw .malformed(what: "overlapping objects", offset: offset)
    }
    return start..<(start + count * unit)
  }

  private func integer(at offset: Int, size: Int) throws(ArchiveError) -> Int64 {
    guard offset <= bytes.count - size else { throw .truncated(offset: bytes.count) }
    // Only 8 bytes are signed.
    return Int64(bitPattern: bytes[offset..<(offset + size)].bigEndianNumber)
  }

  /// An integer of 16 bytes: 8 more are there for a number above `Int64.max`.
  private func longInteger(at offset: Int) throws(ArchiveError) -> PropertyList {
    let upper = try integer(at: offset, size: 8)
    let lower = try integer(at: offset + 8, size: 8)
    switch upper {
    case 0: return lower < 0 ? .largeInteger(UInt64(bitPattern: lower)) : .integer(lower)
    case -1 where lower < 0: return .integer(lower)
    default: throw .malformed(what: "integer of more than 64 bits", offset: offset)
    }
  }

  private func double(at offset: Int) throws(ArchiveError) -> Double {
    Double(bitPattern: UInt64(bitPattern: try integer(at: offset, size: 8)))
  }

  /// An unsigned big-endian number that must fit an `Int`.
  private static func number(
    _ bytes: [UInt8], at offset: Int, size: Int
  ) throws(ArchiveError) -> Int {
    guard offset >= 0, size <= bytes.count, offset <= bytes.count - size else {
      throw .truncated(offset: bytes.count)
    }
    var value: UInt64 = 0
    for byte in bytes[offset..<(offset + size)] {
      guard value >> 55 == 0 else {
        throw .malformed(what: "integer of more than 63 bits", offset: offset)
      }
      value = value << 8 | UInt64(byte)
    }
    return Int(value)
  }
}
