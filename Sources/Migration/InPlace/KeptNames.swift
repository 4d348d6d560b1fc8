internal import StrataBase
internal import StrataObjectModel
internal import StrataStore

/// The names of columns and join tables that differ from those in a new store and are kept in an in-place
/// migration, since Core Data computed them.
struct KeptNames {
  private(set) var names = StoredNames()
  private let source: ObjectModel
  private let destination: ObjectModel
  /// The names of the source in a new store.
  private let usual: StoreLayout

  /// - Parameter before: The names in the store.
  init(
    _ source: ObjectModel, _ destination: ObjectModel, _ before: StoreLayout,
    _ lineages: [String: EntityLineage]
  ) {
    self.source = source
    self.destination = destination
    usual = StoreLayout(source)
    let computed = StoreLayout(destination)
    for entity in destination.entities {
      guard let lineage = lineages[entity.name], let from = lineage.source else { continue }
      for attribute in entity.attributes where !attribute.isTransient {
        guard let old = lineage.sourceAttribute(of: attribute.name) else { continue }
        for leaf in destination.storedAttributes(of: attribute) {
          let path = old + leaf.elementPath(in: attribute.name)
          let owners = source.lineageNames(of: from)
          for owner in owners where usual.column(of: path, declaredBy: owner) != nil {
            keep(
              PropertyID(entity: entity.name, name: leaf.name),
              was: PropertyID(entity: owner, name: path), before, computed)
          }
        }
      }
      for relationship in entity.relationships where !relationship.isTransient {
        guard let old = lineage.sourceRelationship(of: relationship.name, in: source) else {
          continue
        }
        let end = Declared(property: relationship, declaringEntity: entity.name)
        keep(end.id, was: old.id, before, computed)
        keepJoin(of: end, was: old, before, computed)
      }
    }
  }

  private mutating func keep(
    _ key: PropertyID, was old: PropertyID, _ before: StoreLayout, _ computed: StoreLayout
  ) {
    guard let wanted = computed.column(forKey: key), let was = usual.column(forKey: old),
      let found = before.column(forKey: old), was.name != found.name,
      computed.baseName(forKey: key) == usual.baseName(forKey: old)
    else { return }
    var kept = wanted
    kept.name = found.name
    if wanted.orderColumn != nil { kept.orderColumn = "Z_FOK_" + found.name.dropFirst() }
    if let entityColumn = wanted.entityColumn {
      kept.entityColumn = entityColumn.prefix { $0 != "_" } + "_" + found.name.dropFirst()
    }
    names.columns[key] = kept
  }

  /// The names of a join table, without the numbers that resolve collisions.
  private struct JoinNames {
    /// The table names if this end owns the table, and if the other end does.
    var own: String
    var other: String
    /// The column names.
    var ownKeys: String
    var otherKeys: String

    init(_ end: Declared<Relationship>, _ inverse: Declared<Relationship>, _ layout: StoreLayout) {
      let number = layout.entityNumbers[end.declaringEntity] ?? 0
      let otherNumber = layout.entityNumbers[inverse.declaringEntity] ?? 0
      let (name, otherName) = (end.property.name, inverse.property.name)
      own = "Z_\(number)\(name.uppercased())"
      other = "Z_\(otherNumber)\(otherName.uppercased())"
      ownKeys = "Z_\(number)\(otherName.uppercased())"
      otherKeys = "Z_\(otherNumber)\(name.uppercased())"
    }
  }

  private mutating func keepJoin(
    of end: Declared<Relationship>, was old: Declared<Relationship>, _ before: StoreLayout,
    _ computed: StoreLayout
  ) {
    func join(_ end: Declared<Relationship>, _ layout: StoreLayout) -> JoinTable? {
      layout.joinTable(of: end.property.name, declaredBy: end.declaringEntity)
    }
    guard let wanted = join(end, computed), let was = join(old, usual),
      let found = join(old, before), was != found,
      let inverse = destination.inverse(of: end.property),
      let oldInverse = source.inverse(of: old.property),
      !destination.isOwnInverse(end.property, declaredBy: end.declaringEntity),
      !source.isOwnInverse(old.property, declaredBy: old.declaringEntity)
    else { return }
    let (new, before) = (JoinNames(end, inverse, computed), JoinNames(old, oldInverse, before))
    var kept = wanted
    kept.isOwner =
      found.name == before.own ? true : found.name == before.other ? false : wanted.isOwner
    kept.name = kept.isOwner ? new.own : new.other
    func column(_ name: String, _ base: String, found: String, _ oldBase: String) -> String {
      found.hasPrefix(oldBase) ? base + found.dropFirst(oldBase.count) : name
    }
    kept.ownColumn = column(wanted.ownColumn, new.ownKeys, found: found.ownColumn, before.ownKeys)
    kept.otherColumn = column(
      wanted.otherColumn, new.otherKeys, found: found.otherColumn, before.otherKeys)
    if wanted.orderColumn != nil { kept.orderColumn = "Z_FOK_" + kept.otherColumn.dropFirst(2) }
    if wanted.inverseOrderColumn != nil {
      kept.inverseOrderColumn = "Z_FOK_" + kept.ownColumn.dropFirst(2)
    }
    names.joins[end.id] = kept
  }
}
