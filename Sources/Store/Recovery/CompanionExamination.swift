internal import Foundation
package import StrataBase
internal import StrataObjectModel
package import StrataSQLite

/// Looks beside a store for what everybody who reads it must know: a `-wal` or `-journal` of another store, a `-wal`
/// that is damaged or missing, files of binary data that are missing. Nothing is changed.
///
/// ```swift
/// CompanionExamination(of: "phone.sqlite").findings.map(\.id)  // ["store.missingFiles"]
/// ```
///
/// A WAL or journal is compared with its store only where both are small enough to be read on the way; `doctor`
/// reads stores of any size.
package struct CompanionExamination: Sendable {
  /// What was found, of the kinds `foreignJournal`, `unclearJournal`, `foreignWAL`, `damagedWAL`, `missingWAL` and
  /// `missingFiles`.
  package private(set) var findings: [Finding] = []
  private let path: String

  /// Bytes of a store with its WAL and journal that are read through to tell whether they belong together.
  private static let checkedSize = 64 << 20

  /// - Parameters:
  ///   - given: A SQLite store; of what cannot be read, less is said.
  ///   - isUnreadable: Whether reading it has failed: then what lies beside it is checked whatever its size.
  package init(of given: String, isUnreadable: Bool = false) {
    path = URL(fileURLWithPath: given).resolvingSymlinksInPath().path
    guard let files = try? StoreFiles(path: path) else { return }
    if let frames = files.missingFrames { found(.missingWAL(frames: frames)) }
    let size = files.main.size + (files.wal?.size ?? 0) + (files.journal?.size ?? 0)
    if isUnreadable || size <= Self.checkedSize {
      if let rule = StoreExamination.foreignCompanion(files) {
        found(rule)
        return
      }
      if let fault = (try? files.walFault()) ?? nil { found(.damagedWAL(fault)) }
    }
    if !isUnreadable, let missing = try? Self.missingFiles(path), !missing.isEmpty {
      found(.missingFiles(missing.sorted()))
    }
  }

  /// Checks, before a store is migrated or copied, that a `-wal` or `-journal` beside it is its own and intact: in a
  /// rehearsal as in the migration itself.
  ///
  /// - Parameter given: A store; of what cannot be read, the reader tells.
  /// - Throws: ``StoreError/foreignWAL``, ``StoreError/damagedWAL``, ``StoreError/foreignJournal``,
  ///   ``StoreError/unclearJournal``, ``StoreError/damaged(_:)``.
  package static func check(besideStoreAt given: String) throws(StoreError) {
    let path = URL(fileURLWithPath: given).resolvingSymlinksInPath().path
    if let files = try? StoreFiles(path: path) { try StoreExamination.checkCompanions(files) }
  }

  private mutating func found(_ rule: StoreRule) {
    findings.append(Finding(rule, path: path))
  }

  private static func missingFiles(_ path: String) throws(StoreError) -> Set<String> {
    let store = try SQLiteStore(reading: path)
    if let model = try? store.cachedModel(), !model.keepsFiles { return [] }
    return ExternalData(storePath: path).missing(
      among: try store.externalFileNames(asDeclared: true))
  }
}

extension ObjectModel {
  /// Whether values of an attribute may are in files.
  fileprivate var keepsFiles: Bool {
    entities.contains { entity in
      entity.attributes.contains { attribute in
        storedAttributes(of: attribute).contains(where: \.allowsExternalBinaryStorage)
      }
    }
  }
}
