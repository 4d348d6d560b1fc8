/// `NSPersistenceFrameworkVersion`: the version of Core Data that wrote a store, which determines its schema.
///
/// ```swift
/// FrameworkVersion.newest.recordsChecksum  // true
/// FrameworkVersion(640).recordsDigest      // false
/// ```
///
/// Source: `Docs/Facts/README.md`, framework versions.
package struct FrameworkVersion: Sendable, Hashable, Comparable {
  package let number: Int64

  package init(_ number: Int64) {
    self.number = number
  }

  /// iOS 17, the newest version with a proven schema.
  package static let newest = FrameworkVersion(1344)

  package static func < (a: Self, b: Self) -> Bool { a.number < b.number }

  /// Up to iOS 8 each table was followed by its indexes.
  var putsIndexesBehindTheirTable: Bool { number < 637 }
  /// Only iOS 9.0 created the system tables before the indexes.
  var putsSystemTablesBeforeIndexes: Bool { (637..<640).contains(number) }
  /// Stores have carried their model since iOS 9; none older than that and newer than iOS 6 is known.
  package var cachesModel: Bool { number >= 637 }
  /// Since iOS 10, the join tables of one owner are in the order of the hashes of their names.
  var ordersJoinTablesByHash: Bool { number >= 754 }
  /// The default since iOS 7 and OS X 10.9.
  var usesWAL: Bool { number > 460 }
  /// Since iOS 11, the names of fetch indexes contain the entity's name, and uniqueness constraints are indexes.
  package var namesIndexesByEntity: Bool { number >= 847 }
  /// Since iOS 13, migrations in place alter tables if possible; before, they recreated them.
  package var altersTables: Bool { number >= 977 }
  /// `NSStoreModelVersionHashesDigest`, since iOS 13.
  package var recordsDigest: Bool { number >= 977 }
  /// `NSStoreModelVersionChecksumKey`, since iOS 17.
  package var recordsChecksum: Bool { number >= 1333 }
}
