internal import CSQLite
internal import StrataArchives
internal import StrataBase
internal import StrataEssentials

/// The file that a rollback journal names at its end if its transaction changed several databases: the
/// super-journal.
///
/// SQLite opens that file before it plays the journal back, and deletes it afterwards, wherever it is. A journal
/// that came with someone else's store could name any file, so no connection is opened beside such a journal, and
/// no connection opens a super-journal.
///
/// **Shape:** the last bytes of the journal: the name, its length and the sum of its bytes as big-endian integers
/// of 4 bytes, and the 8 bytes with which a journal begins.
///
/// **Source:** SQLite's published file format, section 3, and `readSuperJournal` of its pager, which looks for the
/// record at the end of the file whatever else the journal contains.
package enum SuperJournal {
  /// The length, the sum and the magic number.
  private static let trailerSize = 16
  /// The 8 bytes with which a rollback journal begins, and the name of a super-journal ends.
  package static let magic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]

  /// Whether the end of a journal may name a super-journal.
  ///
  /// SQLite also compares the sum of the bytes, which are signed or not depending on the processor, and allows only
  /// names as long as its longest path, which depends on how it was built. Neither matters here: only such a journal
  /// ends with the magic number.
  ///
  /// - Parameters:
  ///   - tail: The last 16 bytes; fewer if the journal has fewer.
  ///   - size: Bytes of the journal.
  static func isNamed(byTail tail: [UInt8], size: Int) -> Bool {
    guard tail.count == trailerSize, tail.suffix(magic.count).elementsEqual(magic) else {
      return false
    }
    let length = Int(tail[..<4].bigEndianNumber)
    return length > 0 && length <= size - trailerSize
  }

  /// Checks the rollback journal beside a store, if there is one: beside the store itself where the path is a link.
  ///
  /// SQLite plays a journal back that is too short to have a header.
  ///
  /// - Throws: ``StoreError/superJournal``; ``StoreError/unreadable(reason:)`` if it cannot be read.
  package static func check(besideStoreAt path: String) throws(StoreError) {
    let resolved = realpath(path, nil)
    defer { free(resolved) }
    let store = resolved.flatMap { String(validatingCString: $0) } ?? path
    let end: (bytes: [UInt8], size: Int)
    do throws(FileError) {
      end = try FileBytes.tail(store + "-journal", count: trailerSize)
    } catch {
      switch error {
      case .notFound, .unreadable(_, .notAFolder): return
      default: throw StoreError(error)
      }
    }
    if isNamed(byTail: end.bytes, size: end.size) { throw .superJournal }
  }

  /// The name of a file system for SQLite that opens no super-journal, even if a journal was put beside the store
  /// after ``check(besideStoreAt:)``; `nil` if SQLite has no file system.
  static let refusingFileSystem: String? = {
    guard let system = sqlite3_vfs_find(nil) else { return nil }
    let name = "strata"
    // SQLite keeps the pointer for as long as the process lives.
    let own = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    own.initialize(to: system.pointee)
    own.pointee.zName = UnsafePointer(strdup(name))
    own.pointee.xOpen = { own, name, file, flags, openedFlags in
      guard flags & SQLITE_OPEN_SUPER_JOURNAL == 0, let open = sqlite3_vfs_find(nil)?.pointee.xOpen
      else {
        // SQLite only closes files with methods.
        file?.pointee.pMethods = nil
        return SQLITE_CANTOPEN
      }
      return open(own, name, file, flags, openedFlags)
    }
    return sqlite3_vfs_register(own, 0) == SQLITE_OK ? name : nil
  }()
}
