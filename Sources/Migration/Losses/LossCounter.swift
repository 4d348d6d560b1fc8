package import StrataBase
package import StrataMapping
internal import StrataObjectModel
package import StrataSQLite
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
  /// with an amount of 0 are omitted.
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
  ) throws(StoreError) -> [CountedLoss] {
    var counted: [CountedLoss] = []
    for loss in losses {
      if case .numbers = loss.kind, !countsNumbers { continue }
      counted += try loss.counted(in: reader)
    }
    return counted
  }
}

extension Loss {
  fileprivate func counted(in reader: borrowing StoreReader) throws(StoreError) -> [CountedLoss] {
    var counted: [CountedLoss] = []
    for source in sources {
      for (rule, evidence) in try evidence(of: source, in: reader)
      where evidence.count ?? 0 > 0 {
        let index = counted.firstIndex { $0.finding.lossRule == rule } ?? counted.count
        if index == counted.count {
          let none = FindingEvidence(count: 0, unit: unit)
          counted.append(
            CountedLoss(loss: self, finding: Finding(rule, at: finding.location, evidence: none)))
        }
        counted[index].add(evidence, of: source)
      }
    }
    return counted
  }

  /// The amounts of a source entity without its subentities, by kind of loss.
  private func evidence(
    of source: Source, in reader: borrowing StoreReader
  ) throws(StoreError) -> [(rule: LossRule, evidence: FindingEvidence)] {
    guard case .numbers(let type) = kind else {
      let evidence = try plainEvidence(of: source, in: reader)
      return rule.map { [($0, evidence)] } ?? []
    }
    return try reader.losses(of: source.property ?? "", in: source.entity, as: type)
  }

  private func plainEvidence(
    of source: Source, in reader: borrowing StoreReader
  ) throws(StoreError) -> FindingEvidence {
    guard let name = source.property else {
      return FindingEvidence(count: try reader.count(of: source.entity))
    }
    if case .values = kind {
      guard let index = reader.shape(of: source.entity)?.index(of: name) else {
        return FindingEvidence()
      }
      let found = try reader.values(
        of: source.entity, at: index, where: .present, limit: Self.keyLimit)
      return FindingEvidence(count: found.count, keys: found.first.map(\.key))
    }
    guard let relationship = reader.model.relationship(name, of: source.entity) else {
      return FindingEvidence()
    }
    switch kind {
    case .others, .order:
      let found = try reader.ownersOfSeveral(
        relationship, among: source.entity, limit: Self.keyLimit)
      return FindingEvidence(count: found.count, keys: found.first)
    default:
      // The links of all subentities belong to one relationship, so they are counted once.
      guard source == sources.first else { return FindingEvidence() }
      return FindingEvidence(count: try reader.linkCount(of: relationship).count)
    }
  }

  private var unit: FindingEvidence.Unit {
    switch kind {
    case .objects, .others, .order: .object
    case .values, .numbers: .value
    case .links: .link
    }
  }

  /// The maximum number of keys of a loss.
  static let keyLimit = 3
}

extension StoreReader {
  /// The losses of numbers of an entity, without its subentities, that are converted to another type.
  func losses(
    of property: String, in entity: String, as type: AttributeType
  ) throws(StoreError) -> [(rule: LossRule, evidence: FindingEvidence)] {
    guard let shape = shape(of: entity), let index = shape.index(of: property) else { return [] }
    var found: [(rule: LossRule, evidence: FindingEvidence)] = []
    for (rule, condition) in type.losses(of: shape.columnName(at: index)) {
      let values = try values(
        of: entity, at: index, where: .holds(condition), limit: Loss.keyLimit)
      found.append((rule, FindingEvidence(count: values.count, keys: values.first.map(\.key))))
    }
    return found
  }
}

extension CountedLoss {
  fileprivate mutating func add(_ evidence: FindingEvidence, of source: Loss.Source) {
    sources[source] = evidence
    finding.evidence.count = (finding.evidence.count ?? 0) + (evidence.count ?? 0)
    finding.evidence.keys += evidence.keys.prefix(
      max(0, Loss.keyLimit - finding.evidence.keys.count))
  }
}
