internal import StrataEssentials
package import StrataSQLite

/// Replaces the document of an XML store with a migrated one.
extension XMLStore {
  /// Checks that the document has not changed since it was read.
  ///
  /// - Throws: ``StoreError/changedMeanwhile``.
  package func checkUnchanged() throws(StoreError) {
    guard let now = try? XMLStore(reading: path), now.database == database else {
      throw .changedMeanwhile
    }
  }

  /// Keeps the document under a second name, which must not exist.
  ///
  /// - Throws: ``StoreError/alreadyExists``, ``StoreError/unwritable(reason:)``.
  package func keep(at aside: String) throws(StoreError) {
    guard !FileManager.default.fileExists(atPath: aside) else { throw .alreadyExists }
    if try !FileOperations.link(path, to: aside) { try FileOperations.copy(path, to: aside) }
    KeptMark.set(on: aside)
    try FileOperations.sync(aside)
    try FileOperations.sync(URL(fileURLWithPath: aside).deletingLastPathComponent().path)
  }
}
