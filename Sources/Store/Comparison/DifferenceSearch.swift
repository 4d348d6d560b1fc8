internal import StrataBase
internal import StrataObjectModel

/// Finds the objects of two graphs that have no partner, round by round.
struct DifferenceSearch {
  private var one: ObjectGraph
  private var other: ObjectGraph
  /// Objects without a partner; they are excluded from all rounds.
  private var unpairedInOne: Set<Int> = []
  private var unpairedInOther: Set<Int> = []
  /// By index in the first graph: the index in the second, and the differences.
  private var changed: [Int: Found] = [:]

  private struct Found {
    var partner: Int
    var properties: [String]
    var values: [String: (first: AttributeValue, second: AttributeValue)] = [:]
  }

  private var distinct = 0

  private let work = Work.current ?? Work()

  init(_ one: ObjectGraph, _ other: ObjectGraph) {
    self.one = one
    self.other = other
    work.grant((one.count + other.count) * Budget.comparison.allowance, of: .comparison)
  }

  /// Unpaired indices by color, each used once: one with the same key if there is one, otherwise the lowest.
  private static func unmatched(
    _ one: ObjectGraph, _ other: ObjectGraph, without unpaired: (Set<Int>, Set<Int>)
  ) -> (one: [Int], other: [Int]) {
    var rest: [Int] = []
    var isMatched = [Bool](repeating: false, count: other.count)
    for index in one.colours.indices where !unpaired.0.contains(index) {
      if let twin = one.twin(of: index, in: other), other.colours[twin] == one.colours[index],
        !unpaired.1.contains(twin)
      {
        isMatched[twin] = true
      } else {
        rest.append(index)
      }
    }
    var waiting: [UInt64: [Int32]] = [:]
    for index in other.colours.indices.reversed()
    where !isMatched[index] && !unpaired.1.contains(index) {
      waiting[other.colours[index], default: []].append(Int32(index))
    }
    let without = rest.filter { waiting[one.colours[$0]]?.popLast() == nil }
    let others = waiting.values.joined().map { Int($0) }.sorted()
    return (without, others)
  }

  // MARK: Attributes

  /// Pairs objects with different attributes that are probably the same: with the same key, or the most similar.
  mutating func pairByAttributes(
    _ first: borrowing StoreReader, _ second: borrowing StoreReader,
    _ compared: [String: Set<String>], as names: ModelCorrespondence
  ) throws {
    let (left, right) = Self.unmatched(one, other, without: ([], []))
    let leftByEntity = Dictionary(grouping: left) { one.entityName(at: $0) }
    let rightByEntity = Dictionary(grouping: right) { other.entityName(at: $0) }
    for entity in Set(leftByEntity.keys).union(rightByEntity.keys).sorted() {
      let indices = leftByEntity[entity] ?? []
      var candidates = rightByEntity[entity] ?? []
      let own = try first.attributes(
        of: indices.map { one.keys[$0] }, entity, compared[entity] ?? [], as: .byName)
      let stored = candidates.first.map { other.storedEntityName(at: $0) } ?? entity
      let theirs = try second.attributes(
        of: candidates.map { other.keys[$0] }, stored, compared[entity] ?? [], as: names)
      let keyed =
        names.rekeyed.contains(entity)
        ? [:] : Dictionary(first: candidates.map { (other.keys[$0], $0) })
      var matched: Set<Int> = []
      for index in indices {
        try Interruption.check()
        let key = one.keys[index]
        let values = own[key] ?? [:]
        var partner = keyed[key]
        if partner == nil, candidates.count <= Self.searchLimit {
          candidates.removeAll {
            matched.contains($0) || !keyed.isEmpty && own[other.keys[$0]] != nil
          }
          try work.spend(candidates.count, of: .comparison)
          partner = Self.mostAlike(values, candidates.map { theirs[other.keys[$0]] ?? [:] })
            .map { candidates[$0] }
        }
        guard let partner, matched.insert(partner).inserted else {
          unpairedInOne.insert(index)
          continue
        }
        let otherValues = theirs[other.keys[partner]] ?? [:]
        let names = values.keys.filter { values[$0] != otherValues[$0] }
          .sorted { $0.precedesInBytes($1) }
        changed[index] = Found(
          partner: partner, properties: names,
          values: Dictionary(
            uniqueKeysWithValues: names.map {
              ($0, (values[$0] ?? .null, otherValues[$0] ?? .null))
            }))
        other.colours[partner] = one.colours[index]
      }
      unpairedInOther.formUnion((rightByEntity[entity] ?? []).filter { !matched.contains($0) })
    }
  }

  /// Searching for the most similar takes quadratic time.
  private static let searchLimit = 200

  /// The object with the most equal values, at least half of them.
  private static func mostAlike(
    _ own: [String: AttributeValue], _ others: [[String: AttributeValue]]
  ) -> Int? {
    guard !own.isEmpty else { return nil }
    let agreements = others.map { theirs in own.count { theirs[$0.key] == $0.value } }
    guard let best = agreements.indices.max(by: { agreements[$0] < agreements[$1] }),
      agreements[best] * 2 >= own.count
    else { return nil }
    return best
  }

  // MARK: Relationships

  /// One round through relationships.
  ///
  /// - Returns: Whether another round may find more.
  mutating func refine() throws -> Bool {
    try Interruption.check()
    WorkProgress.report("comparing relationships")
    try work.spend(one.visitsOfRound + other.visitsOfRound, of: .comparison)
    let (before, otherBefore) = (one, other)
    one.refine()
    other.refine()
    let (left, right) = Self.unmatched(one, other, without: (unpairedInOne, unpairedInOther))
    guard left.isEmpty, right.isEmpty else {
      try pair(left, right, before, otherBefore)
      return false
    }
    let colours = Set(one.colours).count
    defer { distinct = colours }
    return colours != distinct
  }

  /// Objects that were equal until this round: their relationships differ.
  private mutating func pair(
    _ left: [Int], _ right: [Int], _ before: ObjectGraph, _ otherBefore: ObjectGraph
  ) throws {
    var free = Set(right)
    func take(_ index: Int, _ partner: Int) throws {
      try Interruption.check()
      free.remove(partner)
      var change = changed[index] ?? Found(partner: partner, properties: [])
      change.properties += before.differingRelationships(index, from: otherBefore, at: partner)
      changed[index] = change
    }
    var rest: [Int] = []
    for index in left {
      // Pairs from earlier rounds first, then objects with equal keys.
      let twin = changed[index]?.partner ?? before.twin(of: index, in: otherBefore)
      if let twin, free.contains(twin), otherBefore.colours[twin] == before.colours[index] {
        try take(index, twin)
      } else {
        rest.append(index)
      }
    }
    var waiting = Dictionary(grouping: free.sorted(by: >)) { otherBefore.colours[$0] }
    for index in rest where changed[index] == nil {
      if let partner = waiting[before.colours[index]]?.popLast() { try take(index, partner) }
    }
    unpairedInOne.formUnion(left.filter { changed[$0] == nil })
    unpairedInOther.formUnion(free)
  }

  // MARK: Result

  func differences() -> [String: StoreDifference.EntityDifference] {
    var found: [String: StoreDifference.EntityDifference] = [:]
    func object(_ index: Int, in graph: ObjectGraph) -> ObjectRef {
      .init(entity: graph.storedEntityName(at: index), key: graph.keys[index])
    }
    func note(_ entity: String, _ change: (inout StoreDifference.EntityDifference) -> Void) {
      // In place, to avoid copying all earlier results.
      change(&found[entity, default: .init(entity: entity)])
    }
    for index in one.colours.indices {
      let own = object(index, in: one)
      note(one.entityName(at: index)) { difference in
        if unpairedInOne.contains(index) {
          difference.onlyInFirst.append(own)
        } else if let change = changed[index] {
          difference.changed.append(
            .init(
              first: own, second: object(change.partner, in: other),
              properties: change.properties, values: change.values))
        } else {
          difference.same += 1
        }
      }
    }
    for index in unpairedInOther.sorted() {
      let unpaired = object(index, in: other)
      note(other.entityName(at: index)) { $0.onlyInSecond.append(unpaired) }
    }
    return found
  }
}

extension StoreReader {
  /// The attributes of some objects by key.
  fileprivate func attributes(
    of keys: [Int64], _ entity: String, _ properties: Set<String>, as names: ModelCorrespondence
  ) throws -> [Int64: [String: AttributeValue]] {
    guard !keys.isEmpty, let shape = shape(of: entity) else { return [:] }
    let wanted = Set(keys)
    // SQLite limits the length of lists.
    let selected = keys.count <= 500 ? wanted : nil
    let indices = ObjectGraph.attributes(of: shape, among: properties, as: names)
    var found: [Int64: [String: AttributeValue]] = [:]
    try forEachRow(of: entity, among: selected, readsInvalidText: true) { row in
      guard wanted.contains(row.key) else { return }
      found[row.key] = Dictionary(
        uniqueKeysWithValues: indices.map { ($0.name, row.values[$0.index].comparable) })
    }
    return found
  }
}
