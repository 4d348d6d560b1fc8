import Foundation
package import StrataObjectModel
package import StrataStore

/// How many statements change the schema when a store that was never migrated goes from one model to
/// another: the tables of the facts on the migration process, section 2, stated anew over the text of the
/// two schemas.
package struct PredictedStatements {
  private let old: ObjectModel
  private let new: ObjectModel
  private let before: StoreSchema
  private let after: StoreSchema
  private let version: FrameworkVersion
  /// Destination entity to source entity.
  private let pairs: [String: String]
  private let oldHashes: [String: VersionHash]
  private let newHashes: [String: VersionHash]

  package init?(old: ObjectModel, new: ObjectModel, version: FrameworkVersion) {
    (self.old, self.new, self.version) = (old, new, version)
    before = StoreSchema(old, version: version)
    after = StoreSchema(new, version: version)
    guard
      let pairs = BruteForceInference.matches(
        BruteForceInference.elements(old), BruteForceInference.elements(new))
    else { return nil }
    self.pairs = pairs
    oldHashes = old.versionHashes()
    newHashes = new.versionHashes()
  }

  private var isNewPlanner: Bool { version.number >= 977 }

  /// `name TYPE` of each column in a CREATE TABLE, without keys and constraints.
  private static func columns(_ sql: String) -> [String] {
    guard let open = sql.firstIndex(of: "("), let close = sql.lastIndex(of: ")") else { return [] }
    var depth = 0
    var parts = [""]
    for letter in sql[sql.index(after: open)..<close] {
      if letter == "(" { depth += 1 }
      if letter == ")" { depth -= 1 }
      if letter == ",", depth == 0 {
        parts.append("")
      } else {
        parts[parts.count - 1].append(letter)
      }
    }
    return parts.map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.hasPrefix("PRIMARY KEY") && !$0.hasPrefix("CONSTRAINT") }
  }

  private func isRoot(_ table: StoreSchema.Statement, of schema: StoreSchema) -> StoreTable? {
    schema.layout.tables.first { $0.name == table.name }
  }

  private static func entities(_ root: String, _ model: ObjectModel) -> [String] {
    model.entityNames.filter {
      BruteForceInference.lineage($0, in: model).last?.name == root
    }
  }

  // MARK: Properties

  /// Destination property to source property of an entity of the new model.
  private func properties(_ entity: String) -> [String: String] {
    guard let source = pairs[entity] else { return [:] }
    let attributes =
      BruteForceInference.matches(
        BruteForceInference.attributes(source, in: old).map(BruteForceInference.element),
        BruteForceInference.attributes(entity, in: new).map(BruteForceInference.element)) ?? [:]
    let relationships =
      BruteForceInference.matches(
        BruteForceInference.relationships(source, in: old).map(BruteForceInference.element),
        BruteForceInference.relationships(entity, in: new).map(BruteForceInference.element)) ?? [:]
    return attributes.merging(relationships) { own, _ in own }
  }

  /// Whether any property that an entity of the old table declares is gone: the entity with it, or renamed
  /// so that its column is another.
  private func losesAnything(_ root: String) -> Bool {
    for name in Self.entities(root, old) {
      guard let entity = old[name] else { continue }
      let declared =
        entity.attributes.filter { !$0.isTransient }.map(\.name)
        + entity.relationships.filter { !$0.isTransient }.map(\.name)
      let heir = pairs.first { $0.value == name }?.key
      let kept = Set((heir.map(properties) ?? [:]).values)
      if declared.contains(where: { !kept.contains($0) }) { return true }
    }
    return false
  }

  private func isChanged(_ entity: String) -> Bool {
    guard let source = pairs[entity] else { return true }
    return source != entity || oldHashes[source] != newHashes[entity]
  }

  // MARK: Counts

  /// The statements for root tables and their columns, and the tables that stay.
  private func rootTables() -> (count: Int, kept: Set<String>) {
    var count = 0
    var kept: Set<String> = []
    for table in after.layout.tables {
      let sources = Set(
        Self.entities(table.rootEntity, new).compactMap { entity in
          pairs[entity].flatMap { BruteForceInference.lineage($0, in: old).last?.name }
        })
      guard !sources.isEmpty else {
        count += 1  // CREATE
        continue
      }
      if let stays = added(to: table, from: sources) {
        count += stays
        kept.insert(table.name)
      } else {
        // CREATE; what was there of that name is renamed and dropped below.
        count += 1
      }
    }
    for table in before.layout.tables where !kept.contains(table.name) {
      count += 1  // DROP
      if after.layout.tables.contains(where: { $0.name == table.name }) { count += 1 }  // rename
    }
    return (count, kept)
  }

  /// How many statements a table that stays costs; `nil` for one that is made anew.
  private func added(to table: StoreTable, from sources: Set<String>) -> Int? {
    guard sources.count == 1, let source = sources.first,
      let old = before.layout.tables.first(where: { $0.rootEntity == source }),
      old.name == table.name,
      // No entity has left for another table.
      Self.entities(source, self.old).allSatisfy({ name in
        guard let heir = pairs.first(where: { $0.value == name })?.key else { return true }
        return BruteForceInference.lineage(heir, in: new).last?.name == table.rootEntity
      })
    else { return nil }
    let had = Self.columns(before.tables.first { $0.name == old.name }?.sql ?? "")
    let wants = Self.columns(after.tables.first { $0.name == table.name }?.sql ?? "")
    if !isNewPlanner {
      let isSame =
        had == wants
        && Self.entities(table.rootEntity, new).allSatisfy { !isChanged($0) }
        && Self.entities(source, self.old).allSatisfy { pairs.values.contains($0) }
      return isSame ? 0 : nil
    }
    if losesAnything(source) { return nil }
    var left = Set(had).subtracting(wants)
    var come = Set(wants).subtracting(had)
    var renames = 0
    for column in left.sorted() {
      // `Z10_MESSAGE` becomes `Z11_MESSAGE`.
      guard
        let twin = come.sorted().first(where: { Self.numberless($0) == Self.numberless(column) }),
        Self.numberless(column) != column
      else { continue }
      left.remove(column)
      come.remove(twin)
      renames += 1
    }
    guard left.isEmpty, columnsMeanTheSame(table.rootEntity) else { return nil }
    return renames + come.count
  }

  /// Whether each property that goes on does so in its column: two subentities may swap a suffix.
  private func columnsMeanTheSame(_ root: String) -> Bool {
    for entity in Self.entities(root, new) {
      guard let source = pairs[entity] else { continue }
      for (newName, oldName) in properties(entity) {
        let first = column(oldName, source, old, before)
        let second = column(newName, entity, new, after)
        if let first, let second, first != second,
          Self.numberless(first) == first
            || Self.numberless(first) != Self.numberless(second)
        {
          return false
        }
      }
    }
    return true
  }

  private func column(
    _ property: String, _ entity: String, _ model: ObjectModel, _ schema: StoreSchema
  ) -> String? {
    for owner in BruteForceInference.lineage(entity, in: model) {
      guard let found = schema.layout.column(of: property, declaredBy: owner.name) else { continue }
      // That of a to-many relationship stands in another table.
      return model[owner.name]?.relationships.first { $0.name == property }?.isToMany == true
        ? nil : found.name
    }
    return nil
  }

  private static func numberless(_ column: String) -> String {
    column.replacingOccurrences(of: "^Z(_FOK_)?[0-9]+", with: "Z$1#", options: .regularExpression)
  }

  // MARK: Join tables

  /// The statements for join tables, and those that are made anew.
  private func joinTables() -> (count: Int, rebuilt: Set<String>) {
    var count = 0
    var rebuilt: Set<String> = []
    var continued: Set<String> = []
    for entity in new.entities {
      for relationship in entity.relationships {
        guard
          let join = after.layout.joinTable(of: relationship.name, declaredBy: entity.name),
          join.isOwner
        else { continue }
        guard let old = continuedJoin(relationship, of: entity.name),
          continued.insert(old.name).inserted
        else {
          count += 1
          continue
        }
        let had = [old.ownColumn, old.otherColumn, old.orderColumn, old.inverseOrderColumn]
        let wants = [join.ownColumn, join.otherColumn, join.orderColumn, join.inverseOrderColumn]
        if had == wants, old.name == join.name { continue }
        let losesOrder = zip(had, wants).contains { $0 != nil && $1 == nil }
        if !isNewPlanner || losesOrder {
          count += 3
          rebuilt.insert(old.name)
        } else {
          count += (old.name == join.name ? 0 : 2) + zip(had, wants).filter { $0 != $1 }.count
        }
      }
    }
    let wanted = Set(after.tables.map(\.name))
    for table in before.tables
    where isRoot(table, of: before) == nil && !continued.contains(table.name) {
      // Another relationship may have got its name.
      count += wanted.contains(table.name) ? 2 : 1
      rebuilt.insert(table.name)
    }
    return (count, rebuilt)
  }

  private func continuedJoin(_ relationship: Relationship, of entity: String) -> JoinTable? {
    func old(_ name: String, _ entity: String) -> (entity: String, relationship: Relationship)? {
      var found: Set<String> = []
      let below = new.entityNames.filter { other in
        BruteForceInference.lineage(other, in: new).contains { $0.name == entity }
      }
      for other in below {
        guard let source = pairs[other], let oldName = properties(other)[name],
          let owner = BruteForceInference.lineage(source, in: self.old)
            .first(where: { $0.relationships.contains { $0.name == oldName } })
        else { continue }
        found.insert("\(owner.name).\(oldName)")
      }
      guard found.count == 1, let parts = found.first?.split(separator: ".").map(String.init),
        let relationship = self.old[parts[0]]?.relationships.first(where: { $0.name == parts[1] })
      else { return nil }
      return (parts[0], relationship)
    }
    guard let found = old(relationship.name, entity),
      let join = before.layout.joinTable(of: found.relationship.name, declaredBy: found.entity),
      let inverse = relationship.inverseName,
      let owner = BruteForceInference.lineage(relationship.destinationName, in: new)
        .first(where: { $0.relationships.contains { $0.name == inverse } })
    else { return nil }
    let back = old(inverse, owner.name)
    return back == nil || back?.relationship.name == found.relationship.inverseName ? join : nil
  }

  /// Whether triggers or R-trees come in, of which the facts say nothing.
  package var hasTriggers: Bool { !before.triggers.isEmpty || !after.triggers.isEmpty }

  /// The statements for indexes.
  private func indexes(kept: Set<String>, rebuiltJoins: Set<String>) -> Int {
    let had = Dictionary(uniqueKeysWithValues: before.indexes.map { ($0.name, $0) })
    let gone = rebuiltJoins.union(before.layout.tables.map(\.name).filter { !kept.contains($0) })
    var count = 0
    for index in after.indexes {
      let isThere = had[index.name].map { !gone.contains($0.table) } ?? false
      let entity = new.entityNames.filter { index.name.hasPrefix("Z_\($0)_") }
        .max { $0.count < $1.count }
      let isRenewed =
        entity != nil && version.number >= 847 && (!isNewPlanner || entity.map(isChanged) == true)
      if isRenewed {
        count += (had[index.name] == nil ? 0 : 1) + 1
      } else if !isThere {
        count += 1
      }
    }
    // Those of the old model alone go where their entity has changed.
    if isNewPlanner {
      let wanted = Set(after.indexes.map(\.name))
      for index in before.indexes where index.name.hasPrefix("Z_") && !wanted.contains(index.name) {
        let entity = old.entityNames.filter { index.name.hasPrefix("Z_\($0)_") }
          .max { $0.count < $1.count }
        guard let entity else { continue }
        let heir = pairs.first { $0.value == entity }?.key
        if heir.map(isChanged) ?? true { count += 1 }
      }
    }
    return count
  }

  /// Three where an entity comes, goes, or gets another number or parent.
  private func primaryKeys() -> Int {
    func rows(_ model: ObjectModel, _ schema: StoreSchema, _ name: (String) -> String?) -> Set<
      String
    > {
      Set(
        model.entities.map { entity in
          let number = schema.layout.entityNumbers[entity.name] ?? 0
          let parent = entity.superentityName.flatMap { schema.layout.entityNumbers[$0] } ?? 0
          return "\(number) \(parent) \(name(entity.name) ?? "new")"
        })
    }
    // iOS 13 and later leave a new name alone unsaid.
    let same =
      isNewPlanner
      ? rows(old, before) { $0 } == rows(new, after) { pairs[$0] }
      : rows(old, before) { $0 } == rows(new, after) { $0 }
        && pairs.allSatisfy { $0.key == $0.value || old[$0.key] == nil }
    return same ? 0 : 3
  }

  package var total: Int { parts.reduce(0) { $0 + $1.count } }

  /// The same by what they are for.
  package var parts: [(name: String, count: Int)] {
    let (tables, kept) = rootTables()
    let (joins, rebuiltJoins) = joinTables()
    return [
      ("tables", tables), ("join tables", joins),
      ("indexes", indexes(kept: kept, rebuiltJoins: rebuiltJoins)), ("numbers", primaryKeys()),
    ]
  }
}
