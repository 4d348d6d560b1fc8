internal import StrataDiagnostics
internal import StrataMapping
internal import StrataObjectModel
public import StrataStore

extension Receipt {
  /// The receipt of two stores, as if a hop had led from the one to the other.
  ///
  /// - Throws: ``StoreError`` where one cannot be read.
  public init(
    of hop: MigrationPlan.Hop, from first: borrowing StoreReader, to second: borrowing StoreReader
  ) throws {
    let ledger = LinkLedger(hop)
    var report = MigrationReport(hop)
    report.links = try ledger.counts(first)
    try ledger.addKept(second, to: &report.links)
    for (index, entity) in report.entities.enumerated() {
      guard let source = entity.sourceEntity, let destination = entity.destinationEntity else {
        continue
      }
      report.entities[index].lost = max(
        0, try first.count(of: source) - second.count(of: destination))
    }
    let copies = Dictionary(grouping: PropertyRoutes(hop).copies, by: \.source)
    for loss in try LossFinder(hop).losses(in: first) {
      guard let rule = loss.lossRule, rule.isOfNumbers, let property = loss.property else {
        continue
      }
      for copy in copies[Property(entity: loss.entity, name: property)] ?? [] {
        report.noteNumbers(
          loss.entity, copy.destination.name, rule, count: loss.evidence.count ?? 0,
          keys: loss.evidence.keys)
      }
    }
    self = try ReceiptWriter(hop, counting: first).receipt(report, counting: second)
    objects = []
  }
}

extension MigrationPlan.Hop {
  /// What entities and properties of the destination continue; where several are merged, the first counts.
  public var correspondence: ModelCorrespondence {
    let routes = PropertyRoutes(self)
    var entities: [String: String] = [:]
    var properties: [String: [String: String]] = [:]
    for mapping in entityMappings {
      guard let source = mapping.sourceName, let destination = mapping.destinationName,
        entities[destination] == nil
      else { continue }
      entities[destination] = source
      properties[destination] = relationships(of: mapping)
    }
    for copy in routes.copies where entities[copy.destination.entity] == copy.source.entity {
      properties[copy.destination.entity]?[copy.destination.name] = copy.source.name
    }
    for (destination, source) in entities where to.model[destination]?.isAbstract == true {
      properties[destination]?.merge(inherited(by: destination, from: source)) { own, _ in own }
    }
    return ModelCorrespondence(entities: entities, properties: properties)
  }

  private func relationships(of mapping: EntityMapping) -> [String: String] {
    var names: [String: String] = [:]
    for property in mapping.relationshipMappings {
      names[property.name] =
        RelationshipOrigin(of: property.name, in: mapping, of: from.model)?.relationship.property
        .name
    }
    return names
  }

  /// An abstract entity has no objects: what it declares goes by the name.
  private func inherited(by destination: String, from source: String) -> [String: String] {
    let names = from.model.allAttributes(of: source).map(\.property).flatMap {
      from.model.storedNames(of: $0)
    }
    return Dictionary(uniqueKeysWithValues: names.map { ($0, $0) })
  }
}
