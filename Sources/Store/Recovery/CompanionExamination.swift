internal import StrataArchives
package import StrataBase
internal import StrataEssentials
package import StrataObjectModel
package import StrataSQLite

/// Checks the files beside a store: a `-wal` or `-journal` of another store, a damaged or missing `-wal`, missing
/// external binary data. Changes nothing.
///
/// ```swift
/// CompanionExamination(ofUnreadable: "phone.sqlite").findings.map(\.id)  // such as ["store.foreignWAL"]
/// ```
///
/// A WAL or journal is only compared with its store if both are small; `doctor` reads stores of any size.
package struct CompanionExamination: Sendable {
  /// The findings, of the rules `foreignJournal`, `unclearJournal`, `foreignWAL`, `unclearWAL`, `damagedWAL`,
  /// `missingWAL` and `missingFiles`.
  package private(set) var findings: [Finding] = []
  private let path: String
  /// Whether a WAL or journal beside the store is that of another one.
  private var hasForeignFile = false

  /// The maximum size in bytes of a store with its WAL and journal that are compared.
  private static let checkedSize = 64 << 20

  /// - Parameter path: A store that could not be read: the files beside it are checked at any size.
  package init(ofUnreadable path: String) {
    self.init(besideStoreAt: path, isUnreadable: true)
  }

  /// - Parameters:
  ///   - store: A store that is being read.
  ///   - models: The models that have been read.
  package init(of store: borrowing SQLiteStore, sharing models: SharedModels) {
    self.init(besideStoreAt: store.path, isUnreadable: false)
    if !hasForeignFile { findMissingFiles(of: store, models) }
  }

  private init(besideStoreAt given: String, isUnreadable: Bool) {
    path = RealPath.resolving(given)
    guard let files = try? StoreFiles(path: path) else { return }
    if let frames = files.missingFrames { found(.missingWAL(frames: frames)) }
    let size = files.main.size + (files.wal?.size ?? 0) + (files.journal?.size ?? 0)
    if isUnreadable || size <= Self.checkedSize {
      if let rule = StoreExamination.foreignCompanion(files) {
        found(rule)
        hasForeignFile = true
        return
      }
      if let fault = (try? files.walFault()) ?? nil { found(.damagedWAL(fault)) }
    }
  }

  /// Checks, before a store is migrated or copied, that a `-wal` or `-journal` beside it belongs to it and is
  /// intact. A rehearsal and a migration both call it.
  ///
  /// - Parameter given: A store; an unreadable store is left to the reader.
  /// - Throws: ``StoreError/foreignWAL``, ``StoreError/damagedWAL``, ``StoreError/foreignJournal``,
  ///   ``StoreError/unclearJournal``, ``StoreError/damaged(_:)``.
  package static func check(besideStoreAt given: String) throws(StoreError) {
    let path = RealPath.resolving(given)
    if let files = try? StoreFiles(path: path) { try StoreExamination.checkCompanions(files) }
  }

  private mutating func found(_ rule: StoreRule) {
    findings.append(Finding(rule, path: path))
  }

  private mutating func findMissingFiles(of store: borrowing SQLiteStore, _ models: SharedModels) {
    if let model = try? store.cachedModel(sharing: models), !model.keepsFiles { return }
    guard let names = try? store.externalFileNames(asDeclared: true) else { return }
    let missing = ExternalData(storePath: path).missing(among: names)
    if !missing.isEmpty { found(.missingFiles(missing.sorted())) }
  }
}

extension ObjectModel {
  /// Whether an attribute of the model may have external binary data.
  fileprivate var keepsFiles: Bool {
    entities.contains { entity in
      entity.attributes.contains { attribute in
        storedAttributes(of: attribute).contains(where: \.allowsExternalBinaryStorage)
      }
    }
  }
}
