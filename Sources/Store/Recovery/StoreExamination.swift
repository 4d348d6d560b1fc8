internal import Foundation
internal import StrataDiagnostics
internal import StrataObjectModel
internal import StrataSQLite
internal import StrataValues

/// Looks at a store for what an interrupted migration or a crash has left in it. Nothing is changed.
struct StoreExamination {
  private(set) var findings: [StoreFinding] = []
  private let path: String

  init(of given: String) {
    path = URL(fileURLWithPath: given).resolvingSymlinksInPath().path
    do throws(StoreError) {
      try examine()
    } catch {
      found(.damage([error.diagnostic.what]))
    }
  }

  private mutating func found(_ kind: StoreFinding.Kind) {
    findings.append(StoreFinding(path: path, kind: kind, users: StoreUsers.others(of: path)))
  }

  private mutating func examine() throws(StoreError) {
    let files = try StoreFiles(path: path)
    if files.hasHotJournal { found(.hotJournal) }
    let faults = Self.faults(path)
    if files.hasWALFrames, !faults.isEmpty, Self.faultsOfFileAlone(path).isEmpty {
      return found(.foreignWAL)
    }
    guard faults.isEmpty else { return found(.damage(faults)) }
    let store = try SQLiteStore(reading: path)
    if store.metadata.hasDeferredMigration { found(.deferredMigration) }
    if let pending = store.metadata.pendingStage { found(.pendingStage(pending.scripts)) }
    try compareTables(store)
    try compareFiles(store)
    try store.checkUnchanged()
  }

  /// Asks whether the WAL beside a store is its own, before it is played into it.
  ///
  /// - Throws: ``StoreError/foreignWAL``.
  static func checkWAL(_ files: StoreFiles) throws(StoreError) {
    guard files.hasWALFrames, !faults(files.path).isEmpty, faultsOfFileAlone(files.path).isEmpty
    else { return }
    throw .foreignWAL
  }

  /// What SQLite finds wrong with a file and its WAL.
  private static func faults(_ path: String) -> [String] {
    do throws(StoreError) {
      let snapshot = try StoreSnapshot.take(of: path)
      return try faults(
        SQLiteConnection(
          path: snapshot.readablePath, mode: snapshot.mode, valueLimit: snapshot.size))
    } catch {
      return [error.diagnostic.what]
    }
  }

  private static func faultsOfFileAlone(_ path: String) -> [String] {
    do throws(StoreError) {
      return try faults(SQLiteConnection(path: path, mode: .immutable))
    } catch {
      return [error.diagnostic.what]
    }
  }

  private static func faults(_ connection: SQLiteConnection) throws(StoreError) -> [String] {
    try connection.withoutAuthorizer { connection throws(StoreError) in
      try connection.faults("20")
    }
  }

  // MARK: Tables

  private mutating func compareTables(_ store: borrowing SQLiteStore) throws(StoreError) {
    guard let model = try store.cachedModel() else { return }
    guard store.metadata.versionHashes == model.versionHashes() else { return found(.otherModel) }
    let expected = Set(StoreSchema(model).tables.map { $0.name.lowercased() })
    let tables = try store.schema().filter { $0.kind == .table }.map(\.name)
    let missing = expected.subtracting(tables.map { $0.lowercased() })
    if !missing.isEmpty {
      found(.missingTables(missing.map { $0.uppercased() }.sorted()))
    }
    var strange: [String: Int] = [:]
    for table in tables
    where Self.looksLikeEntity(table) && !expected.contains(table.lowercased()) {
      let rows = try store.connection.rows("SELECT count(*) FROM \(table.quoted)")
      if case .integer(let count)?? = rows.first?.first { strange[table] = Int(count) }
    }
    if !strange.isEmpty { found(.strangeTables(strange)) }
  }

  /// Tables as Core Data names them for entities and relationships, or as a migration names them meanwhile.
  private static func looksLikeEntity(_ table: String) -> Bool {
    guard !table.hasPrefix("Z_METADATA"), !table.hasPrefix("Z_PRIMARYKEY"),
      !table.hasPrefix("Z_MODELCACHE")
    else { return false }
    return table.hasPrefix("Z") || table.hasPrefix("_T_") || table.hasPrefix("_Strata_")
  }

  // MARK: Files

  private mutating func compareFiles(_ store: borrowing SQLiteStore) throws(StoreError) {
    let named = try store.externalFileNames()
    let external = ExternalData(storePath: path)
    let files = external.files
    let missing = named.subtracting(files)
    if !missing.isEmpty { found(.missingFiles(missing.sorted())) }
    var stray = Set(files).subtracting(named)
    // A copy under whatever name may want them.
    for other in stray.isEmpty ? [] : ExternalData.neighbours(of: path) {
      stray.subtract((try? SQLiteStore(reading: other).externalFileNames()) ?? [])
    }
    guard !stray.isEmpty else { return }
    let bytes = stray.reduce(0) { $0 + FileOperations.size(of: "\(external.folder)/\($1)") }
    found(.strayFiles(stray.sorted(), bytes: bytes))
  }
}
