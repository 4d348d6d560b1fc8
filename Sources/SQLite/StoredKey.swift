/// The primary keys with which a program may compute: a file may hold any 64 bits.
///
/// Sums and differences of two such keys have room in 64 bits, so that whoever counts with them cannot
/// overflow. Keys of files pass through ``check(_:table:)`` before anything is computed with them;
/// `Scripts/check-arithmetic` finds where they do not.
package enum StoredKey {
  package static let range: ClosedRange<Int64> = 1...(1 << 62)

  /// - Throws: ``StoreError/keyOutOfRange(_:table:)``.
  @discardableResult
  package static func check(_ key: Int64, table: String) throws(StoreError) -> Int64 {
    guard range.contains(key) else { throw .keyOutOfRange(key, table: table) }
    return key
  }
}
