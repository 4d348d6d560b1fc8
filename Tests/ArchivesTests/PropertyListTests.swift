import Foundation
import StrataArchives
import StrataBase
import TestSupport
import Testing

@Suite("Property lists")
struct PropertyListTests {
  static let sample = PropertyList.dictionary([
    "text": .string("Grüße 🎈"), "ascii": .string("abc"),
    "long": .string(String(repeating: "x", count: 300)),
    "number": .integer(5), "negative": .integer(-7), "large": .integer(.max),
    "least": .integer(.min),
    "real": .real(0.1), "yes": .boolean(true), "no": .boolean(false), "when": .date(1.5),
    "data": .data([1, 2, 3]), "list": .array((0..<300).map { .integer($0) }),
    "nested": .dictionary(["a": .array([.dictionary([:]), .array([])])]),
  ])

  @Test("a written list is read back")
  func roundTrip() throws {
    #expect(try PropertyList(reading: Self.sample.encoded()) == Self.sample)
  }

  @Test("the same value always gives the same bytes")
  func stability() {
    #expect(Self.sample.encoded() == Self.sample.encoded())
  }

  @Test("Foundation reads what Strata writes and vice versa, in both formats")
  func againstFoundation() throws {
    let object = try #require(
      try PropertyListSerialization.propertyList(from: Data(Self.sample.encoded()), format: nil)
        as? [String: Any])
    #expect(object["text"] as? String == "Grüße 🎈")
    #expect(object["negative"] as? Int == -7)
    #expect((object["list"] as? [Int])?.count == 300)
    for format in [PropertyListSerialization.PropertyListFormat.binary, .xml] {
      let data = try PropertyListSerialization.data(
        fromPropertyList: object, format: format, options: 0)
      let read = try PropertyList(reading: [UInt8](data))
      #expect(read["text"] == .string("Grüße 🎈"))
      #expect(read["least"] == .integer(.min))
      #expect(read["data"] == .data([1, 2, 3]))
      #expect(read["yes"] == .boolean(true))
      #expect(read["when"] == .date(format == .xml ? 1 : 1.5))
      #expect(read["nested"]?["a"]?.array?.count == 2)
    }
  }

  @Test("base64 over several lines is read; other characters in it are refused")
  func base64() throws {
    let bytes = (0..<200).map { UInt8($0) }
    let text = Data(bytes).base64EncodedString()
    func list(_ text: String) -> [UInt8] { Array("<plist><data>\(text)</data></plist>".utf8) }
    for space in [" ", "\t", "\n", "\r\n", "\n\t\t", "&#13;&#10;"] {
      let lines = stride(from: 0, to: text.count, by: 7).map {
        String(text.dropFirst($0).prefix(7))
      }
      let read = try PropertyList(reading: list(lines.joined(separator: space) + space))
      #expect(read.data == bytes)
    }
    for other in ["\u{A0}", "\u{85}", "\u{2028}", "\u{FEFF}", "*"] {
      #expect(throws: ArchiveError.self) { try PropertyList(reading: list(other + text)) }
    }
  }

  @Test("every truncated list is refused, and no changed byte makes the reader trap", .part(3))
  func truncationAndMutation() throws {
    let bytes = Self.sample.encoded()
    for count in 0..<bytes.count {
      #expect(throws: ArchiveError.self) { try PropertyList(reading: Array(bytes[..<count])) }
    }
    var generator = SeededRandom(seed: 1)
    for _ in 0..<20_000 {
      var mutant = bytes
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        mutant[Int.random(in: 0..<mutant.count, using: &generator)] = .random(
          in: 0...255, using: &generator)
      }
      _ = try? PropertyList(reading: mutant)
    }
  }

  /// A list of hand-made objects, one byte for each offset and reference.
  static func binary(_ objects: [[UInt8]], top: UInt8 = 0) -> [UInt8] {
    var bytes = Array("bplist00".utf8)
    var offsets: [UInt8] = []
    for object in objects {
      offsets.append(UInt8(bytes.count))
      bytes += object
    }
    let table = UInt8(bytes.count)
    bytes += offsets + [0, 0, 0, 0, 0, 0, 1, 1]
    for number in [UInt8(objects.count), top, table] { bytes += [0, 0, 0, 0, 0, 0, 0, number] }
    return bytes
  }

  @Test("a container that contains itself is refused")
  func cycles() {
    #expect(throws: ArchiveError.cyclic(object: 0)) {
      try PropertyList(reading: Self.binary([[0xA1, 0]]))
    }
    #expect(throws: ArchiveError.cyclic(object: 0)) {
      try PropertyList(reading: Self.binary([[0xA1, 1], [0xA1, 0]]))
    }
  }

  @Test("references, offsets and counts beyond the file are refused")
  func outOfRange() {
    #expect(throws: ArchiveError.outOfRange(what: "object reference", value: 9, count: 1)) {
      try PropertyList(reading: Self.binary([[0xA1, 9]]))
    }
    #expect(throws: ArchiveError.self) {
      try PropertyList(reading: Self.binary([[0x5F, 0x13] + Array(repeating: 0xFF, count: 8)]))
    }
    #expect(throws: ArchiveError.self) { try PropertyList(reading: Self.binary([[0x4E]])) }
    #expect(throws: ArchiveError.self) {
      try PropertyList(reading: Self.binary([[0x5F, 0x12, 0x7F, 0xFF, 0xFF, 0xFF]]))
    }
  }

  @Test("an object count larger than the file is refused before memory is allocated")
  func claimedObjects() {
    let bytes =
      Array("bplist00".utf8) + [0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 7, 0xA1, 0x20]
      + Array(repeating: 0, count: 15) + [8]
    #expect {
      try PropertyList(reading: bytes)
    } throws: { error in
      if case ArchiveError.outOfRange = error { return true }
      return false
    }
  }

  @Test("lists that share a list repeatedly cost no more than their objects")
  func exponentialSharing() throws {
    // 60 arrays, each of which holds the next one twice: 2^60 values if they were copied out.
    var arrays = (1...60).map { (next: UInt8) -> [UInt8] in [0xA2, next, next] }
    arrays.append([0x09])
    #expect(try PropertyList(reading: Self.binary(arrays)).array?.count == 2)
  }

  @Test("a long text that is shared too often is refused, short keys are not")
  func sharedText() throws {
    func list(ofTextsOf length: Int) -> [UInt8] {
      let text = PropertyList.string(String(repeating: "x", count: length))
      return PropertyList.array(Array(repeating: text, count: 10_000)).encoded()
    }
    #expect(try PropertyList(reading: list(ofTextsOf: 60)).array?.count == 10_000)
    #expect {
      try PropertyList(reading: list(ofTextsOf: 10_000))
    } throws: { error in
      if case ArchiveError.tooLarge = error { return true }
      return false
    }
  }

  @Test("nesting depth includes shared values")
  func sharedDepth() {
    // The top holds every array in turn, the innermost first, so that each is known when it is needed.
    let arrays: [[UInt8]] = [[0x09]] + (1...60).map { [0xA1, UInt8($0 - 1)] }
    let flat = Self.binary(arrays + [[0xAE] + (0..<14).map { UInt8($0) }], top: 61)
    #expect(throws: Never.self) { try PropertyList(reading: flat) }
    let deep = PropertyList.chain(of: 5000)
    #expect(throws: ArchiveError.tooDeep(limit: ArchiveLimits.depth)) {
      try PropertyList(reading: deep)
    }
  }

  @Test("overlapping objects are refused")
  func overlap() {
    // Every one of 200 objects is the same array of 200 references to the next.
    var bytes = Array("bplist00".utf8) + [0xAF, 0x10, 200] + Array(repeating: 1, count: 200)
    let table = bytes.count
    for _ in 0..<200 { bytes += [8] }
    bytes += [0, 0, 0, 0, 0, 0, 1, 1]
    for number in [200, 0, table] { bytes += [0, 0, 0, 0, 0, 0, 0, UInt8(number)] }
    #expect(throws: ArchiveError.self) { try PropertyList(reading: bytes) }
  }

  @Test("text that is not valid Unicode is refused")
  func invalidText() {
    #expect(throws: ArchiveError.self) { try PropertyList(reading: Self.binary([[0x51, 0xFF]])) }
    #expect(throws: ArchiveError.self) {
      try PropertyList(reading: Self.binary([[0x61, 0xD8, 0x00]]))
    }
  }

  @Test("other data is reported as not a property list")
  func otherFiles() {
    #expect(throws: ArchiveError.notAPropertyList) { try PropertyList(reading: []) }
    #expect(throws: ArchiveError.notAPropertyList) {
      try PropertyList(reading: Array("hello".utf8))
    }
    #expect(throws: ArchiveError.notAPropertyList) {
      try PropertyList(reading: Array("<model/>".utf8))
    }
    #expect(throws: ArchiveError.self) {
      try PropertyList(reading: Array("<plist><dict><string/></dict></plist>".utf8))
    }
    #expect(throws: ArchiveError.self) {
      try PropertyList(reading: Array("<plist><integer>x</integer></plist>".utf8))
    }
  }
}

extension PropertyList {
  /// A list of arrays in arrays, two bytes for each reference, the innermost decoded first.
  fileprivate static func chain(of count: Int) -> [UInt8] {
    func two(_ number: Int) -> [UInt8] { [UInt8(number >> 8), UInt8(number & 0xFF)] }
    var bytes = Array("bplist00".utf8)
    var offsets: [Int] = []
    func add(_ object: [UInt8]) {
      offsets.append(bytes.count)
      bytes += object
    }
    add([0x09])
    for index in 1..<count { add([0xA1] + two(index - 1)) }
    add([0xAF, 0x11] + two(count) + (0..<count).flatMap(two))
    let table = bytes.count
    for offset in offsets { bytes += two(offset) }
    bytes += [0, 0, 0, 0, 0, 0, 2, 2]
    for number in [offsets.count, count, table] { bytes += [0, 0, 0, 0, 0, 0] + two(number) }
    return bytes
  }
}
