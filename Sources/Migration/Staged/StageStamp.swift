internal import StrataArchives
public import StrataStore

/// What a store says of itself while scripts of a stage are still to be run: whoever goes on with an
/// interrupted migration runs them first.
public enum StageStamp {
  static let key = "StrataPendingStage"

  /// The stamp of the stage whose scripts are still to be run.
  public static func pending(in metadata: StoreMetadata) -> String? {
    metadata.others[key]?.string
  }

  /// Says that they have been run.
  ///
  /// - Throws: ``StoreError``: locked, not writable.
  public static func clear(_ path: String) throws(StoreError) {
    let store = try SQLiteStore(changing: path)
    try store.stamp(key, nil)
    try store.commit()
  }
}
