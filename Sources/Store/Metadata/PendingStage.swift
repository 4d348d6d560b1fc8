internal import StrataArchives
package import StrataSQLite

/// The entry in a store's metadata while scripts of a stage are pending: a resumed migration runs them first.
package struct PendingStage: Sendable, Hashable {
  /// The checksums of the stage's versions.
  package var checksums: [String]
  /// The names of the scripts.
  package var scripts: [String]

  package init(checksums: [String], scripts: [String]) {
    self.checksums = checksums
    self.scripts = scripts
  }

  /// The metadata key, removed with the last script.
  static let key = "StrataPendingStage"
  private static let separator: Character = "|"

  var text: String {
    ([checksums.joined(separator: " ")] + scripts).joined(separator: "\(Self.separator)")
  }

  init?(_ text: String?) {
    guard let parts = text?.split(separator: Self.separator), let first = parts.first else {
      return nil
    }
    checksums = first.split(separator: " ").map(String.init)
    scripts = parts.dropFirst().map(String.init)
  }
}

extension StoreMetadata {
  /// The stage with pending scripts.
  package var pendingStage: PendingStage? { PendingStage(others[PendingStage.key]?.string) }
}

extension SQLiteStore {
  /// Records pending scripts in the current transaction; `nil` removes the entry.
  package func note(_ pending: PendingStage?) throws(StoreError) {
    try stamp(PendingStage.key, pending?.text)
  }

  /// Records which scripts of a stage are pending; `nil` if all have been run.
  ///
  /// - Throws: ``StoreError``: locked, not writable.
  package static func note(
    _ pending: PendingStage?, ofStoreAt path: String
  ) throws(StoreError) {
    let store = try SQLiteStore(changing: path)
    try store.note(pending)
    try store.commit()
  }
}
