internal import StrataArchives
internal import StrataEssentials
package import StrataSQLite

/// Detects changes of a store, without keeping it open.
package struct StoreWatch: Sendable {
  private let path: String
  /// `nil` for a store that is not a SQLite file.
  private let files: StoreFiles?
  private let stamp: FileStamp?

  /// - Throws: ``StoreError`` if it does not exist, or cannot be read.
  package init(_ given: String) throws(StoreError) {
    path = RealPath.resolving(given)
    stamp = FileStamp(path)
    do {
      files = try StoreFiles(path: path)
    } catch StoreError.notSQLite {
      files = nil
    }
  }

  /// - Throws: ``StoreError/changedMeanwhile``.
  package func check() throws(StoreError) {
    guard FileStamp(path) == stamp else { throw .changedMeanwhile }
    guard let files else { return }
    guard (try? StoreFiles(path: path)) == files else { throw .changedMeanwhile }
  }
}
