internal import StrataArchives
internal import StrataBase
internal import StrataEssentials
internal import StrataSQLite

/// A `-wal` file as SQLite reads it when it next opens the store: its valid part, and the commits that SQLite
/// ignores.
///
/// Valid are the intact frames up to the last commit. After them there may be frames of a transaction that was
/// rolled back or not committed, and frames from before the last checkpoint. Anything else is damage: SQLite would
/// ignore it, and delete it at the next checkpoint.
///
/// Source: SQLite's published file format, section 4, and `walIndexRecover` in its `wal.c`.
struct WriteAheadLog {
  /// The size of the header and the valid frames in bytes; 0 if the header is invalid.
  private(set) var committedSize = 0
  private(set) var fault: WALFault?

  static let headerSize = 32
  private static let frameHeaderSize = 24
  /// The maximum number of frames examined after the last intact one: 4 GB in pages of 4,096 bytes.
  private static let searchedFrames = 1 << 20

  /// - Parameter size: The size of the file in bytes, since another program may be writing to it.
  /// - Throws: ``StoreError/unreadable(reason:)``.
  init(reading path: String, size: Int) throws(StoreError) {
    guard size > 0 else { return }
    do throws(FileError) {
      try read(RegularFile(path), size)
    } catch {
      throw StoreError(error)
    }
  }

  private mutating func read(_ file: borrowing RegularFile, _ size: Int) throws(FileError) {
    guard let header = Header(try file.read(Self.headerSize)) else {
      fault = .header
      return
    }
    let frameSize = Self.frameHeaderSize + header.pageSize
    var checksum = header.checksum
    var end = Self.headerSize
    committedSize = end
    while size - end >= frameSize {
      let bytes = try file.read(frameSize, from: end)
      guard bytes.count == frameSize else { break }
      let frame = FrameHeader(bytes)
      checksum.add(bytes[..<8])
      checksum.add(bytes[Self.frameHeaderSize...])
      guard frame.page != 0, frame.salts == header.salts, frame.checksum == checksum.sums else {
        break
      }
      end += frameSize
      if frame.isCommit { committedSize = end }
    }
    let intact = (end - Self.headerSize) / frameSize
    var ignored = 0
    for _ in 0..<Self.searchedFrames where size - end >= frameSize {
      let frame = FrameHeader(try file.read(Self.frameHeaderSize, from: end))
      if frame.isCommit, !frame.isEarlier(than: header.salts) { ignored += 1 }
      end += frameSize
    }
    if ignored > 0 {
      fault = .frame(intact + 1, commits: ignored)
    } else if size - end > Self.frameHeaderSize, size - end < frameSize {
      let bytes = try file.read(Self.frameHeaderSize, from: end)
      // An extended file ends with zeros.
      if bytes.contains(where: { $0 != 0 }), !FrameHeader(bytes).isEarlier(than: header.salts) {
        fault = .cut(frame: (end - Self.headerSize) / frameSize + 1)
      }
    }
  }

  private struct Header {
    let pageSize: Int
    let salts: Salts
    var checksum: Checksum

    /// `nil` if SQLite would ignore the file.
    init?(_ bytes: [UInt8]) {
      guard bytes.count == WriteAheadLog.headerSize else { return nil }
      let magic = bytes.number(at: 0)
      pageSize = Int(bytes.number(at: 8))
      guard magic & ~1 == 0x377F_0682, bytes.number(at: 4) == 3_007_000,
        (512...65_536).contains(pageSize), pageSize & (pageSize - 1) == 0
      else { return nil }
      salts = Salts(bytes, at: 16)
      checksum = Checksum(isBigEndian: magic & 1 == 1)
      checksum.add(bytes[..<24])
      guard checksum.sums == Pair(bytes, at: 24) else { return nil }
    }
  }

  private struct FrameHeader {
    let page: UInt32
    let isCommit: Bool
    let salts: Salts
    let checksum: Pair

    init(_ bytes: [UInt8]) {
      let bytes = bytes + Array(repeating: 0, count: max(0, 24 - bytes.count))
      page = bytes.number(at: 0)
      isCommit = bytes.number(at: 4) != 0
      salts = Salts(bytes, at: 8)
      checksum = Pair(bytes, at: 16)
    }

    /// Whether the frame is from before a checkpoint, which increments the first salt and randomizes the second.
    func isEarlier(than current: Salts) -> Bool {
      salts.first != current.first && salts.second != current.second
        && current.first &- salts.first < 1 << 31
    }
  }

  private typealias Salts = Pair

  private struct Pair: Equatable {
    var first: UInt32 = 0
    var second: UInt32 = 0

    init() {}

    init(_ bytes: [UInt8], at offset: Int) {
      first = bytes.number(at: offset)
      second = bytes.number(at: offset + 4)
    }
  }

  /// The checksum of the header and all frames so far.
  private struct Checksum {
    let isBigEndian: Bool
    private(set) var sums = Pair()

    init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

    /// - Parameter bytes: A multiple of eight.
    mutating func add(_ bytes: ArraySlice<UInt8>) {
      var (first, second) = (sums.first, sums.second)
      bytes.withUnsafeBytes { buffer in
        for offset in stride(from: 0, to: buffer.count, by: 8) {
          first &+= word(buffer, offset) &+ second
          second &+= word(buffer, offset + 4) &+ first
        }
      }
      (sums.first, sums.second) = (first, second)
    }

    private func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt32 {
      let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
      return isBigEndian ? UInt32(bigEndian: word) : UInt32(littleEndian: word)
    }
  }
}

/// The reason why SQLite ignores committed changes in a `-wal` file.
package enum WALFault: Sendable, Hashable {
  /// The header is invalid: SQLite ignores the whole file.
  case header
  /// The first damaged frame, counted from 1, and the number of commits from there on.
  case frame(Int, commits: Int)
  /// The file ends within a frame.
  case cut(frame: Int)
}

extension [UInt8] {
  fileprivate func number(at offset: Int) -> UInt32 {
    UInt32(truncatingIfNeeded: self[offset..<(offset + 4)].bigEndianNumber)
  }
}
