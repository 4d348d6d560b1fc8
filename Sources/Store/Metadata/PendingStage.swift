internal import StrataArchives
package import StrataSQLite

/// What a store says of itself while scripts of a stage are still to be run: whoever goes on with an
/// interrupted migration runs them first.
package struct PendingStage: Sendable, Hashable {
  /// Those of the stage's versions.
  package var checksums: [String]
  /// The names of the scripts.
  package var scripts: [String]

  package init(checksums: [String], scripts: [String]) {
    self.checksums = checksums
    self.scripts = scripts
  }

  /// An application's own key, which goes with the last script.
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
  /// The stage whose scripts are still to be run.
  package var pendingStage: PendingStage? { PendingStage(others[PendingStage.key]?.string) }
}

extension SQLiteStore {
  /// Says, in the transaction that the store is in, that scripts are still to be run; `nil`: that they have been.
  package func note(_ pending: PendingStage?) throws(StoreError) {
    try stamp(PendingStage.key, pending?.text)
  }

  /// Says that the scripts of the last stage have been run.
  ///
  /// - Throws: ``StoreError``: locked, not writable.
  package static func endStage(ofStoreAt path: String) throws(StoreError) {
    let store = try SQLiteStore(changing: path)
    try store.note(nil)
    try store.commit()
  }
}
