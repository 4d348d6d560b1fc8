internal import StrataBase
internal import StrataMapping
internal import StrataObjectModel
internal import StrataSQLite
internal import StrataStore

/// The relationships of a source model, with the corresponding destination relationships.
///
/// A link between two source objects is lost if no destination relationship continues it. A policy changes that only
/// for the relationships that it may set. Of links that become equal because their objects are joined, one continues
/// all; links of a removed relationship have none that continues them.
struct LinkLedger {
  struct Entry {
    var old: Declared<Relationship>
    /// The destination relationships of it and of its inverse.
    var forward: [Declared<Relationship>] = []
    var backward: [Declared<Relationship>] = []
    /// The destination relationships whose objects do not come from those of the old one: an object with the same key is
    /// another one, so that they keep no link.
    var foreign: Set<PropertyID> = []
    /// The destination relationships of the same names that nothing sets, and no inverse of them either: a link has two
    /// directions, of which they lose one.
    var unset: Set<PropertyID> = []
    /// Whether one pair of destination relationships corresponds to both ends.
    var isOnePair = false
    /// The ends whose links are replaced by those of another source relationship, of which the rule keeps some.
    var overruled: [(old: Declared<Relationship>, by: Declared<Relationship>, rule: KeptLinkRule)] =
      []
    /// The end that becomes its own inverse, with the link rule and the source entities of its ends.
    var symmetric: (old: Declared<Relationship>, rule: KeptLinkRule, entities: [String])?
    /// Whether an entity mapping of either end has a policy.
    var isDecidedByPolicy = false
    /// Whether a policy may set other links, or use those that are not continued.
    var isSetByMapping = false
    /// Whether an expression that is not only another relationship sets the links.
    var isSetByExpression = false
    /// Whether a policy file sets links of a destination relationship.
    var isReplacedByPolicy = false
    /// Whether a policy file uses the links, which continue in what it makes of them.
    var isUsedByPolicy = false
    /// Whether a stage sets other links before the migration, to objects that may be there already.
    var isSetByStage = false
    /// Whether a stage sets links before the migration: those that it replaces, and does not use, are lost.
    var isChangedByStage = false
    /// Whether a policy can join objects of an end: the object that they become has the links of all.
    var canBeJoined = false
    /// Whether a link rule applies.
    var isChoice = false
    /// Whether it has an inverse with equal links.
    var hasInverse = false
    /// Whether filters leave some objects of either end to other mapping models.
    var isFiltered = false

    /// Whether links are set otherwise: the numbers of links before and after are not comparable.
    var isSet: Bool { isSetByMapping || isSetByExpression || isReplacedByPolicy || isSetByStage }

    /// Whether those links are lost that no link between the same objects continues.
    var isReplaced: Bool {
      (isSetByExpression || isReplacedByPolicy) && !(isReplacedByPolicy && isUsedByPolicy)
        && !isSetByMapping && !isSetByStage
    }

    /// Whether destination relationships continue it.
    var isContinued: Bool { !forward.isEmpty || !backward.isEmpty }

    /// The destination relationships of which one has a link that is kept, and those in the other direction, if they are
    /// migrated separately.
    var directions: (forward: [Declared<Relationship>], backward: [Declared<Relationship>]) {
      // Both directions of one pair have the same links.
      (forward, isOnePair && forward.count == 1 ? [] : backward)
    }

    /// Whether each link between two migrated objects is kept.
    var keepsLinks: Bool {
      (isOnePair || !hasInverse && !forward.isEmpty) && !isChoice && overruled.isEmpty
        && symmetric == nil && !isDecidedByPolicy && foreign.isEmpty && unset.isEmpty
    }

    /// The maximum number of kept links of an end that becomes its own inverse, or whose links are replaced; `nil` for
    /// other ends.
    ///
    /// - Parameter end: One of the two ends; `nil` for both.
    func limit(
      of end: Declared<Relationship>? = nil, in reader: borrowing StoreReader, _ counts: StoreCounts
    ) throws(StoreError) -> Int? {
      var limit: Int?
      for (old, other, rule) in overruled where end == nil || old == end {
        let selecting = rule.isSelective ? { rule.selecting($0) } : nil
        let shared = try reader.sharedLinkCount(of: old, andBack: other, counts, selecting)
        limit = min(limit ?? shared, shared)
      }
      if let (old, rule, entities) = symmetric, end == nil || old == end {
        limit = try reader.linkCount(of: old, among: entities, rule.selecting)
      }
      return limit
    }

    mutating func add(
      _ new: Declared<Relationship>, continuing end: Declared<Relationship>,
      in destination: ObjectModel
    ) {
      let inverse = destination.inverse(of: new.property)
      func isKnown(_ known: Declared<Relationship>) -> Bool { known == new || known == inverse }
      if end == old {
        if !forward.contains(where: isKnown) { forward.append(new) }
      } else if !backward.contains(where: isKnown) {
        backward.append(new)
      }
      isOnePair = isOnePair || forward.contains(where: isKnown) && backward.contains(where: isKnown)
    }
  }

  private(set) var entries: [Entry] = []
  let source: ObjectModel
  let destination: ObjectModel
  /// The source entities of entity mappings that create objects.
  let continuedEntities: Set<String>

  /// - Parameter effects: The effects of policies; missing ones have the default behavior.
  init(_ hop: MigrationPlan.Hop, effects: [PolicyUse: PolicyEffect] = [:]) {
    let (source, destination) = (hop.from.model, hop.to.model)
    self.source = source
    self.destination = destination
    continuedEntities = hop.continuedEntities
    var indices: [PropertyID: Int] = [:]
    for entity in source.entityNames.sorted() {
      for relationship in (source[entity]?.relationships ?? []).sorted(by: { $0.name < $1.name })
      where !relationship.isTransient {
        let end = Declared(property: relationship, declaringEntity: entity)
        guard indices[end.id] == nil else { continue }
        indices[end.id] = entries.count
        let inverse = source.inverse(of: relationship)
        if let inverse { indices[inverse.id] = entries.count }
        entries.append(Entry(old: end, hasInverse: inverse != nil))
      }
    }
    let continuedEnds = ContinuedEnds(
      entityMappings: hop.entityMappings, named: hop.isInferred ? [] : hop.entityMappings,
      source: source, destination: destination)
    let continuation = EntityContinuation(hop.entityMappings, from: source, to: destination)
    var computed: Set<PropertyID> = []
    // The relationships that an entity mapping continues, by source entity.
    var continued: [String: Set<PropertyID>] = [:]
    // The destination relationships that become their own inverses, by entry.
    var ownInverses: [Int: PropertyID] = [:]
    for mapping in hop.entityMappings {
      guard let from = mapping.sourceName, let to = mapping.destinationName else { continue }
      for property in mapping.relationshipMappings {
        guard let new = destination.relationship(property.name, of: to) else { continue }
        let old = property.expression.flatMap {
          RelationshipOrigin(
            $0, in: from, of: source, among: hop.isInferred ? [] : hop.entityMappings)
        }
        guard let old, let index = indices[old.relationship.id] else {
          guard let expression = property.expression else { continue }
          computed.insert(new.id)
          // A part of the links of one relationship, as of a subquery.
          let read = Set((expression.pathsOfSource ?? []).compactMap(\.first)).compactMap {
            source.relationship($0, of: from)
          }
          if read.count == 1, let index = indices[read[0].id],
            continuation.isContinued(
              from: read[0].property.destinationName, to: new.property.destinationName)
          {
            entries[index].add(new, continuing: read[0], in: destination)
          }
          continue
        }
        entries[index].add(new, continuing: old.relationship, in: destination)
        continued[from, default: []].insert(old.relationship.id)
        let target = old.relationship.property.destinationName
        if !continuation.isContinued(from: target, to: new.property.destinationName) {
          entries[index].foreign.insert(new.id)
        }
        let rule = KeptLinkRule(from: old.relationship, in: source, to: new, in: destination)
        if rule.isSelective { entries[index].isChoice = true }
        // All entities that inherit a relationship have the same.
        if rule.isSymmetric, ownInverses.updateValue(new.id, forKey: index) != new.id {
          let family = Set(destination.familyNames(of: new.declaringEntity))
          let entities = hop.entityMappings.filter { mapping in
            family.contains(mapping.destinationName ?? "")
              && destination[mapping.destinationName ?? ""]?.isAbstract == false
          }.compactMap(\.sourceName)
          entries[index].symmetric = (old.relationship, rule, entities)
        }
        guard let inverse = destination.inverse(of: new.property) else { continue }
        for other in continuedEnds.overruling(new)
        where !entries[index].overruled.contains(where: {
          $0.old.id == old.relationship.id && $0.by.id == other.id
        }) {
          let rule = KeptLinkRule(from: other, in: source, to: inverse, in: destination)
          entries[index].overruled.append((old.relationship, other, rule))
        }
      }
      guard mapping.policyName != nil || mapping.filter != nil else { continue }
      for relationship in source.allRelationships(of: from) {
        guard let index = indices[relationship.id] else { continue }
        if mapping.filter != nil { entries[index].isFiltered = true }
        if mapping.policyName != nil { entries[index].isDecidedByPolicy = true }
      }
    }
    noteSet(computed)
    noteUnset(hop, indices, besides: continued)
    // All links of a removed relationship are lost, whatever a stage does with them.
    for old in hop.stage?.will.relationships(in: source) ?? [] {
      if let index = indices[old], entries[index].isContinued {
        entries[index].isChangedByStage = true
      }
    }
    for old in hop.stage?.will.relationships(in: source, onlyFound: true) ?? [] {
      if let index = indices[old], entries[index].isContinued { entries[index].isSetByStage = true }
    }
    for part in hop.parts {
      for mapping in part.mapping.entityMappings {
        guard let use = hop.policyUse(of: mapping, in: part) else { continue }
        noteSettings(of: effects[use], in: mapping, indices)
      }
    }
  }

  /// The maximum number of kept links of a source relationship; `nil` if it neither becomes its own inverse nor has links
  /// that are replaced.
  func limit(
    _ end: Declared<Relationship>, in reader: borrowing StoreReader
  ) throws(StoreError) -> Int? {
    for entry in entries {
      if let limit = try entry.limit(of: end, in: reader, StoreCounts()) { return limit }
    }
    return nil
  }

  /// Notes the relationships whose new ends, or their inverses, are set by expressions.
  private mutating func noteSet(_ computed: Set<PropertyID>) {
    guard !computed.isEmpty else { return }
    for index in entries.indices {
      let ends = (entries[index].forward + entries[index].backward).flatMap { end in
        [end.id, destination.inverse(of: end.property)?.id].compactMap(\.self)
      }
      if !computed.isDisjoint(with: ends) { entries[index].isSetByExpression = true }
    }
  }

  /// Notes the destination relationships that take the place of old ones, and that no property mapping sets.
  ///
  /// - Parameter continued: The relationships of each source entity that another entity mapping of it continues.
  private mutating func noteUnset(
    _ hop: MigrationPlan.Hop, _ indices: [PropertyID: Int],
    besides continued: [String: Set<PropertyID>]
  ) {
    let ends = MappedEnds(hop.entityMappings, to: destination)
    for mapping in hop.entityMappings where mapping.policyName == nil {
      guard let from = mapping.sourceName, let to = mapping.destinationName else { continue }
      for old in source.allRelationships(of: from) {
        guard let index = indices[old.id], continued[from]?.contains(old.id) != true,
          let new = ends.unsetEnd(named: old.property.name, of: to)
        else { continue }
        entries[index].unset.insert(new.id)
      }
    }
  }

  /// Notes the relationships of an entity mapping's objects that its policy may set.
  private mutating func noteSettings(
    of effect: PolicyEffect?, in mapping: EntityMapping, _ indices: [PropertyID: Int]
  ) {
    guard let effect, let entity = mapping.sourceName else { return }
    if effect.joins { noteJoins(of: entity) }
    for relationship in source.allRelationships(of: entity) {
      guard let index = indices[relationship.id] else { continue }
      let ends = (entries[index].forward + entries[index].backward).flatMap { end in
        [end.property.name, destination.inverse(of: end.property)?.property.name].compactMap { $0 }
      }
      let isUsed = effect.reads().contains { $0.first == relationship.property.name }
      let isSet = !effect.relationships.isDisjoint(with: ends)
      if isSet { entries[index].isReplacedByPolicy = true }
      if isUsed { entries[index].isUsedByPolicy = true }
      if !effect.isKnown || isUsed && ends.isEmpty { entries[index].isSetByMapping = true }
    }
  }

  /// Notes the relationships of which an end has objects of an entity that can be joined.
  private mutating func noteJoins(of entity: String) {
    let lineage = source.lineageNames(of: entity)
    for index in entries.indices {
      let old = entries[index].old
      guard lineage.contains(old.declaringEntity) || lineage.contains(old.property.destinationName)
      else { continue }
      entries[index].canBeJoined = true
    }
  }

  /// Counts the links of each source relationship before a migration.
  ///
  /// - Parameters:
  ///   - counts: What is known of the store.
  ///   - isPart: Whether other mapping models create the rest.
  func counts(
    _ reader: borrowing StoreReader, _ counts: inout StoreCounts, isPart: Bool = false
  ) throws(StoreError) -> [LinkReport] {
    var reports: [LinkReport] = []
    for entry in entries {
      let count = try counts.links(of: entry.old, in: reader)
      var report = LinkReport(
        relationship: entry.old.qualifiedName, count: count.count, dangling: count.dangling)
      if !isPart, !entry.isSet || entry.isReplaced || entry.isChangedByStage, hasOwners(entry) {
        report.inLostObjects = try linksInLostObjects(entry.old, reader)
      }
      report.isChoice = entry.isChoice || !entry.overruled.isEmpty
      report.isPartial = isPart && entry.isFiltered
      report.isInDoubt = count.count > 0 && !entry.keepsLinks
      report.limit = try entry.limit(in: reader, counts)
      reports.append(report)
    }
    return reports
  }

  /// Whether objects of both ends are migrated.
  func hasOwners(_ entry: Entry) -> Bool {
    [entry.old.declaringEntity, entry.old.property.destinationName].allSatisfy { entity in
      !continuedEntities.isDisjoint(with: source.familyNames(of: entity))
    }
  }

  /// The number of links between two objects of entities without a destination.
  private func linksInLostObjects(
    _ end: Declared<Relationship>, _ reader: borrowing StoreReader
  ) throws(StoreError) -> Int {
    func lost(_ entity: String) -> Set<String> {
      Set(source.familyNames(of: entity)).subtracting(continuedEntities)
    }
    let others = lost(end.property.destinationName)
    guard !others.isEmpty else { return 0 }
    var count = 0
    for entity in lost(end.declaringEntity) {
      count += try reader.linkCount(of: end, from: entity, to: others)
    }
    return count
  }

  /// Adds the number of links in the destination.
  ///
  /// - Parameters:
  ///   - joined: The maximum number of links of a source relationship that equal others because their objects are
  ///   joined.
  ///   - continued: The number of links of a source relationship which links between the same objects continue; `nil` if
  ///   unknown. It is asked where a policy or an expression replaces links, and where those of joined objects are lost.
  func addKept(
    _ reader: borrowing StoreReader, to reports: inout [LinkReport],
    joined: (Entry) throws -> Int = { _ in 0 }, continued: (Entry) throws -> Int? = { _ in nil }
  ) throws {
    var counts = StoreCounts()
    for (index, entry) in entries.enumerated() where entry.isReplaced {
      reports[index].kept = try continued(entry)
    }
    for (index, entry) in entries.enumerated() where !entry.isSet {
      var kept: Int?
      if let new = entry.forward.first, let back = entry.backward.first,
        entry.forward.count == 1, entry.backward.count == 1, !entry.isOnePair
      {
        // A link has two directions; if they are migrated separately, both must be kept.
        kept =
          entry.foreign.isEmpty ? try reader.sharedLinkCount(of: new, andBack: back, counts) : 0
      } else {
        for continuing in [entry.directions.forward, entry.directions.backward]
        where !continuing.isEmpty {
          var count = 0
          for new in continuing where !entry.foreign.contains(new.id) {
            count += try counts.links(of: new, in: reader).count
          }
          kept = min(kept ?? count, count)
        }
      }
      if !entry.unset.isEmpty { kept = 0 }
      reports[index].kept = min(kept ?? 0, reports[index].limit ?? .max)
      guard entry.isContinued else { continue }
      reports[index].joinedLimit = try joined(entry)
      // Where a link that continues several is lost, all of these are.
      if reports[index].joinedLimit > 0, reports[index].lost > 0, let count = try continued(entry) {
        reports[index].joinedLimit = max(0, count - (reports[index].kept ?? 0))
      }
    }
  }
}
