package import StrataBase
internal import StrataObjectModel
internal import StrataSQLite

/// The differences of two stores, object by object, independent of keys.
///
/// ```swift
/// let other = try StoreReader(SQLiteStore(reading: "Other.sqlite"), model: model1)
/// let difference = try StoreDifference(between: reader, and: other)
/// difference.isEmpty  // true if all objects, attributes and relationships are the same
/// ```
///
/// Objects are distinguished by their attributes and by the objects that their relationships refer to, recursively.
/// Objects that cannot be distinguished so are equal.
package struct StoreDifference: Sendable {
  /// An object of both stores with different values.
  package struct Change: Sendable {
    package var first: ObjectRef
    package var second: ObjectRef
    /// Attributes and relationships.
    package var properties: [String]
    /// For each attribute, the values in the first and the second store.
    package var values: [String: (first: AttributeValue, second: AttributeValue)]
  }

  package struct EntityDifference: Sendable {
    package var entity: String
    package var same = 0
    package var changed: [Change] = []
    package var onlyInFirst: [ObjectRef] = []
    package var onlyInSecond: [ObjectRef] = []
    /// Properties of only one of the models, which are not compared.
    package var notCompared: [String] = []

    package var isEmpty: Bool { changed.isEmpty && onlyInFirst.isEmpty && onlyInSecond.isEmpty }
  }

  package let entities: [EntityDifference]

  package var isEmpty: Bool { entities.allSatisfy(\.isEmpty) }

  /// A link to an object that does not exist differs from no link, and equals any other such link.
  ///
  /// - Parameters:
  ///   - names: The names under which entities and properties of the second store are compared.
  ///   - ignoresDangling: Whether a link to an object that does not exist counts as none.
  /// - Throws: ``StoreError`` if one cannot be read, ``BudgetSpent`` if the walk through relationships does not
  ///   come to its end: a longer chain may hide a difference.
  package init(
    between first: borrowing StoreReader, and second: borrowing StoreReader,
    as names: ModelCorrespondence = .byName, ignoringDangling ignoresDangling: Bool = false
  ) throws {
    let (compared, notCompared) = Self.properties(of: first.model, and: second.model, names)
    let unordered = Self.unordered(first.model, second.model, names)
    var search = DifferenceSearch(
      try ObjectGraph(
        first, comparing: compared, unordered: unordered, ignoresDangling: ignoresDangling),
      try ObjectGraph(
        second, comparing: compared, unordered: unordered, as: names,
        ignoresDangling: ignoresDangling))
    // Objects with different attributes first; those that are probably the same count as equal from then on, so
    // that objects that refer to them do not differ for that reason.
    try search.pairByAttributes(first, second, compared, as: names)
    while try search.refine() {}
    var found = search.differences()
    for entity in notCompared.keys {
      found[entity, default: EntityDifference(entity: entity)].notCompared =
        (notCompared[entity] ?? []).map(ModelCorrespondence.shown).sorted()
    }
    entities = found.values.map { difference in
      var difference = difference
      difference.entity = ModelCorrespondence.shown(difference.entity)
      return difference
    }.sorted { $0.entity.precedesInBytes($1.entity) }
  }

  /// For each entity of both models, the common properties, and those of only one model.
  private static func properties(
    of first: ObjectModel, and second: ObjectModel, _ names: ModelCorrespondence
  ) -> (both: [String: Set<String>], one: [String: Set<String>]) {
    /// An attribute and a relationship with the same name are different properties.
    struct Property: Hashable {
      var name: String
      var isAttribute: Bool
    }
    func properties(
      _ model: ObjectModel, _ entity: String, _ names: ModelCorrespondence
    ) -> Set<Property> {
      let attributes = model.allAttributes(of: entity).map(\.property).filter { !$0.isTransient }
        .flatMap { model.storedNames(of: $0) }
        .map { Property(name: names.property($0, of: entity), isAttribute: true) }
      let relationships = model.allRelationships(of: entity).map(\.property)
        .filter { !$0.isTransient }
        .map { Property(name: names.property($0.name, of: entity), isAttribute: false) }
      return Set(attributes + relationships)
    }
    var both: [String: Set<String>] = [:]
    var one: [String: Set<String>] = [:]
    let continuing = Dictionary(first: second.entityNames.map { (names.entity($0), $0) })
    for entity in Set(first.entityNames).union(continuing.keys) {
      let other = continuing[entity]
      let own = properties(first, entity, .byName)
      let theirs = other.map { properties(second, $0, names) } ?? []
      both[entity] = Set(own.intersection(theirs).map(\.name))
      one[entity] =
        first[entity] != nil && other != nil
        ? Set(own.symmetricDifference(theirs).map(\.name)) : []
    }
    return (both, one)
  }

  /// Relationships that are ordered in one of the models only: their order is not compared.
  private static func unordered(
    _ first: ObjectModel, _ second: ObjectModel, _ names: ModelCorrespondence
  ) -> Set<PropertyID> {
    var unordered: Set<PropertyID> = []
    for entity in second.entityNames {
      let old = names.entity(entity)
      for relationship in second.allRelationships(of: entity).map(\.property) {
        let name = names.property(relationship.name, of: entity)
        if let other = first.relationship(name, of: old)?.property,
          other.isOrdered != relationship.isOrdered
        {
          unordered.insert(PropertyID(entity: old, name: name))
        }
      }
    }
    return unordered
  }
}
