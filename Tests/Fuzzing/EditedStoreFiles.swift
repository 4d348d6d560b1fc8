/// The files of a store with some bytes of them replaced, as an input says.
///
/// An input is a byte that chooses the store, its highest bit whether the WAL gets right checksums again, then
/// edits: which file, where in it (two bytes), how many bytes, and these. None at all cuts the file there.
struct EditedStoreFiles {
  private(set) var files: [String: [UInt8]]

  /// The endings of a store's files, by their numbers in an input.
  private static let endings = ["", "-wal", "-shm", "-journal"]
  /// Stores in every state that a program can leave them in.
  private static let stores: [[String: [UInt8]]] = ["plain", "begun", "whole", "journal"].map {
    name in
    var files: [String: [UInt8]] = ["": SoundFiles.bytes("\(name).sqlite")]
    if name == "journal" { files["-journal"] = SoundFiles.bytes("\(name).sqlite-journal") }
    if name == "begun" || name == "whole" { files["-wal"] = SoundFiles.bytes("\(name).sqlite-wal") }
    return files
  }

  init(_ input: [UInt8]) {
    var reader = InputReader(input)
    let first = reader.byte()
    files = Self.stores[Int(first & 3)]
    while !reader.isAtEnd {
      let ending = Self.endings[Int(reader.byte() & 3)]
      let offset = reader.number()
      let bytes = reader.bytes(Int(reader.byte()))
      var file = files[ending] ?? []
      if bytes.isEmpty {
        file = Array(file.prefix(offset))
      } else {
        file += [UInt8](repeating: 0, count: max(0, offset + bytes.count - file.count))
        file.replaceSubrange(offset..<(offset + bytes.count), with: bytes)
      }
      files[ending] = file
    }
    if first >= 0x80 { files["-wal"] = files["-wal"].map(Self.withChecksums) }
  }

  /// A WAL with the checksums and salts that SQLite believes.
  ///
  /// Source: SQLite's description of its file format, "WAL Checksum Algorithm".
  private static func withChecksums(_ wal: [UInt8]) -> [UInt8] {
    guard wal.count >= 32 else { return wal }
    var wal = wal
    let isBig = wal[3] & 1 == 1
    func word(_ place: Int, isBig: Bool) -> UInt32 {
      let word = wal.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: place, as: UInt32.self) }
      return isBig ? UInt32(bigEndian: word) : UInt32(littleEndian: word)
    }
    var sums: (UInt32, UInt32) = (0, 0)
    func add(_ range: Range<Int>) {
      for place in stride(from: range.lowerBound, to: range.upperBound - 7, by: 8) {
        sums.0 &+= word(place, isBig: isBig) &+ sums.1
        sums.1 &+= word(place + 4, isBig: isBig) &+ sums.0
      }
    }
    func keep(_ place: Int) {
      for (offset, sum) in [sums.0, sums.1].enumerated() {
        for byte in 0..<4 {
          wal[place + 4 * offset + byte] = UInt8(truncatingIfNeeded: sum >> (24 - 8 * byte))
        }
      }
    }
    add(0..<24)
    keep(24)
    let page = Int(word(8, isBig: true))
    guard (512...65536).contains(page) else { return wal }
    for frame in stride(from: 32, through: wal.count - 24 - page, by: 24 + page) {
      wal.replaceSubrange((frame + 8)..<(frame + 16), with: wal[16..<24])
      add(frame..<(frame + 8))
      add((frame + 24)..<(frame + 24 + page))
      keep(frame + 16)
    }
    return wal
  }
}
