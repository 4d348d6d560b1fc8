internal import StrataMapping

/// The source objects that were migrated or not, by entity mapping.
///
/// If a single entity mapping reads the objects of an entity, counts are sufficient.
struct ObjectLedger {
  /// Source entities that are read by several entity mappings or a policy.
  private let tracked: Set<String>
  /// The migrated keys, by source entity.
  private var migrated: [String: KeySet] = [:]
  /// The keys that were not migrated, by the index of the entity mapping in the report.
  private var dropped: [Int: KeySet] = [:]
  /// Entity mappings, by their indices, that create objects of the same entity from objects of the same entity.
  private let rivals: [[Int]]
  /// The keys that a rival migrated, by its index.
  private var created: [Int: KeySet] = [:]
  /// The objects that have become one object with others.
  var joined = JoinedObjects()

  init(_ hop: MigrationPlan.Hop) {
    let bySource = Dictionary(grouping: hop.entityMappings.filter { $0.sourceName != nil }) {
      $0.sourceName ?? ""
    }
    tracked = Set(
      bySource.filter { $0.value.count > 1 || $0.value.contains { $0.policyName != nil } }.keys)
    let mappings = Array(hop.entityMappings.enumerated()).filter {
      $0.element.sourceName != nil && $0.element.destinationName != nil
    }
    rivals = Dictionary(grouping: mappings) {
      [$0.element.sourceName, $0.element.destinationName]
    }.values.filter { $0.count > 1 }.map { $0.map(\.offset) }
    for index in rivals.joined() { created[index] = KeySet() }
  }

  /// - Parameter index: The index of the entity mapping in the report.
  mutating func noteMigrated(_ key: Int64, of entity: String, by index: Int) {
    guard tracked.contains(entity) else { return }
    migrated[entity, default: KeySet()].insert(key)
    created[index]?.insert(key)
  }

  /// - Parameter keys: `nil` for all objects of the entity.
  mutating func noteMigrated(_ keys: [Int64]?, of entity: String, by index: Int) {
    guard tracked.contains(entity) else { return }
    guard let keys else {
      migrated[entity, default: KeySet()].insertAll()
      created[index]?.insertAll()
      return
    }
    for key in keys { noteMigrated(key, of: entity, by: index) }
  }

  /// - Parameter isKept: Whether an object that another entity mapping created from it still exists.
  mutating func noteDeleted(_ key: Int64, of entity: String, by index: Int, isKept: Bool) {
    guard tracked.contains(entity) else { return }
    if !isKept { migrated[entity]?.remove(key) }
    created[index]?.remove(key)
    dropped[index, default: KeySet()].insert(key)
  }

  mutating func noteDropped(_ key: Int64, of entity: String, by index: Int) {
    if tracked.contains(entity) { dropped[index, default: KeySet()].insert(key) }
  }

  /// Divides the objects that entity mappings did not migrate into those migrated by another one and lost ones,
  /// which the first entity mapping counts. Also counts objects from which several entity mappings created an
  /// object of the same entity.
  func settle(_ entities: inout [MigrationReport.EntityReport]) {
    var others = migrated
    for index in entities.indices {
      guard let entity = entities[index].sourceEntity else { continue }
      let keys = dropped[index] ?? KeySet()
      entities[index].skipped = keys.count(in: others[entity] ?? KeySet())
      entities[index].lost = entities[index].dropped - entities[index].skipped
      others[entity, default: KeySet()].formUnion(keys)
    }
    for group in rivals {
      var known = KeySet()
      for index in group {
        let keys = created[index] ?? KeySet()
        entities[index].repeated = keys.count(in: known, ofAll: entities[index].source)
        known.formUnion(keys)
      }
    }
  }
}
