internal import StrataBase
internal import StrataMapping
internal import StrataObjectModel
package import StrataSQLite
package import StrataStore

/// Counts a store before a hop, and creates the receipt after it.
///
/// The source of each property is known from the models and the mapping; the counts are plain SQL queries on
/// both stores, which need not be open at the same time.
package struct ReceiptWriter: Sendable {
  private let hop: MigrationPlan.Hop
  let routes: PropertyRoutes
  /// The groups of attributes with a common fate.
  private let groups: [AttributeGroup]
  /// The first computed attribute, by the attribute from which it is computed.
  private let firstResults: [Receipt.Property: Receipt.Property]
  private let stageCopies: StageCopies
  let ledger: LinkLedger
  /// The losses of the store, except for numbers.
  let losses: [CountedLoss]
  private var before: [String: ValueCounts] = [:]
  /// The counts before a stage changed the store; `nil` without such changes.
  private var original: [String: ValueCounts]?
  /// The first objects with unread values.
  private var unread: [Receipt.Property: [Int64]] = [:]

  /// - Parameter effects: The effects of policies.
  init(
    _ hop: MigrationPlan.Hop, effects: [PolicyUse: PolicyEffect],
    counting reader: borrowing StoreReader
  ) throws {
    self.hop = hop
    routes = PropertyRoutes(hop, effects: effects)
    groups = AttributeGroup.all(routes)
    firstResults = Dictionary(
      first:
        groups.filter { $0.kind == .computed }.flatMap { group in
          group.sources.compactMap { source in group.destinations.first.map { (source, $0) } }
        })
    stageCopies = StageCopies(hop)
    ledger = LinkLedger(hop, effects: effects)
    before = try Self.counts(reader)
    losses = try hop.losses(in: reader, countsNumbers: false)
    for counted in losses where counted.loss.kind == .values {
      for (source, evidence) in counted.sources {
        unread[Receipt.Property(entity: source.entity, name: source.property ?? "")] =
          evidence.keys
      }
    }
  }

  /// Creates a writer for a hop without policies.
  package init(
    _ hop: MigrationPlan.Hop, counting reader: borrowing StoreReader
  ) throws {
    try self.init(hop, effects: [:], counting: reader)
  }

  /// Whether no entity mapping reads some attribute of an entity.
  func losesAttributes(of entity: String) -> Bool {
    groups.contains { $0.kind == .lost && $0.sources.contains { $0.entity == entity } }
  }

  /// Takes over what was counted before a stage changed the store.
  mutating func takeCounts(of writer: ReceiptWriter) { original = writer.before }

  private static func counts(
    _ reader: borrowing StoreReader
  ) throws(StoreError) -> [String: ValueCounts] {
    var counts: [String: ValueCounts] = [:]
    for entity in reader.model.entityNames where reader.model[entity]?.isAbstract == false {
      counts[entity] = try reader.valueCounts(of: entity)
    }
    return counts
  }

  /// The predicted receipt before the hop has run, or if it is rejected.
  func receipt(_ report: MigrationReport) -> Receipt {
    let indexed = IndexedReport(report)
    return Receipt(
      objects: report.entities.map { Receipt.ObjectFate($0, isDone: false) },
      unmapped: report.unmapped, isPart: report.isPart,
      properties: Self.sorted(
        groups.map { fate(of: $0, indexed, after: nil) }
          + relationshipFates(report, isDone: false)))
  }

  /// - Parameters:
  ///   - reader: The reader of the store after the hop.
  ///   - existing: The objects in it that stand for those of a store to which the others are appended.
  package func receipt(
    _ report: MigrationReport, counting reader: borrowing StoreReader,
    besides existing: ObjectPlaceholders? = nil
  ) throws(StoreError) -> Receipt {
    let after = try Self.counts(reader)
    let known = existing?.valueCounts ?? [:]
    let indexed = IndexedReport(report)
    var relationships = relationshipFates(report, isDone: true)
    for (index, entry) in ledger.entries.enumerated() where entry.isSet {
      let ends = entry.forward.isEmpty ? entry.backward : entry.forward
      guard !ends.isEmpty else { continue }
      var count = 0
      for end in ends { count += try reader.linkCount(of: end).count }
      relationships[index].after = count
    }
    for relationship in ledger.added(to: hop.to.model) {
      var fate = Receipt.PropertyFate(
        kind: .new, isRelationship: true, sources: [],
        destinations: [relationship.id])
      fate.after = try reader.linkCount(of: relationship).count
      relationships.append(fate)
    }
    return Receipt(
      objects: report.entities.map { Receipt.ObjectFate($0, isDone: true) },
      unmapped: report.unmapped, isPart: report.isPart,
      properties: Self.sorted(
        groups.map { fate(of: $0, indexed, after: after, besides: known) } + relationships))
  }

  private func relationshipFates(
    _ report: MigrationReport, isDone: Bool
  ) -> [Receipt.PropertyFate] {
    ledger.fates(report.links, isDone: isDone).map { fate in
      var fate = fate
      for counted in losses where counted.loss.kind == .order {
        let location = counted.finding.location
        let unordered = Receipt.Property(
          entity: location.entity ?? "", name: location.property ?? "")
        // Of several that continue as one, only those of the source had the order.
        guard fate.destinations.contains(where: { isEnd($0, of: unordered) }),
          !ends(of: counted.loss).isDisjoint(with: fate.sources)
        else { continue }
        let evidence = counted.finding.evidence
        let objects = Receipt.Affected(count: evidence.count ?? 0, keys: evidence.keys)
        // Without links there is no order.
        guard objects.count > 0, fate.after != 0 else { continue }
        if let known = fate.unordered.firstIndex(where: { $0.relationship == unordered }) {
          fate.unordered[known].objects.add(objects)
        } else {
          fate.unordered.append(.init(relationship: unordered, objects: objects))
        }
      }
      return fate
    }
  }

  /// The relationships of the source with a loss, and their inverses.
  private func ends(of loss: Loss) -> Set<PropertyID> {
    let model = hop.from.model
    let lost = loss.sources.compactMap { source in
      source.property.flatMap { model.relationship($0, of: source.entity) }
    }
    return Set(lost.flatMap { [$0.id, model.inverse(of: $0.property)?.id].compactMap(\.self) })
  }

  /// Whether a relationship of the destination model is another or its inverse.
  private func isEnd(_ property: Receipt.Property, of other: Receipt.Property) -> Bool {
    property == other
      || hop.to.model.relationship(property.name, of: property.entity)
        .flatMap { hop.to.model.inverse(of: $0.property)?.id } == other
  }

  private static func sorted(_ fates: [Receipt.PropertyFate]) -> [Receipt.PropertyFate] {
    fates.sorted { $0.sortKey.precedesInBytes($1.sortKey) }
  }

  // MARK: Attributes

  /// - Parameter existing: What existing objects have of `after`: none of that is copied or new, but what is computed
  ///   can be found in them.
  private func fate(
    of group: AttributeGroup, _ indexed: IndexedReport, after: [String: ValueCounts]?,
    besides existing: [String: ValueCounts] = [:]
  ) -> Receipt.PropertyFate {
    var fate = Receipt.PropertyFate(
      kind: group.kind, sources: group.sources, destinations: group.destinations)
    fate.conversion = group.conversion
    fate.policy = group.policy
    fate.isSetByStage = group.isSetByStage
    // A copied value may be that of an object that a stage creates.
    let isCopied = [.kept, .renamed, .converted].contains(group.kind)
    let counts = isCopied ? before : original ?? before
    fate.before =
      group.sources.isEmpty ? nil : group.sources.reduce(0) { $0 + count($1, in: counts) }
    fate.after =
      group.destinations.isEmpty
      ? nil
      : after.map { after in
        group.destinations.reduce(0) {
          $0 + count($1, in: after) - (group.kind == .computed ? 0 : count($1, in: existing))
        }
      }
    switch group.kind {
    case .lost:
      fate.isLostWithObjects = fate.sources.allSatisfy { routes.lostEntities.contains($0.entity) }
      if fate.sources.allSatisfy(stageCopies.isCounted) {
        noteUncopied(&fate, indexed)
      } else {
        noteUnread(&fate, indexed.report)
      }
    case .kept, .renamed, .converted:
      noteMissing(
        &fate, indexed,
        copied: group.repeats.reduce(0) { $0 + $1.value * count($1.key, in: before) })
      for source in fate.sources {
        if let dropped = indexed.report.dropped[source] { fate.lost.keys += dropped.keys }
      }
    case .computed, .new, .unknown:
      noteNumbers(&fate, indexed)
      fate.lost.count = fate.unfitting.count
      if group.kind == .computed { noteUncopied(&fate, indexed) }
      for replaced in fate.destinations.compactMap({ indexed.report.replaced[$0] }) {
        fate.lost.add(replaced)
      }
    }
    return fate
  }

  private func count(_ property: Receipt.Property, in counts: [String: ValueCounts]) -> Int {
    counts[property.entity]?.values[property.name] ?? 0
  }

  private func noteUnread(_ fate: inout Receipt.PropertyFate, _ report: MigrationReport) {
    for source in fate.sources {
      let count = count(source, in: before)
      let isPart = report.isPart
      guard isPart || !fate.isLostWithObjects, let mapped = report.mappedValues[source.entity]
      else {
        fate.lost.add(Receipt.Affected(count: count, keys: unread[source] ?? []))
        continue
      }
      let read = mapped[source.name] ?? Receipt.Affected()
      fate.lost.add(read)
      if isPart {
        fate.left += count - read.count
      } else {
        fate.inLostObjects += count - read.count
      }
    }
  }

  /// A value that several attributes are computed from is lost once.
  private func noteUncopied(_ fate: inout Receipt.PropertyFate, _ indexed: IndexedReport) {
    for source in fate.sources where firstResults[source] == fate.destinations.first {
      if let dropped = indexed.report.dropped[source], !isCopied(source) { fate.lost.add(dropped) }
      for loss in indexed.uncopied(source) {
        fate.lost.add(
          Receipt.Affected(count: loss.evidence.count ?? 0, keys: loss.evidence.keys))
      }
    }
  }

  /// Whether the attribute is in a group of copies, which counts what it loses.
  private func isCopied(_ property: Receipt.Property) -> Bool {
    routes.copies.contains { $0.source == property }
  }

  private func noteNumbers(_ fate: inout Receipt.PropertyFate, _ indexed: IndexedReport) {
    for loss in fate.destinations.flatMap(indexed.numbers) {
      switch loss.rule {
      case .truncated: fate.truncated.add(loss.affected)
      case .rounded: fate.rounded.add(loss.affected)
      default: fate.unfitting.add(loss.affected)
      }
    }
  }

  /// Compares the counts: a default value that replaces a missing value is not a kept value.
  ///
  /// - Parameter copied: The largest number of values that several entities can get of the same objects.
  private func noteMissing(
    _ fate: inout Receipt.PropertyFate, _ indexed: IndexedReport, copied: Int
  ) {
    noteNumbers(&fate, indexed)
    let isTrue = fate.conversion?.to == .boolean
    // For a Boolean, a number out of range is stored as true: it is present, but changed.
    let (replaced, nulled) = isTrue ? (fate.unfitting.count, 0) : (0, fate.unfitting.count)
    guard let before = fate.before, let after = fate.after else {
      fate.lost.count = fate.unfitting.count
      return
    }
    // The values replaced by the default or by nil are known; the rest depends on the objects.
    var missing = max(0, before - after - nulled)
    func take(_ limit: Int) -> Int {
      let amount = min(limit, missing)
      missing -= amount
      return amount
    }
    let dropped = fate.sources.reduce(0) { $0 + (indexed.report.dropped[$1]?.count ?? 0) }
    _ = take(dropped)
    _ = take(fate.sources.reduce(0) { $0 + (indexed.report.moved[$1] ?? 0) })
    fate.joined = take(objects(of: fate, indexed, \.joined))
    fate.inLostObjects = take(lostObjects(fate, indexed))
    if indexed.report.isPart {
      fate.left = take(indexed.unmapped(of: Set(fate.sources.map(\.entity))))
    }
    let missingCount = nulled + missing + dropped
    fate.lost.count = missingCount + replaced
    let surplus = max(
      0, after - (before - missingCount - fate.joined - fate.inLostObjects - fate.left))
    fate.repeated = min(surplus, objects(of: fate, indexed, \.repeated))
    fate.copied = min(surplus - fate.repeated, copied)
    let added = surplus - fate.repeated - fate.copied
    // A default replaces no more values than are missing.
    let unfilled = objects(of: fate, indexed, \.source) - before + missingCount
    let hasDefault = fate.destinations.contains { property in
      let attribute = hop.to.model.storedAttribute(property.name, of: property.entity)?.stored
      return attribute.map { !$0.isOptional || $0.defaultValue != nil } ?? true
    }
    fate.filled = hasDefault ? min(added, max(0, unfilled)) : 0
    fate.inNewObjects = added - fate.filled
  }

  private func lostObjects(_ fate: Receipt.PropertyFate, _ indexed: IndexedReport) -> Int {
    // An object has a value of each source attribute.
    fate.sources.reduce(0) { sum, source in
      sum + indexed.sum(\.lost, from: [source.entity])
        + (indexed.report.isPart ? 0 : indexed.unmapped(of: [source.entity]))
    }
  }

  private func objects(
    of fate: Receipt.PropertyFate, _ indexed: IndexedReport,
    _ count: KeyPath<MigrationReport.EntityReport, Int>
  ) -> Int {
    indexed.sum(
      count, from: Set(fate.sources.map(\.entity)), to: Set(fate.destinations.map(\.entity)))
  }
}

extension Receipt.ObjectFate {
  init(_ entity: MigrationReport.EntityReport, isDone: Bool) {
    self.init(
      part: entity.part, mapping: entity.mapping, sourceEntity: entity.sourceEntity,
      destinationEntity: entity.destinationEntity, source: entity.source,
      created: isDone ? entity.created : nil, joined: entity.joined, skipped: entity.skipped,
      lost: entity.lost, repeated: entity.repeated, keys: Self.keys(entity))
  }

  private static func keys(_ entity: MigrationReport.EntityReport) -> Receipt.ObjectKeys? {
    guard let isKept = entity.keepsKeys else { return nil }
    guard isKept else { return .changed }
    return entity.sourceEntity == entity.destinationEntity ? .kept : .entityRenamed
  }
}
