internal import StrataBase
internal import StrataExpressions
internal import StrataObjectModel

/// The objects of a store as a colored graph, to compare two stores independently of their keys.
///
/// The initial color is a hash of an object's entity and attributes; each round mixes in the colors of the objects
/// that its relationships refer to. Equal stores have equal colors in every round.
struct ObjectGraph {
  /// A relationship as adjacency lists: the destinations of one object are contiguous, in their order.
  private struct Edges {
    var isOrdered = false
    var sources: [Int32] = []
    var targets: [Int32] = []

    mutating func add(_ source: Int32, _ target: Int32) {
      sources.append(source)
      targets.append(target)
    }
  }

  /// For each root entity, the ascending keys, and the index of the first object.
  private var tables: [String: (keys: [Int64], start: Int)] = [:]
  private(set) var entities: [Int32] = []
  /// The names as compared.
  let entityNames: [String]
  /// The names in the store.
  private let storedEntityNames: [String]
  private let rootNames: [String: String]
  private(set) var keys: [Int64] = []
  var colours: [UInt64] = []
  private var edges: [(property: PropertyID, edges: Edges)] = []
  private let ignoresDangling: Bool

  /// The destination of a link to an object that does not exist. All of them are equal.
  private static let missing: Int32 = -1

  private func colour(of target: Int32) -> UInt64 {
    target == Self.missing ? 0 : colours[Int(target)]
  }

  var count: Int { colours.count }

  /// The number of objects and links that a round visits, at least 1.
  var visitsOfRound: Int { edges.reduce(count + 1) { $0 + $1.edges.sources.count } }

  func entityName(at index: Int) -> String { entityNames[Int(entities[index])] }

  func storedEntityName(at index: Int) -> String { storedEntityNames[Int(entities[index])] }

  /// - Parameters:
  ///   - properties: For each entity, the names of the properties that are compared.
  ///   - unordered: Relationships whose order is ignored: `TopicList.topics`.
  ///   - names: The names under which entities and properties are compared.
  ///   - ignoresDangling: Whether a link to an object that does not exist counts as none.
  init(
    _ reader: borrowing StoreReader, comparing properties: [String: Set<String>],
    unordered: Set<PropertyID>, as names: ModelCorrespondence = .byName, ignoresDangling: Bool
  ) throws {
    self.ignoresDangling = ignoresDangling
    let model = reader.model
    let storedNames = reader.layout.entityOrder
    storedEntityNames = storedNames
    entityNames = storedNames.map { names.entity($0) }
    rootNames = Dictionary(
      first: storedNames.map { (names.entity($0), names.entity(model.rootName(of: $0))) })
    let families = Dictionary(grouping: storedNames.enumerated()) { model.rootName(of: $1) }
    for root in reader.layout.tables.map(\.rootEntity) {
      let start = colours.count
      var rows: [(key: Int64, entity: Int32, colour: UInt64)] = []
      for (number, stored) in families[root] ?? [] {
        guard let shape = reader.shape(of: stored) else { continue }
        let entity = names.entity(stored)
        let compared = Self.attributes(of: shape, among: properties[entity] ?? [], as: names)
          .map(\.index)
        try reader.forEachRow(of: stored, readsInvalidText: true) { row in
          var hasher = Hasher()
          hasher.combine(entity)
          for index in compared { hasher.combine(row.values[index].comparable) }
          if rows.count % 1000 == 0 { try Interruption.check() }
          rows.append((row.key, Int32(number), UInt64(bitPattern: Int64(hasher.finalize()))))
        }
      }
      rows.sort { $0.key < $1.key }
      tables[names.entity(root)] = (rows.map(\.key), start)
      keys += rows.map(\.key)
      entities += rows.map(\.entity)
      colours += rows.map(\.colour)
    }
    for stored in storedNames {
      for relationship in model[stored]?.relationships ?? [] where !relationship.isTransient {
        let declared = Declared(property: relationship, declaringEntity: stored)
        edges += try edges(
          of: declared, among: properties, unordered: unordered, in: reader, as: names)
      }
    }
    // Each round processes the relationships in the same order in both stores.
    edges.sort { $0.property < $1.property }
  }

  /// The attributes sorted by name: two models may declare them in different orders.
  static func attributes(
    of shape: StoreRowShape, among properties: Set<String>, as names: ModelCorrespondence
  ) -> [(index: Int, name: String)] {
    shape.names.indices.compactMap { index in
      guard case .attribute = shape.contents[index] else { return nil }
      let name = names.property(shape.names[index], of: shape.entity)
      return properties.contains(name) ? (index, name) : nil
    }.sorted { $0.name.precedesInBytes($1.name) }
  }

  /// The index, in another graph, of the object with the same key in the same table.
  func twin(of index: Int, in other: ObjectGraph) -> Int? {
    guard let root = rootNames[entityName(at: index)] else { return nil }
    return other.index(of: keys[index], in: root)
  }

  private func index(of key: Int64, in root: String) -> Int? {
    guard let (keys, start) = tables[root] else { return nil }
    let index = keys.partitioningIndex { $0 >= key }
    return index < keys.count && keys[index] == key ? start + index : nil
  }

  /// The edges of a relationship by the entities of their sources: two models may declare it at another level.
  private func edges(
    of relationship: Declared<Relationship>, among properties: [String: Set<String>],
    unordered: Set<PropertyID>, in reader: borrowing StoreReader, as names: ModelCorrespondence
  ) throws -> [(property: PropertyID, edges: Edges)] {
    let own = names.entity(reader.model.rootName(of: relationship.declaringEntity))
    let other = names.entity(reader.model.rootName(of: relationship.property.destinationName))
    var found: [Int32: Edges] = [:]
    try reader.forEachDestination(of: relationship) { source, target in
      guard let from = index(of: source, in: own) else { return }
      let to = index(of: target, in: other).map { Int32($0) }
      if to == nil, ignoresDangling { return }
      found[entities[from], default: Edges()].add(Int32(from), to ?? Self.missing)
    }
    return found.compactMap { number, edges in
      let stored = storedEntityNames[Int(number)]
      let entity = names.entity(stored)
      let name = names.property(relationship.property.name, of: stored)
      guard properties[entity]?.contains(name) == true else { return nil }
      var edges = edges
      let property = PropertyID(entity: entity, name: name)
      edges.isOrdered = relationship.property.isOrdered && !unordered.contains(property)
      return (property, edges)
    }
  }

  /// One round: mixes the colors of its destinations into the color of each object.
  mutating func refine() {
    var refined = colours
    for (property, edges) in edges {
      let relationship = UInt64(bitPattern: Int64(property.hashValue))
      var index = 0
      while index < edges.sources.count {
        let source = edges.sources[index]
        var mixed = relationship
        var count: UInt64 = 0
        while index < edges.sources.count, edges.sources[index] == source {
          let colour = colour(of: edges.targets[index])
          count += 1
          // A sum ignores the order, a chained hash keeps it.
          mixed =
            edges.isOrdered
            ? Self.mix(mixed ^ colour) : mixed &+ Self.mix(colour ^ relationship)
          index += 1
        }
        refined[Int(source)] = Self.mix(refined[Int(source)] &+ Self.mix(mixed ^ count))
      }
    }
    colours = refined
  }

  private static func mix(_ value: UInt64) -> UInt64 {
    var random = SeededRandom(seed: value)
    return random.next()
  }

  /// The relationships of an object whose destinations differ in color from those of an object in another graph.
  func differingRelationships(_ index: Int, from other: ObjectGraph, at otherIndex: Int) -> [String]
  {
    let entity = entityName(at: index)
    // A relationship without links in a store has no edges there.
    return Set((edges + other.edges).map(\.property)).filter { $0.entity == entity }.sorted()
      .filter { targets(of: index, by: $0) != other.targets(of: otherIndex, by: $0) }.map(\.name)
  }

  private func targets(of index: Int, by property: PropertyID) -> [UInt64] {
    edges.first { $0.property == property }.map { targets(of: index, in: $0.edges) } ?? []
  }

  private func targets(of index: Int, in edges: Edges) -> [UInt64] {
    // The objects of a table are sorted by key, and so are the sources.
    let first = edges.sources.partitioningIndex { Int($0) >= index }
    let found = edges.sources[first...].prefix { Int($0) == index }.indices
      .map { colour(of: edges.targets[$0]) }
    return edges.isOrdered ? found : found.sorted()
  }
}
