internal import StrataBase
package import StrataObjectModel
internal import StrataSQLite

/// Fills a new store with generated objects, determined by the model, the count and the seed.
///
/// Each concrete entity gets the same number of objects. Attribute values include nil, bounds and various texts;
/// relationships are consistent at both ends and within their counts. Objects are not kept in memory: links are
/// computed from their numbers.
///
/// ```swift
/// var generator = StoreGenerator(model1, rows: 100, seed: 1)
/// var store = try NewStore(path: "Topics.sqlite", model: model1, uuid: "374C5961-3E41-43E5-915C-383EA914074C")
/// try generator.fill(&store)
/// try store.finish()
/// ```
package struct StoreGenerator {
  private let model: ObjectModel
  private let rows: Int
  private let seed: UInt64
  /// For each entity, including abstract ones, the number of objects including subentities.
  private var pools: [String: Pool] = [:]
  /// For each ordered relationship and target index: the number of links so far, of any entity.
  private var counts: [String: [Int32]] = [:]

  package init(_ model: ObjectModel, rows: Int, seed: UInt64) {
    self.model = model
    self.rows = rows
    self.seed = seed
  }

  /// The possible destinations of a relationship, counted from 0.
  private struct Pool {
    var firstKeys: [Int64] = []
    let rows: Int

    var count: Int { firstKeys.count * rows }

    func key(_ index: Int) -> Int64 { firstKeys[index / rows] + Int64(index % rows) }

    func index(ofKey key: Int64) -> Int? {
      for (index, first) in firstKeys.enumerated() where key >= first && key < first + Int64(rows) {
        return index * rows + Int(key - first)
      }
      return nil
    }
  }

  /// - Throws: ``StoreError``.
  package mutating func fill(_ store: inout NewStore) throws {
    guard rows > 0 else { return }
    assignKeys(in: store.layout)
    for entity in store.layout.entityOrder where model[entity]?.isAbstract == false {
      try fill(entity, into: &store)
    }
    for relationship in store.layout.joinedRelationships(of: model) {
      try link(relationship, in: &store)
    }
  }

  private mutating func assignKeys(in layout: StoreLayout) {
    var next: [String: Int64] = [:]
    for entity in model.entityNames { pools[entity] = Pool(rows: rows) }
    for entity in layout.entityOrder where model[entity]?.isAbstract == false {
      let root = model.rootName(of: entity)
      let first = next[root] ?? 1
      next[root] = first + Int64(rows)
      for ancestor in model.lineageNames(of: entity) {
        pools[ancestor]?.firstKeys.append(first)
      }
    }
  }

  private func random(_ name: String) -> SeededRandom {
    SeededRandom(seed: "\(seed) \(name)")
  }

  // MARK: Objects

  /// How the column of a relationship is filled.
  private struct Slot {
    var index: Int
    var relationship: Declared<Relationship>
    /// Whether the row is the destination of a to-many relationship without an inverse.
    var isOwner: Bool
    var orderIndex: Int?
    var target: Pool
    var kind: Kind
    var name: String {
      relationship.qualifiedName
    }

    enum Kind {
      /// Each target once; the other end computes the inverse.
      case pairs(offset: Int, isLead: Bool)
      /// Own inverse: 0 with 1, 2 with 3.
      case neighbours
      /// Round robin.
      case turns(offset: Int, limit: Int)
      case scattered
    }
  }

  private mutating func fill(_ entity: String, into store: inout NewStore) throws {
    // The entity's own objects come before those of its subentities.
    guard let shape = store.shape(of: entity), let first = pools[entity]?.firstKeys[0] else {
      return
    }
    let unique = uniqueAttributes(of: entity)
    let generators = zip(shape.names, shape.contents).map { name, content -> ValueGenerator? in
      guard case .attribute(let attribute) = content else { return nil }
      return ValueGenerator(attribute, isUnique: unique.contains(name))
    }
    let slots = slots(of: entity, shape)
    for slot in slots where slot.orderIndex != nil && counts[slot.name] == nil {
      counts[slot.name] = Array(repeating: 0, count: slot.target.count)
    }
    var random = random("objects of \(entity)")
    for number in 0..<rows {
      if number % 1000 == 0 {
        try Interruption.check()
        WorkProgress.report("creating \(entity)", number, of: rows)
      }
      let key = first + Int64(number)
      var row = ObjectRow(key: key, values: Array(repeating: .null, count: shape.names.count))
      for (index, generator) in generators.enumerated() {
        if let generator { row.values[index] = generator.value(number, key: key, using: &random) }
      }
      row.orderKeys = Array(repeating: .null, count: shape.orderedIndices.count)
      for slot in slots { choose(slot, for: key, &row, &random) }
      try store.insert(row, of: entity)
    }
  }

  /// For each constraint, the attribute that makes it unique.
  private func uniqueAttributes(of entity: String) -> Set<String> {
    var unique: Set<String> = []
    let attributes = model.allAttributes(of: entity).map(\.property)
    for (_, constraint) in model.allConstraints(of: entity) {
      let best = constraint.first { name in
        attributes.contains { $0.name == name && $0.type != .boolean && !$0.isDerived }
      }
      if let best = best ?? constraint.first { unique.insert(best) }
    }
    return unique
  }

  private func slots(of entity: String, _ shape: StoreRowShape) -> [Slot] {
    shape.contents.enumerated().compactMap { index, content -> Slot? in
      let declared: Declared<Relationship>
      var isOwner = false
      switch content {
      case .attribute: return nil
      case .toOne:
        guard let found = model.relationship(shape.names[index], of: entity) else { return nil }
        declared = found
      case .owner(let owner):
        let name = String(shape.names[index].dropFirst(owner.count + 1))
        guard let found = model[owner]?.relationship(named: name) else { return nil }
        declared = Declared(property: found, declaringEntity: owner)
        isOwner = true
      }
      let target = isOwner ? declared.declaringEntity : declared.property.destinationName
      guard let pool = pools[target], pool.count > 0 else { return nil }
      return Slot(
        index: index, relationship: declared, isOwner: isOwner,
        orderIndex: shape.orderedIndices.firstIndex(of: index), target: pool,
        kind: kind(of: declared, isOwner: isOwner, targets: pool.count))
    }
  }

  private func kind(
    of relationship: Declared<Relationship>, isOwner: Bool, targets: Int
  ) -> Slot.Kind {
    let property = relationship.property
    let inverse = isOwner ? nil : model.inverse(of: property)
    if let inverse, !inverse.property.isToMany {
      if model.isOwnInverse(property, declaredBy: relationship.declaringEntity) {
        return .neighbours
      }
      let names = [relationship.qualifiedName, inverse.qualifiedName]
      let isLead = names[0] <= names[1]
      var random = random("pairs of \(names.sorted().joined(separator: " "))")
      // Objects of one entity must not be their own partners.
      let offset = Int.random(in: 1...max(1, rows - 1), using: &random)
      return .pairs(offset: offset, isLead: isLead)
    }
    let many = inverse?.property ?? (isOwner ? property : nil)
    guard let many, many.minCount > 0 || many.maxCount > 0 || !many.isOptional else {
      return .scattered
    }
    var random = random("turns of \(relationship.id)")
    return .turns(
      offset: Int.random(in: 0..<targets, using: &random),
      limit: many.maxCount > 0 ? many.maxCount : .max)
  }

  private mutating func choose(
    _ slot: Slot, for key: Int64, _ row: inout ObjectRow, _ random: inout SeededRandom
  ) {
    let declaring =
      slot.isOwner
      ? slot.relationship.property.destinationName : slot.relationship.declaringEntity
    guard let own = pools[declaring]?.index(ofKey: key), let count = pools[declaring]?.count else {
      return
    }
    let targets = slot.target.count
    let chosen: Int?
    switch slot.kind {
    case .pairs(let offset, let isLead):
      let size = max(count, targets)
      let partner = isLead ? (own + offset) % size : (own - offset % size + size) % size
      chosen = partner < targets ? partner : nil
    case .neighbours: chosen = own ^ 1 < targets ? own ^ 1 : nil
    case .turns(let offset, let limit):
      chosen = own / targets < limit ? (own + offset) % targets : nil
    case .scattered:
      let isNil =
        (slot.isOwner || slot.relationship.property.isOptional)
        && Int.random(in: 0..<6, using: &random) == 0
      chosen = isNil ? nil : Int.random(in: 0..<targets, using: &random)
    }
    guard let chosen else { return }
    row.values[slot.index] = .integer(slot.target.key(chosen))
    if let ordered = slot.orderIndex {
      row.orderKeys[ordered] = .integer(
        NewStore.orderKey(Int(counts[slot.name]?[chosen] ?? 0)))
      counts[slot.name]?[chosen] += 1
    }
  }

  // MARK: Many-to-many relationships

  private mutating func link(
    _ relationship: Declared<Relationship>, in store: inout NewStore
  ) throws {
    let property = relationship.property
    guard let inverse = model.inverse(of: property)?.property,
      let own = pools[relationship.declaringEntity], let target = pools[property.destinationName],
      own.count > 0, target.count > 0
    else { return }
    let isReflexive = model.isOwnInverse(property, declaredBy: relationship.declaringEntity)
    var random = random("links of \(relationship.declaringEntity).\(property.name)")
    var counts = [Int32](repeating: 0, count: inverse.isOrdered ? target.count : 0)
    let isBounded =
      [property, inverse].contains { $0.minCount > 0 || $0.maxCount > 0 || !$0.isOptional }
    if isReflexive, isBounded {
      return try pair(relationship, own, in: &store)
    }
    for index in 0..<own.count {
      if index % 1000 == 0 {
        try Interruption.check()
        WorkProgress.report("connecting \(property.name)", index, of: own.count)
      }
      // Round robin if counts are bounded.
      let wanted =
        isBounded
        ? Self.share(property, inverse, own.count, target.count)
        : Int.random(in: 0...3, using: &random)
      let start =
        isBounded ? index : Int.random(in: 0..<target.count, using: &random)
      for number in 0..<min(wanted, target.count) {
        let other = (start + number * (isReflexive ? 1 : max(1, target.count / 7))) % target.count
        let link = ObjectLink(
          own: own.key(index), other: target.key(other),
          order: property.isOrdered ? .integer(NewStore.orderKey(number)) : .null,
          inverseOrder: inverse.isOrdered ? .integer(NewStore.orderKey(Int(counts[other]))) : .null)
        if inverse.isOrdered { counts[other] += 1 }
        guard !isReflexive || link.own != link.other else { continue }
        try store.insert(link, of: relationship)
        if isReflexive {
          // It is unknown which of the two Core Data writes; both are read as equal.
          try store.insert(ObjectLink(own: link.other, other: link.own), of: relationship)
        }
      }
    }
  }

  /// Links the objects of a bounded relationship that is its own inverse, each to as many as it needs, or to one: to
  /// neighbors on a ring, and to the opposite one if the number is odd.
  private func pair(
    _ relationship: Declared<Relationship>, _ objects: Pool, in store: inout NewStore
  ) throws {
    let (property, count) = (relationship.property, objects.count)
    let wanted = min(Self.share(property, property, count, count), count - 1)
    var counts = [Int](repeating: 0, count: property.isOrdered ? count : 0)
    func connect(_ one: Int, _ other: Int, in store: inout NewStore) throws {
      for (own, target) in [(one, other), (other, one)] {
        var link = ObjectLink(own: objects.key(own), other: objects.key(target))
        if property.isOrdered {
          link.order = .integer(NewStore.orderKey(counts[own]))
          counts[own] += 1
        }
        try store.insert(link, of: relationship)
      }
    }
    for distance in stride(from: 1, through: wanted / 2, by: 1) {
      try Interruption.check()
      for index in 0..<count { try connect(index, (index + distance) % count, in: &store) }
    }
    guard wanted % 2 == 1 else { return }
    let half = count / 2
    for index in 0..<half { try connect(index, index + half, in: &store) }
    // The last one of an odd number takes one that has its share.
    if count % 2 == 1, property.maxCount == 0 || wanted < property.maxCount {
      try connect(half, count - 1, in: &store)
    }
  }

  /// The number of links of each object of the owning end, within the bounds of both ends if possible.
  private static func share(
    _ property: Relationship, _ inverse: Relationship, _ owners: Int, _ others: Int
  ) -> Int {
    func least(_ end: Relationship) -> Int { max(end.minCount, end.isOptional ? 0 : 1) }
    func most(_ end: Relationship) -> Int { end.maxCount > 0 ? end.maxCount : .max }
    /// Counts in a model may be any number: one that is too large is no bound.
    func times(_ count: Int, _ factor: Int) -> Int {
      let (product, isBeyond) = count.multipliedReportingOverflow(by: factor)
      return isBeyond || product > 1 << 40 ? 1 << 40 : product
    }
    // The links of the other end for each link of the owner, rounded up or down.
    let needed = max(least(property), (times(least(inverse), others) + owners - 1) / owners)
    let allowed = min(
      most(property), most(inverse) == .max ? .max : max(0, times(most(inverse), others) / owners))
    return min(max(needed, 1), max(allowed, least(property)))
  }
}
