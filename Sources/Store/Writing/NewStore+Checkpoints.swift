internal import StrataArchives
package import StrataSQLite

/// A store on the way that can go back to what it was.
///
/// SQLite keeps the pages, in a savepoint; what the store knows besides is kept here.
extension NewStore {
  /// What a store was, as long as it is not gone back behind it.
  package struct Checkpoint: Sendable {
    fileprivate var number: Int
    fileprivate var keys: [String: Int64]
    fileprivate var fileCount: Int
  }

  /// - Parameter number: Higher than those of the checkpoints that are kept already.
  package func keepCheckpoint(_ number: Int) throws(StoreError) -> Checkpoint {
    try connection.setSavepoint(number)
    return Checkpoint(
      number: number, keys: keyCounters.mapValues(\.last), fileCount: written.names.count)
  }

  /// Makes everything as it was; later checkpoints are gone.
  package mutating func goBack(to checkpoint: Checkpoint) throws(StoreError) {
    forgetStatements()
    try connection.goBack(toSavepoint: checkpoint.number)
    for (entity, last) in checkpoint.keys { keyCounters[entity]?.last = last }
    for name in written.names[checkpoint.fileCount...] { external.external.remove(name) }
    written.names.removeSubrange(checkpoint.fileCount...)
  }
}

extension SQLiteStore {
  /// See ``NewStore/keepCheckpoint(_:)``; of the store itself there is nothing to be kept.
  package func setSavepoint(_ number: Int) throws(StoreError) {
    try connection.setSavepoint(number)
  }

  package func goBack(toSavepoint number: Int) throws(StoreError) {
    try connection.goBack(toSavepoint: number)
  }
}

extension SQLiteConnection {
  func setSavepoint(_ number: Int) throws(StoreError) {
    try execute("SAVEPOINT strata_\(number)")
  }

  /// Later savepoints are gone; this one stays.
  func goBack(toSavepoint number: Int) throws(StoreError) {
    // They may be of tables that are no more.
    forgetStatements()
    try execute("ROLLBACK TO strata_\(number)")
  }
}
