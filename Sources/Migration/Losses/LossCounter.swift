package import StrataBase
package import StrataMapping
internal import StrataObjectModel
internal import StrataSQLite
package import StrataStore

/// A loss of a hop, counted in a store.
package struct CountedLoss: Sendable, Hashable {
  /// The loss according to the models.
  package var loss: Loss
  /// The finding with the counted amount and the first objects; for numbers, with the kind of loss.
  package var finding: Finding
  /// The amount of each source entity.
  package var sources: [Loss.Source: FindingEvidence] = [:]

  package init(loss: Loss, finding: Finding) {
    (self.loss, self.finding) = (loss, finding)
  }
}

extension MigrationPlan.Hop {
  /// The losses of a store, counted before the hop: the losses according to the models, with evidence; those
  /// with an amount of 0 are omitted. As in a receipt, the links of a relationship and of its inverse are one loss,
  /// that of the end whose entity and name come first.
  ///
  /// ```swift
  /// for loss in try hop.losses(in: reader) {
  ///   print(loss.finding.location, loss.finding.message)  // Topic.presenterName is removed; its values are lost
  /// }
  /// ```
  ///
  /// - Parameter countsNumbers: Whether numbers are also counted, which a migration does itself.
  /// - Throws: ``StoreError`` if the store cannot be read.
  package func losses(
    in reader: borrowing StoreReader, countsNumbers: Bool = true
  ) throws -> [CountedLoss] {
    var counted: [CountedLoss] = []
    var accepted = AcceptedObjects()
    lazy var ledger = LinkLedger(self)
    let ends = Set(losses.compactMap { $0.lostEnd(in: from.model)?.id })
    for loss in losses {
      if case .numbers = loss.kind, !countsNumbers { continue }
      if loss.kind == .unpaired {
        counted += try loss.unpaired(in: reader, ledger)
        continue
      }
      if let end = loss.lostEnd(in: from.model), let inverse = from.model.inverse(of: end.property),
        inverse.precedes(end), ends.contains(inverse.id)
      {
        continue
      }
      // A link that both ends lose is lost once.
      guard let excluded = loss.knownAtOtherEnd(in: from.model, ends, counted) else {
        continue
      }
      counted += try loss.counted(in: reader, &accepted, exceptTo: excluded)
    }
    return counted
  }
}

extension Loss {
  /// The relationship whose links are lost; `nil` for other losses.
  fileprivate func lostEnd(in model: ObjectModel) -> Declared<Relationship>? {
    kind == .links ? end(in: model) : nil
  }

  /// The relationship of the source entity; `nil` if it loses something else.
  fileprivate func end(in model: ObjectModel) -> Declared<Relationship>? {
    guard let source = sources.first, let name = source.property else { return nil }
    return model.relationship(name, of: source.entity)
  }

  /// The entities at the other end of a relationship whose links other losses count; `nil` if these count all.
  ///
  /// - Parameters:
  ///   - ends: The relationships of which all links are lost.
  ///   - counted: The losses that are counted before this one.
  fileprivate func knownAtOtherEnd(
    in model: ObjectModel, _ ends: Set<PropertyID>, _ counted: [CountedLoss]
  ) -> Set<String>? {
    guard kind == .linksOfObjects, let own = end(in: model),
      let inverse = model.inverse(of: own.property)
    else { return [] }
    guard !ends.contains(own.id), !ends.contains(inverse.id) else { return nil }
    let others = counted.lazy.map(\.loss).filter {
      $0.kind == .linksOfObjects && $0.end(in: model)?.id == inverse.id
    }
    return Set(others.flatMap(\.sources).map(\.entity))
  }

  /// The links of a relationship whose other direction is not kept.
  fileprivate func unpaired(
    in reader: borrowing StoreReader, _ ledger: LinkLedger
  ) throws(StoreError) -> [CountedLoss] {
    guard let end = end(in: ledger.source), let source = sources.first, let rule else { return [] }
    let count = try reader.linkCount(of: end).count
    let lost = count - (try ledger.limit(end, in: reader) ?? count)
    guard lost > 0 else { return [] }
    var counted = uncounted(rule)
    counted.add(FindingEvidence(count: lost), of: source)
    return [counted]
  }

  fileprivate func counted(
    in reader: borrowing StoreReader, _ accepted: inout AcceptedObjects,
    exceptTo excluded: Set<String>
  ) throws -> [CountedLoss] {
    var counted: [CountedLoss] = []
    for source in sources {
      let keys = try accepted.keys(of: source, in: reader)
      for (rule, evidence) in try evidence(
        of: source, in: reader, among: keys, exceptTo: excluded)
      where evidence.count ?? 0 > 0 {
        let index = counted.firstIndex { $0.finding.lossRule == rule } ?? counted.count
        if index == counted.count {
          counted.append(uncounted(rule))
        }
        counted[index].add(evidence, of: source)
      }
    }
    return counted
  }

  /// The amounts of a source entity without its subentities, by kind of loss.
  ///
  /// - Parameter keys: The keys of the objects that count, except for links; `nil` for all.
  private func evidence(
    of source: Source, in reader: borrowing StoreReader, among keys: KeySet?,
    exceptTo excluded: Set<String>
  ) throws(StoreError) -> [(rule: LossRule, evidence: FindingEvidence)] {
    guard case .numbers(let type) = kind else {
      let evidence = try plainEvidence(
        of: source, in: reader, among: keys, exceptTo: excluded)
      return rule.map { [($0, evidence)] } ?? []
    }
    return try reader.losses(
      of: source.property ?? "", in: source.entity, as: type, among: keys)
  }

  private func plainEvidence(
    of source: Source, in reader: borrowing StoreReader, among keys: KeySet?,
    exceptTo excluded: Set<String>
  ) throws(StoreError) -> FindingEvidence {
    guard let name = source.property else {
      return FindingEvidence(count: try reader.count(of: source.entity))
    }
    if case .values = kind {
      guard let index = reader.shape(of: source.entity)?.index(of: name) else {
        return FindingEvidence()
      }
      return try reader.evidence(of: source.entity, at: index, where: .present, among: keys)
    }
    guard let relationship = reader.model.relationship(name, of: source.entity) else {
      return FindingEvidence()
    }
    switch kind {
    case .others, .order:
      let found = try reader.ownersOfSeveral(
        relationship, among: source.entity, limit: keys == nil ? Self.keyLimit : Int.max)
      guard let keys else { return FindingEvidence(count: found.count, keys: found.first) }
      return FindingEvidence(found.first.filter(keys.contains))
    case .linksOfObjects:
      let others = Set(reader.model.familyNames(of: relationship.property.destinationName))
      return FindingEvidence(
        count: try reader.linkCount(
          of: relationship, from: source.entity, to: others.subtracting(excluded)))
    case .linksTo(let others):
      return FindingEvidence(
        count: try reader.linkCount(of: relationship, from: source.entity, to: others))
    default:
      // The links of all subentities belong to one relationship, so they are counted once.
      guard source == sources.first else { return FindingEvidence() }
      if kind == .shared {
        return FindingEvidence(count: try reader.sharingLinkCount(of: relationship))
      }
      return FindingEvidence(count: try reader.linkCount(of: relationship).count)
    }
  }

  /// A loss of which nothing is counted yet.
  private func uncounted(_ rule: LossRule) -> CountedLoss {
    let none = FindingEvidence(count: 0, unit: unit)
    return CountedLoss(loss: self, finding: Finding(rule, at: finding.location, evidence: none))
  }

  private var unit: FindingEvidence.Unit {
    switch kind {
    case .objects, .others, .order: .object
    case .values, .numbers: .value
    case .links, .linksOfObjects, .linksTo, .shared, .unpaired: .link
    }
  }

  /// The maximum number of keys of a loss.
  static let keyLimit = 3
}

extension StoreReader {
  /// The losses of numbers of an entity, without its subentities, that are converted to another type.
  ///
  /// - Parameter keys: The keys of the objects that count; `nil` for all.
  func losses(
    of property: String, in entity: String, as type: AttributeType, among keys: KeySet? = nil
  ) throws(StoreError) -> [(rule: LossRule, evidence: FindingEvidence)] {
    guard let shape = shape(of: entity), let index = shape.index(of: property) else { return [] }
    var found: [(rule: LossRule, evidence: FindingEvidence)] = []
    for (rule, condition) in type.losses(of: shape.columnName(at: index)) {
      found.append(
        (rule, try evidence(of: entity, at: index, where: .holds(condition), among: keys)))
    }
    return found
  }

  /// The objects of an entity, without its subentities, whose value satisfies a condition.
  ///
  /// - Parameter accepted: The keys of the objects that count; `nil` for all.
  fileprivate func evidence(
    of entity: String, at index: Int, where condition: ValueCondition, among accepted: KeySet?
  ) throws(StoreError) -> FindingEvidence {
    guard let accepted else {
      let found = try values(of: entity, at: index, where: condition, limit: Loss.keyLimit)
      return FindingEvidence(count: found.count, keys: found.first.map(\.key))
    }
    let found = try keys(of: entity, at: index, where: condition)
    return FindingEvidence(found.filter(accepted.contains))
  }
}

extension FindingEvidence {
  /// Some objects, by their keys.
  fileprivate init(_ keys: [Int64]) {
    self.init(count: keys.count, keys: Array(keys.prefix(Loss.keyLimit)))
  }
}

extension CountedLoss {
  fileprivate mutating func add(_ evidence: FindingEvidence, of source: Loss.Source) {
    sources[source] = evidence
    finding.evidence.count = (finding.evidence.count ?? 0) + (evidence.count ?? 0)
    // An object can lose several elements of a composite attribute.
    let known = finding.evidence.keys
    finding.evidence.keys += evidence.keys.filter { !known.contains($0) }
      .prefix(max(0, Loss.keyLimit - known.count))
  }
}
