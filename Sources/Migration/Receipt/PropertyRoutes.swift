internal import StrataBase
internal import StrataExpressions
internal import StrataMapping
internal import StrataObjectModel

/// The sources and destinations of each stored attribute of a hop, from its entity mappings and policies.
struct PropertyRoutes {
  typealias Property = Receipt.Property

  /// An attribute that is copied unchanged or to another number type.
  struct Copy: Hashable {
    var source: Property
    var destination: Property
    var from: AttributeType
    var to: AttributeType
  }

  /// The origin of an attribute's values, other than a copy.
  struct Computation {
    var sources: Set<Property> = []
    var policy: String?
    /// Whether a stage sets values that it does not compute from the sources.
    var isSetByStage = false
  }

  /// The attributes of concrete entities.
  private(set) var sources: [Property] = []
  private(set) var destinations: [Property] = []
  private(set) var copies: Set<Copy> = []
  /// The computations, by destination; a copy of the same attribute is not included.
  private(set) var computed: [Property: Computation] = [:]
  /// Attributes that a computation reads.
  private(set) var read: Set<Property> = []
  /// The entity mappings that copy a source attribute or compute from it, by index among all of the hop.
  private(set) var readers: [Property: Set<Int>] = [:]
  /// Those that make a copy.
  private var copiers: [Copy: Set<Int>] = [:]
  /// The index of the entity mapping that is followed.
  private var current: Int?
  /// Attributes by which a policy looks for objects, with its name: where it finds none, nothing has their values.
  private(set) var searched: [Property: String] = [:]
  /// Policies that can read any property, by source entity.
  private(set) var unknownPolicies: [String: String] = [:]
  /// Source entities that no entity mapping creates objects from.
  private(set) var lostEntities: Set<String> = []

  private let hop: MigrationPlan.Hop
  private let sourcesByEntity: [String: [Property]]
  private let destinationsByEntity: [String: [Property]]

  /// - Parameter effects: The effects of policies.
  init(_ hop: MigrationPlan.Hop, effects: [PolicyUse: PolicyEffect] = [:]) {
    self.hop = hop
    sources = Self.attributes(of: hop.from.model)
    destinations = Self.attributes(of: hop.to.model)
    sourcesByEntity = Dictionary(grouping: sources, by: \.entity)
    destinationsByEntity = Dictionary(grouping: destinations, by: \.entity)
    let continued = hop.parts.flatMap { part in part.mapping.entityMappings.map { (part, $0) } }
      .enumerated().compactMap { index, item in
        let (part, mapping) = item
        return mapping.destinationName.flatMap { hop.to.model[$0] }?.isAbstract == false
          ? (
            index: index, mapping: mapping,
            effect: hop.policyUse(of: mapping, in: part).flatMap { effects[$0] }
          )
          : nil
      }
    lostEntities = Set(hop.from.model.entityNames)
      .subtracting(continued.compactMap(\.mapping.sourceName))
    for (index, mapping, effect) in continued {
      current = index
      follow(mapping, effect)
    }
    for (index, mapping, effect) in continued {
      guard let effect, let source = mapping.sourceName else { continue }
      current = index
      followCreated(effect, from: source)
    }
    current = nil
    // An attribute that one entity mapping copies and another computes comes from both.
    for copy in copies where computed[copy.destination] != nil {
      computed[copy.destination]?.sources.insert(copy.source)
      read.insert(copy.source)
    }
    var carried: [Property: Set<Property>] = [:]
    for change in (hop.stage?.will.changes ?? []) { changeSources(change, &carried) }
    for change in (hop.stage?.did.changes ?? []) { changeDestinations(change) }
    for property in destinations where isDerived(property) { derive(property) }
    copies = copies.filter { computed[$0.destination] == nil }
  }

  private static func attributes(of model: ObjectModel) -> [Property] {
    model.entityNames.filter { model[$0]?.isAbstract == false }.flatMap { entity in
      model.allStoredAttributes(of: entity).map { Property(entity: entity, name: $0.name) }
    }
  }

  /// Core Data computes it again, or a stage sets it, regardless of the copied value.
  private mutating func derive(_ property: Property) {
    let copied = copies.filter { $0.destination == property }.map(\.source)
    computed[property, default: Computation()].sources.formUnion(copied)
    read.formUnion(copied)
  }

  private func isDerived(_ property: Property) -> Bool {
    hop.to.model.storedAttribute(property.name, of: property.entity)?.owner.isDerived == true
  }

  // MARK: Entity mappings

  private mutating func follow(_ mapping: EntityMapping, _ effect: PolicyEffect?) {
    guard let destination = mapping.destinationName else { return }
    guard let source = mapping.sourceName else { return }
    let copied = CopiedAttributes(mapping, from: hop.from.model, to: hop.to.model)
    var found: Set<Copy> = []
    for property in mapping.attributeMappings {
      guard let expression = property.expression,
        effect?.replaced.contains(property.name) != true
      else { continue }
      if let pairs = copied.pairs(property) {
        for (old, new) in pairs {
          found.insert(
            Copy(
              source: Property(entity: source, name: old.name),
              destination: Property(entity: destination, name: new.name), from: old.type,
              to: new.type))
        }
      } else {
        compute(property.name, of: destination, from: expression.pathsOfSource, of: source)
      }
    }
    // A value continues in one attribute of its object; it is the origin of the others.
    for (old, several) in Dictionary(grouping: found, by: \.source) {
      let first =
        several.first { $0.destination.name == old.name }
        ?? several.min { $0.destination < $1.destination }
      for copy in several where copy != first {
        compute(copy.destination.name, of: destination, from: [[old.name]], of: source)
      }
      if let first {
        copies.insert(first)
        noteReaders(of: [old])
        if let current { copiers[first, default: []].insert(current) }
      }
    }
    guard let effect else { return }
    follow(effect, from: source, to: destination)
  }

  private mutating func follow(
    _ effect: PolicyEffect, from source: String, to destination: String
  ) {
    if !effect.isKnown {
      unknownPolicies[source] = effect.name
      noteReaders(of: sourcesByEntity[source] ?? [])
    }
    for (entity, attribute, paths) in effect.computed where entity == nil {
      compute(attribute, of: destination, from: paths, of: source, policy: effect.name)
    }
    let given = attributes(
      under: effect.given { !leaves(below: $0, of: destination).isEmpty }, of: source)
    let searched = attributes(under: effect.searched, of: source)
    read.formUnion(given)
    noteReaders(of: given.union(searched))
    for property in searched { self.searched[property] = effect.name }
  }

  private mutating func noteReaders(of properties: some Sequence<Property>) {
    guard let current else { return }
    for property in properties { readers[property, default: []].insert(current) }
  }

  /// The entity mappings that copy a source attribute into one that none computes.
  func copiers(of property: Property) -> Set<Int> {
    copies.reduce(into: []) { found, copy in
      if copy.source == property { found.formUnion(copiers[copy] ?? []) }
    }
  }

  /// Adds the attributes of objects that a policy creates, unless values of the source continue in them too.
  private mutating func followCreated(_ effect: PolicyEffect, from source: String) {
    for (entity, attribute, paths) in effect.computed {
      guard let entity,
        !copies.contains(where: { $0.destination == Property(entity: entity, name: attribute) })
      else { continue }
      compute(attribute, of: entity, from: paths, of: source, policy: effect.name)
    }
  }

  /// - Parameter paths: The key paths that are read; `nil` if they are unknown.
  private mutating func compute(
    _ attribute: String, of destination: String, from paths: Set<[String]>?, of source: String,
    policy: String? = nil
  ) {
    let leaves = leaves(below: attribute, of: destination)
    // A transient attribute keeps no value.
    guard !leaves.isEmpty else { return }
    let found = attributes(under: paths ?? [], of: source)
    read.formUnion(found)
    noteReaders(of: paths == nil ? sourcesByEntity[source] ?? [] : Array(found))
    for leaf in leaves {
      computed[leaf, default: Computation()].sources.formUnion(found)
      if let policy { computed[leaf]?.policy = policy }
    }
  }

  /// The stored attributes that key paths read from the object itself, also by a key of their values, such as
  /// `title.integerValue`.
  private func attributes(under paths: Set<[String]>, of entity: String) -> Set<Property> {
    Set(
      (sourcesByEntity[entity] ?? []).filter { property in
        let keys = property.name.split(separator: ".").map(String.init)
        return paths.contains { ReadPaths.doesRead($0, keys) }
      })
  }

  private func leaves(below path: String, of entity: String) -> [Property] {
    (destinationsByEntity[entity] ?? []).filter { $0.name.isPath(atOrBelow: path) }
  }

  // MARK: Stages

  /// Adds the attributes of the old store that a stage sets, in its objects and in linked objects. Such an
  /// attribute comes from the attributes from which the value is computed or, without these, from itself.
  ///
  /// - Parameter carried: The attributes whose values removed attributes have got.
  private mutating func changeSources(
    _ change: StageChange, _ carried: inout [Property: Set<Property>]
  ) {
    let model = hop.from.model
    for entity in model.familyNames(of: change.entity) {
      for given in change.copies where !given.isSearched {
        let owners = given.entity.map { model.familyNames(of: $0) } ?? [entity]
        let named = attributes(under: given.sources, of: entity)
        let found = named.reduce(into: named) { $0.formUnion(carried[$1] ?? []) }
        let target = Property(entity: entity, name: given.target[0])
        if given.entity == nil, !copies.contains(where: { $0.source == target }) {
          carried[target, default: []].formUnion(found)
        }
        for copy in copies
        where owners.contains(copy.source.entity)
          && given.target.last == String(copy.source.name.prefix { $0 != "." })
        {
          let sources = found.isEmpty ? [copy.source] : found
          computed[copy.destination, default: Computation()].sources.formUnion(sources)
          computed[copy.destination]?.isSetByStage = found.isEmpty
          read.formUnion(sources.union([copy.source]))
        }
      }
    }
  }

  private mutating func changeDestinations(_ change: StageChange) {
    for entity in hop.to.model.familyNames(of: change.entity) {
      for given in change.copies where given.entity == nil {
        for leaf in leaves(below: given.target[0], of: entity) {
          derive(leaf)
          let keys = leaf.name.split(separator: ".").map(String.init)
          computed[leaf]?.isSetByStage = !given.sources.contains { ReadPaths.doesRead($0, keys) }
        }
      }
    }
  }
}
