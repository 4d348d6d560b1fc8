internal import CRelease
internal import StrataEssentials
internal import StrataSQLite

/// The release that the program was built from.
package enum Release {
  /// The version of its tag, such as "1.2.0".
  package static let version = String(cString: strata_release_version())

  /// What `--version` prints: "strata 1.2.0 (commit 0123456789, SQLite 3.40.1)".
  static var description: String {
    let commit = String(cString: strata_release_commit())
    let parts = (commit.isEmpty ? [] : ["commit \(commit)"]) + ["SQLite \(SQLiteLibrary.version)"]
    return "strata \(version) (\(parts.joined(separator: ", ")))"
  }
}
