internal import StrataArchives
internal import StrataBase
internal import StrataEssentials
internal import StrataSQLite

extension RollbackJournal {
  /// The first page of the store as it was when the transaction began; `nil` if the journal does not hold it.
  ///
  /// - Throws: ``StoreError/unreadable(reason:)``.
  func firstPage() throws(StoreError) -> [UInt8]? {
    guard pageCount != nil else { return nil }
    do throws(FileError) {
      return try firstPage(in: RegularFile(path))
    } catch {
      throw StoreError(error)
    }
  }

  private func firstPage(in file: borrowing RegularFile) throws(FileError) -> [UInt8]? {
    // A record: the number of the page, the page, a checksum.
    let recordSize = 4 + pageSize + 4
    var offset = 0
    while offset + sectorSize <= size {
      let head = try file.read(12, from: offset)
      guard head.starts(with: Self.magic) else { return nil }
      offset += sectorSize
      // A count of all ones means all records up to the end.
      let count = min(Int(head.dropFirst(8).bigEndianNumber), (size - offset) / recordSize)
      for _ in 0..<count {
        if try file.read(4, from: offset).bigEndianNumber == 1 {
          return try file.read(pageSize, from: offset + 4)
        }
        offset += recordSize
      }
      offset = (offset + sectorSize - 1) / sectorSize * sectorSize
    }
    return nil
  }
}
