/// The range of valid primary keys: a file may contain any 64-bit integer.
///
/// Sums and differences of two such keys fit in 64 bits, so that arithmetic cannot overflow. Keys of files are
/// checked by ``check(_:table:)`` before arithmetic; `Scripts/check-arithmetic` finds missing checks.
package enum StoredKey {
  package static let range: ClosedRange<Int64> = 1...(1 << 62)

  /// - Throws: ``StoreError/keyOutOfRange(_:table:)``.
  @discardableResult
  package static func check(_ key: Int64, table: String) throws(StoreError) -> Int64 {
    guard range.contains(key) else { throw .keyOutOfRange(key, table: table) }
    return key
  }
}
