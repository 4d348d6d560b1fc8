internal import StrataObjectModel
internal import StrataSQLite
public import StrataValues

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
  public struct Change: Sendable {
    public var first: Object
    public var second: Object
    /// Attributes and relationships.
    public var properties: [String]
    /// By attribute, what the first and the second store have.
    public var values: [String: (first: AttributeValue, second: AttributeValue)]
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

  /// Rounds end when no more objects are told apart, or when so many objects have been looked at.
  private static let workLimit = 20_000_000
  /// Whether the walk through relationships came to its end: a longer chain may hide a difference.
  public let isExhaustive: Bool

  /// - Parameter allowsMissingFiles: Whether binary data whose file is missing is compared by the name of the
  ///   file; else it cannot be read.
  /// - Throws: ``StoreError`` where one cannot be read.
  public init(
    between first: borrowing StoreReader, and second: borrowing StoreReader,
    allowsMissingFiles: Bool = false
  ) throws {
    let (compared, notCompared) = Self.properties(of: first.model, and: second.model)
    let unordered = Self.unordered(first.model, second.model)
    var search = DifferenceSearch(
      try ObjectGraph(
        first, comparing: compared, unordered: unordered, allowsMissingFiles: allowsMissingFiles),
      try ObjectGraph(
        second, comparing: compared, unordered: unordered, allowsMissingFiles: allowsMissingFiles))
    // Objects of other attributes first; those that are likely the same count as the same from then on,
    // so that what leads to them does not differ for that.
    try search.pairByAttributes(
      first, second, compared, allowsMissingFiles: allowsMissingFiles)
    var work = 0
    var hasMore = true
    while hasMore, work < Self.workLimit {
      hasMore = try search.refine()
      work += search.objectCount
    }
    isExhaustive = !hasMore
    var found = search.differences()
    for entity in Set(first.layout.entityOrder).union(second.layout.entityOrder) {
      found[entity, default: EntityDifference(entity: entity)].notCompared =
        (notCompared[entity] ?? []).sorted()
    }
    entities = found.values.sorted { $0.entity.precedesInBytes($1.entity) }
  }

  /// For each entity of both models the properties that both have, and those that one has alone.
  private static func properties(
    of first: ObjectModel, and second: ObjectModel
  ) -> (both: [String: Set<String>], one: [String: Set<String>]) {
    /// An attribute is not the relationship of its name.
    struct Property: Hashable {
      var name: String
      var isAttribute: Bool
    }
    func properties(_ model: ObjectModel, _ entity: String) -> Set<Property> {
      let attributes = model.allAttributes(of: entity).map(\.property).filter { !$0.isTransient }
        .flatMap { model.storedNames(of: $0) }.map { Property(name: $0, isAttribute: true) }
      let relationships = model.allRelationships(of: entity).map(\.property)
        .filter { !$0.isTransient }.map { Property(name: $0.name, isAttribute: false) }
      return Set(attributes + relationships)
    }
    var both: [String: Set<String>] = [:]
    var one: [String: Set<String>] = [:]
    for entity in Set(first.entityNames).union(second.entityNames) {
      let (own, theirs) = (properties(first, entity), properties(second, entity))
      both[entity] = Set(own.intersection(theirs).map(\.name))
      if first[entity] != nil, second[entity] != nil {
        one[entity] = Set(own.symmetricDifference(theirs).map(\.name))
      }
    }
    return (both, one)
  }

  /// Relationships that are ordered in one of the models only: their order is not compared.
  private static func unordered(_ first: ObjectModel, _ second: ObjectModel) -> Set<String> {
    var names: Set<String> = []
    for entity in first.entities {
      for relationship in entity.relationships {
        let other = second[entity.name]?.relationships.first { $0.name == relationship.name }
        if let other, other.isOrdered != relationship.isOrdered {
          names.insert("\(entity.name).\(relationship.name)")
        }
      }
    }
    return names
  }
}
