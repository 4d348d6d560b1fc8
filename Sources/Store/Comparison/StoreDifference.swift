internal import StrataObjectModel
internal import StrataValues

/// What two stores hold that the other does not, object by object, whatever their keys.
///
/// ```swift
/// let difference = try StoreDifference(between: before, and: after)
/// difference.isEmpty  // the same objects, attributes and relationships
/// ```
///
/// Objects are told apart by their attributes and by what their relationships lead to, and so on through
/// the graph. Objects that no walk through relationships tells apart count as equal.
public struct StoreDifference: Sendable {
  /// An object of either store.
  public struct Object: Sendable, Hashable {
    public var entity: String
    public var key: Int64
  }

  /// An object that both stores have, with other values.
  public struct Change: Sendable, Hashable {
    public var first: Object
    public var second: Object
    /// The attributes, or the relationships where all attributes are the same.
    public var properties: [String]
  }

  public struct EntityDifference: Sendable {
    public var entity: String
    public var same = 0
    public var changed: [Change] = []
    public var onlyInFirst: [Object] = []
    public var onlyInSecond: [Object] = []
    /// Properties that only one of the models has: they are not compared.
    public var notCompared: [String] = []

    public var isEmpty: Bool { changed.isEmpty && onlyInFirst.isEmpty && onlyInSecond.isEmpty }
  }

  public let entities: [EntityDifference]

  public var isEmpty: Bool { entities.allSatisfy(\.isEmpty) }

  /// Rounds end when no more objects are told apart; a chain as long as this is followed to its end.
  private static let roundLimit = 1000

  /// - Throws: ``StoreError`` where one cannot be read.
  public init(
    between first: borrowing StoreReader, and second: borrowing StoreReader
  ) throws {
    let (compared, notCompared) = Self.properties(of: first.model, and: second.model)
    var one = try ObjectGraph(first, comparing: compared)
    var other = try ObjectGraph(second, comparing: compared)
    var (one0, other0) = (one, other)
    var matching = Matching(one, other)
    var distinct = matching.distinct
    for _ in 0..<Self.roundLimit where matching.isComplete {
      (one0, other0) = (one, other)
      one.refine()
      other.refine()
      matching = Matching(one, other)
      if matching.distinct == distinct { break }
      distinct = matching.distinct
    }
    var found: [String: EntityDifference] = [:]
    for entity in Set(first.layout.entityOrder).union(second.layout.entityOrder) {
      found[entity] = EntityDifference(
        entity: entity, notCompared: (notCompared[entity] ?? []).sorted())
    }
    for (place, isMatched) in zip(one.entities.indices, matching.first) where isMatched {
      found[one.entityNames[Int(one.entities[place])]]?.same += 1
    }
    try Self.pair(
      Unmatched(one0, matching.first), Unmatched(other0, matching.second), first, second, compared,
      into: &found)
    entities = found.values.sorted { $0.entity.precedesInBytes($1.entity) }
  }

  /// For each entity of both models the properties that both have, and those that one has alone.
  private static func properties(
    of first: ObjectModel, and second: ObjectModel
  ) -> (both: [String: Set<String>], one: [String: Set<String>]) {
    func names(_ model: ObjectModel, _ entity: String) -> Set<String> {
      let attributes = model.allAttributes(of: entity).map(\.property).filter { !$0.isTransient }
      let relationships = model.allRelationships(of: entity).map(\.property).filter {
        !$0.isTransient
      }
      return Set(attributes.flatMap { model.storedNames(of: $0) } + relationships.map(\.name))
    }
    var both: [String: Set<String>] = [:]
    var one: [String: Set<String>] = [:]
    for entity in Set(first.entityNames).union(second.entityNames) {
      let (own, theirs) = (names(first, entity), names(second, entity))
      both[entity] = own.intersection(theirs)
      if first[entity] != nil, second[entity] != nil {
        one[entity] = own.symmetricDifference(theirs)
      }
    }
    return (both, one)
  }

  /// Objects that found no partner, by entity.
  private struct Unmatched {
    let graph: ObjectGraph
    var places: [String: [Int]] = [:]

    init(_ graph: ObjectGraph, _ isMatched: [Bool]) {
      self.graph = graph
      for place in isMatched.indices where !isMatched[place] {
        places[graph.entityNames[Int(graph.entities[place])], default: []].append(place)
      }
    }
  }

  /// Objects without a partner that are likely the same one: of one key, or most alike.
  private static func pair(
    _ one: Unmatched, _ other: Unmatched, _ first: borrowing StoreReader,
    _ second: borrowing StoreReader, _ compared: [String: Set<String>],
    into found: inout [String: EntityDifference]
  ) throws {
    for entity in Set(one.places.keys).union(other.places.keys) {
      let left = one.places[entity] ?? []
      var right = other.places[entity] ?? []
      let values = try (
        first.attributes(of: left.map { one.graph.keys[$0] }, entity, compared[entity] ?? []),
        second.attributes(of: right.map { other.graph.keys[$0] }, entity, compared[entity] ?? [])
      )
      for place in left {
        let key = one.graph.keys[place]
        let own = values.0[key] ?? [:]
        let partner =
          right.firstIndex { other.graph.keys[$0] == key }
          ?? Self.mostAlike(own, right.map { values.1[other.graph.keys[$0]] ?? [:] })
        guard let partner else {
          found[entity]?.onlyInFirst.append(Object(entity: entity, key: key))
          continue
        }
        let theirPlace = right.remove(at: partner)
        let theirKey = other.graph.keys[theirPlace]
        let theirs = values.1[theirKey] ?? [:]
        var properties = own.keys.filter { own[$0] != theirs[$0] }.sorted { $0.precedesInBytes($1) }
        if properties.isEmpty {
          properties = one.graph.differingRelationships(place, from: other.graph, at: theirPlace)
        }
        found[entity]?.changed.append(
          Change(
            first: Object(entity: entity, key: key), second: Object(entity: entity, key: theirKey),
            properties: properties))
      }
      found[entity]?.onlyInSecond += right.map {
        Object(entity: entity, key: other.graph.keys[$0])
      }
    }
  }

  /// Looking for the most alike takes time that grows with the square.
  private static let searchLimit = 200

  /// The one with which at least half of the values agree.
  private static func mostAlike(
    _ own: [String: AttributeValue], _ others: [[String: AttributeValue]]
  ) -> Int? {
    guard !own.isEmpty, others.count <= searchLimit else { return nil }
    let agreements = others.map { theirs in own.count { theirs[$0.key] == $0.value } }
    guard let best = agreements.indices.max(by: { agreements[$0] < agreements[$1] }),
      agreements[best] * 2 >= own.count
    else { return nil }
    return best
  }
}

/// Which objects of two graphs have a partner of the same colour, each used once.
private struct Matching {
  private(set) var first: [Bool]
  private(set) var second: [Bool]
  /// How many colours the first graph has.
  let distinct: Int

  init(_ one: ObjectGraph, _ other: ObjectGraph) {
    var waiting: [UInt64: [Int32]] = [:]
    waiting.reserveCapacity(other.count)
    // The lowest places are taken first.
    for place in other.colours.indices.reversed() {
      waiting[other.colours[place], default: []].append(Int32(place))
    }
    first = Array(repeating: false, count: one.count)
    second = Array(repeating: false, count: other.count)
    for (place, colour) in one.colours.enumerated() {
      guard let partner = waiting[colour]?.popLast() else { continue }
      first[place] = true
      second[Int(partner)] = true
    }
    distinct = Set(one.colours).count
  }

  var isComplete: Bool { !first.contains(false) && !second.contains(false) }
}

extension StoreReader {
  /// The attributes of some objects by key.
  fileprivate func attributes(
    of keys: [Int64], _ entity: String, _ properties: Set<String>
  ) throws -> [Int64: [String: AttributeValue]] {
    guard !keys.isEmpty, let shape = shape(of: entity) else { return [:] }
    let wanted = Set(keys)
    let places = ObjectGraph.attributes(of: shape, among: properties)
    var found: [Int64: [String: AttributeValue]] = [:]
    try forEachRow(of: entity) { row in
      guard wanted.contains(row.key) else { return }
      found[row.key] = Dictionary(
        uniqueKeysWithValues: places.map { (shape.names[$0], row.values[$0].comparable) })
    }
    return found
  }
}
