internal import StrataDiagnostics
internal import StrataMapping
internal import StrataObjectModel
public import StrataStore
internal import StrataValues

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
    // Of damaged stores, also what the old type should not hold.
    for copy in PropertyRoutes(hop).copies where copy.from != copy.to && copy.from.isNumber {
      let entity = copy.source.entity
      for (rule, evidence) in try first.losses(of: copy.source.name, in: entity, as: copy.to) {
        report.noteNumbers(
          entity, copy.destination.name, rule, count: evidence.count ?? 0, keys: evidence.keys)
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
