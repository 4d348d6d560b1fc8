internal import StrataBase
package import StrataObjectModel
package import StrataSQLite

/// Compares the tables of a store with the models that may have written it, and the models with the metadata.
///
/// A store may have other indexes than its model names, and columns in another order; neither matters to Core Data.
/// It only counts as half-migrated if there is proof.
///
/// ```swift
/// let store = try SQLiteStore(reading: "Topics.sqlite")
/// let examination = try SchemaExamination(of: store, models: [version1])
/// examination.rules  // such as [.unknownTables(["NOTES": 3])]
/// ```
///
/// Source: `Docs/Facts/sqlite-schema.md`, sections 7, 9 and 11; `Docs/Facts/migration-process.md`, sections 1.2 and 2.
package struct SchemaExamination {
  package private(set) var rules: [StoreRule] = []
  private let path: String
  private let metadata: StoreMetadata
  private let tables: Tables

  /// - Parameter models: Models that may have written the store, besides the one that it caches.
  /// - Throws: ``StoreError`` of reading.
  package init(of store: borrowing SQLiteStore, models: [NamedModel] = []) throws(StoreError) {
    path = store.path
    metadata = store.metadata
    tables = try Tables(store)
    var cached: NamedModel?
    do throws(StoreError) {
      cached = try store.cachedModel().map { NamedModel(name: Self.cachedName, model: $0) }
    } catch {
      guard case .unreadableModelCache(let reason) = error else { throw error }
      rules.append(.unreadableModel(reason: reason))
    }
    let named = models.first { $0.model.versionHashes() == metadata.versionHashes }
    try compareTemporaryTables()
    guard let model = try model(named: named, cached: cached)?.model else { return }
    let reader = try StoreReader(SQLiteStore(reading: path), model: model)
    compareUnknownTables(reader)
    let rows = try reader.unknownEntityRows()
    if !rows.isEmpty { rules.append(.unknownEntities(rows)) }
    let keys = try reader.keysOutOfRange()
    if !keys.isEmpty { rules.append(.keysOutOfRange(keys)) }
    let faults = try reader.keyTableFaults()
    if !faults.isEmpty { rules.append(.keyTable(faults)) }
  }

  private static let cachedName = "the cached model"

  // MARK: Models

  /// The model of the tables, if certain; records contradictions.
  private mutating func model(
    named: NamedModel?, cached: NamedModel?
  ) throws(StoreError) -> NamedModel? {
    let agreement = cached.map { HashAgreement(of: $0.model, with: metadata) }
    if let named {
      let gap = try gap(named.model)
      guard let cached, let agreement, !agreement.isWhole else {
        return report(gap, of: named)
      }
      let cachedGap = try self.gap(cached.model)
      if let cachedGap, gap == nil {
        rules.append(
          .halfMigrated(
            .versions(fits: named.name, other: Self.cachedName, lacks: cachedGap.what)))
      } else if let gap, cachedGap == nil {
        rules.append(
          .halfMigrated(
            .versions(fits: Self.cachedName, other: "the metadata (\(named.name))", lacks: gap.what)
          ))
        return cached
      } else {
        if gap == nil { rules.append(.otherModel(agreement)) }
        return report(gap, of: named)
      }
      return named
    }
    guard let cached, let agreement else {
      if rules.isEmpty { rules.append(.noModel) }
      return nil
    }
    let gap = try gap(cached.model)
    guard !agreement.isWhole else { return report(gap, of: cached) }
    if let gap {
      // A different hash and a different table for the same entity: not caused by an unknown hash rule.
      guard !agreement.isPart, gap.entities.contains(where: agreement.entities.contains) else {
        rules.append(.otherModel(agreement))
        return nil
      }
      rules.append(.halfMigrated(.disagreement(lacks: gap.what)))
      return nil
    }
    if let entity = agreement.onlyInMetadata.first(where: { !tables.entityNames.contains($0) }) {
      rules.append(
        .halfMigrated(
          .versions(fits: Self.cachedName, other: "the metadata", lacks: "entity \(entity)")))
    } else if !agreement.isPart {
      rules.append(agreement.rule)
    }
    return cached
  }

  private mutating func report(_ gap: Gap?, of model: NamedModel) -> NamedModel? {
    guard let gap else { return model }
    rules.append(.halfMigrated(.lacks(what: gap.what, model: model.name)))
    return nil
  }

  /// A table or column of a model that the store does not have.
  private struct Gap {
    /// `column ZTITLE in ZTOPIC`
    var what: String
    /// The entities that it belongs to.
    var entities: [String]
  }

  /// The first table or column of a model that the store does not have; `nil` if the tables match the model.
  private func gap(_ model: ObjectModel) throws(StoreError) -> Gap? {
    func entities(of table: String) -> [String] {
      let layout = StoreLayout(model)
      return layout.entityOrder.filter { layout.table(of: $0)?.name == table }
    }
    do throws(StoreError) {
      let reader = try StoreReader(SQLiteStore(reading: path), model: model)
      for relationship in reader.joinedRelationships {
        guard let inverse = model.inverse(of: relationship.property),
          !tables.hasJoinTable(of: [relationship.property.name, inverse.property.name])
        else { continue }
        return Gap(
          what:
            "join table of \(relationship.declaringEntity).\(relationship.property.name)",
          entities: [relationship.declaringEntity, inverse.declaringEntity])
      }
      return nil
    } catch {
      switch error {
      case .missingTable(let table):
        return Gap(what: "table \(table)", entities: entities(of: table))
      case .missingColumn(let column, let table):
        return Gap(what: "column \(column) in \(table)", entities: entities(of: table))
      default: throw error
      }
    }
  }

  // MARK: Tables

  private mutating func compareTemporaryTables() throws(StoreError) {
    // Core Data keeps them until the deferred part has run.
    guard !metadata.hasDeferredMigration else { return }
    let filled = tables.temporary.filter { $0.value > 0 }
    if !filled.isEmpty { rules.append(.halfMigrated(.temporaryTables(filled))) }
  }

  private mutating func compareUnknownTables(_ reader: borrowing StoreReader) {
    var known = Set(reader.layout.tables.map { $0.name.foldedName })
    for relationship in reader.joinedRelationships {
      if let join = try? reader.joinTable(of: relationship) {
        known.insert(join.name.foldedName)
      } else {
        // It is ambiguous which of the tables with this name it is: all count as known.
        let inverse = reader.model.inverse(of: relationship.property)?.property.name
        let names = [relationship.property.name, inverse].compactMap { $0 }
        known.formUnion(tables.joinTables(of: names).map(\.foldedName))
      }
    }
    let isReported = rules.contains {
      if case .halfMigrated(.temporaryTables) = $0 { true } else { false }
    }
    let unknown = tables.others.filter { name, _ in
      !known.contains(name.foldedName) && !(isReported && tables.temporary[name] ?? 0 > 0)
    }
    if !unknown.isEmpty { rules.append(.unknownTables(unknown)) }
  }
}
