internal import Foundation
internal import StrataArchives
internal import StrataBase
internal import StrataSQLite

extension RollbackJournal {
  /// The first page of the store as it was when the transaction began; `nil` where the journal does not hold it.
  ///
  /// - Throws: ``StoreError/unreadable(reason:)``.
  func firstPage() throws(StoreError) -> [UInt8]? {
    guard pageCount != nil else { return nil }
    guard let file = FileHandle(forReadingAtPath: path) else {
      throw .unreadable(reason: FileCause.last.words)
    }
    defer { try? file.close() }
    do {
      return try firstPage(in: file)
    } catch {
      throw .unreadable(reason: FileCause(error).words)
    }
  }

  private func firstPage(in file: FileHandle) throws -> [UInt8]? {
    func bytes(_ count: Int, at offset: Int) throws -> [UInt8] {
      try file.seek(toOffset: UInt64(offset))
      return try [UInt8](file.read(upToCount: count) ?? Data())
    }
    func number(_ bytes: some Sequence<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
    // A record: the number of the page, the page, a checksum.
    let recordSize = 4 + pageSize + 4
    var offset = 0
    while offset + sectorSize <= size {
      let head = try bytes(12, at: offset)
      guard head.starts(with: Self.magic) else { return nil }
      offset += sectorSize
      // A count of all ones stands for all records up to the end.
      let count = min(number(head[8...]), (size - offset) / recordSize)
      for _ in 0..<count {
        if try number(bytes(4, at: offset)) == 1 { return try bytes(pageSize, at: offset + 4) }
        offset += recordSize
      }
      offset = (offset + sectorSize - 1) / sectorSize * sectorSize
    }
    return nil
  }
}
