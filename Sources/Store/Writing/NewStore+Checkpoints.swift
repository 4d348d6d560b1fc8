internal import StrataArchives
package import StrataSQLite

/// Checkpoints of an unfinished store, to which it can return.
///
/// SQLite keeps the pages in a savepoint; the other state of the store is kept here.
extension NewStore {
  /// The state of a store, valid until the store returns to an earlier checkpoint.
  package struct Checkpoint: Sendable {
    fileprivate var number: Int
    fileprivate var keys: [String: Int64]
    fileprivate var fileCount: Int
  }

  /// - Parameter number: Higher than the numbers of existing checkpoints.
  package func keepCheckpoint(_ number: Int) throws(StoreError) -> Checkpoint {
    try connection.setSavepoint(number)
    return Checkpoint(
      number: number, keys: keyCounters.mapValues(\.last), fileCount: written.names.count)
  }

  /// Whether it can return to its checkpoints, see ``SQLiteConnection/isInTransaction``.
  package var hasCheckpoints: Bool { connection.isInTransaction }

  /// See ``SQLiteConnection/isInterruptible``.
  package var isInterruptible: Bool {
    get { connection.isInterruptible }
    nonmutating set { connection.isInterruptible = newValue }
  }

  /// Restores the checkpoint; later ones are released.
  package mutating func goBack(to checkpoint: Checkpoint) throws(StoreError) {
    forgetStatements()
    try connection.goBack(toSavepoint: checkpoint.number)
    for (entity, last) in checkpoint.keys { keyCounters[entity]?.last = last }
    for name in written.names[checkpoint.fileCount...] { external.external.remove(name) }
    written.names.removeSubrange(checkpoint.fileCount...)
  }
}

extension SQLiteConnection {
  /// See ``NewStore/keepCheckpoint(_:)``; a connection itself has no other state.
  package func setSavepoint(_ number: Int) throws(StoreError) {
    try execute("SAVEPOINT strata_\(number)")
  }

  /// Later savepoints are released; this one stays.
  package func goBack(toSavepoint number: Int) throws(StoreError) {
    // They may refer to tables that no longer exist.
    forgetStatements()
    try execute("ROLLBACK TO strata_\(number)")
  }
}
