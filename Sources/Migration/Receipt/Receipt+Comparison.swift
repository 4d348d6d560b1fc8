internal import StrataBase
internal import StrataMapping
internal import StrataObjectModel
package import StrataStore

extension Receipt {
  /// The receipt of two stores, as if one were migrated to the other.
  ///
  /// - Parameter policies: The policies of entity mappings; an unknown one has unknown effects.
  /// - Throws: ``StoreError`` if a store cannot be read.
  package init(
    of hop: MigrationPlan.Hop, from first: borrowing StoreReader, to second: borrowing StoreReader,
    policies: PolicyRegistry = PolicyRegistry()
  ) throws {
    let effects = policies.effects(in: hop, isComplete: true)
    let ledger = LinkLedger(hop, effects: effects)
    var report = MigrationReport(hop)
    var counts = StoreCounts()
    report.links = try ledger.counts(first, &counts)
    // Which objects were joined is unknown, so links of objects that can be are not missing.
    try ledger.addKept(second, to: &report.links) { $0.canBeJoined ? Int.max : 0 }
    // An object of which each of several entity mappings may make one is not lost.
    let bySource = Dictionary(
      grouping: report.entities.indices.filter { report.entities[$0].destinationEntity != nil }
    ) { report.entities[$0].sourceEntity }
    let joining = hop.joiningPolicies(effects)
    for (source, indices) in bySource {
      guard let source else { continue }
      let count = try counts.objects(of: source, in: first)
      var created: [String: Int] = [:]
      for index in indices {
        let destination = report.entities[index].destinationEntity ?? ""
        created[destination] = try second.count(of: destination)
        report.entities[index].source = min(count, created[destination] ?? 0)
      }
      let missing = max(0, count - created.values.reduce(0, +))
      if joining[source] == nil {
        report.entities[indices[0]].lost = missing
      } else {
        report.entities[indices[0]].joined = missing
      }
    }
    // Damaged stores can also contain values of the wrong type.
    for copy in PropertyRoutes(hop, effects: effects).copies
    where copy.from.isNumber && copy.from.converts(to: copy.to) {
      let entity = copy.source.entity
      for (rule, evidence) in try first.losses(of: copy.source.name, in: entity, as: copy.to) {
        report.note(
          NumberLoss(
            attribute: copy.destination, rule: rule, sourceEntity: entity,
            affected: Receipt.Affected(count: evidence.count ?? 0, keys: evidence.keys)))
      }
    }
    self = try ReceiptWriter(hop, effects: effects, counting: first)
      .receipt(report, counting: second)
    objects = []
  }
}

extension MigrationPlan.Hop {
  /// The source entities and properties of those of the destination, which match one to one. Computed values of
  /// an expression or a policy, and links that a policy sets, have no source.
  ///
  /// - Parameter policies: The policies of entity mappings; properties that an unknown one sets have no source.
  package func correspondence(
    _ policies: PolicyRegistry = PolicyRegistry()
  ) -> ModelCorrespondence {
    let effects = policies.effects(in: self, isComplete: true)
    let routes = PropertyRoutes(self, effects: effects)
    let set = relationshipsSet(by: effects)
    var entities: [String: String] = [:]
    var properties: [String: [String: String]] = [:]
    for mapping in continuing {
      guard let source = mapping.sourceName, let destination = mapping.destinationName else {
        continue
      }
      entities[destination] = source
      properties[destination] = relationships(of: mapping).filter { name, _ in
        to.model.relationship(name, of: destination).map { set.contains($0.id) } != true
      }
    }
    let unknown = unknownDestinations(effects)
    // A value that continues in different attributes of different objects is not compared.
    let targets = Dictionary(grouping: routes.copies) {
      [$0.source, Receipt.Property(entity: $0.destination.entity, name: "")]
    }
    for copy in targets.values.filter({ $0.count == 1 }).joined()
    where entities[copy.destination.entity] == copy.source.entity
      && !unknown.keys.contains(copy.destination.entity)
    {
      properties[copy.destination.entity]?[copy.destination.name] = copy.source.name
    }
    for destination in unknown.keys { properties[destination] = [:] }
    // An abstract entity has no objects: its properties are matched by name.
    for (destination, source) in entities where to.model[destination]?.isAbstract == true {
      let names = from.model.allAttributes(of: source).flatMap {
        from.model.storedNames(of: $0.property)
      }
      properties[destination]?.merge(names.map { ($0, $0) }) { own, _ in own }
    }
    let rekeyed = uncompared(policies).filter { $0.kind == .additional || $0.kind == .joined }
    return ModelCorrespondence(
      entities: entities, properties: properties, rekeyed: Set(rekeyed.map(\.entity)))
  }

  /// The objects that are not compared, with reasons.
  package func uncompared(_ policies: PolicyRegistry) -> [UncomparedObjects] {
    let pairs = continuing
    let sources = Set(pairs.compactMap(\.sourceName))
    let origins = Dictionary(first: pairs.map { ($0.destinationName ?? "", $0.sourceName ?? "") })
    var found: [UncomparedObjects] = []
    for mapping in entityMappings {
      guard let source = mapping.sourceName, let destination = mapping.destinationName,
        origins[destination] != source
      else { continue }
      guard let origin = origins[destination] else {
        found.append(
          .init(
            entity: destination, kind: .created,
            reason: "its objects are also created from \(source)"))
        continue
      }
      found.append(
        .init(
          entity: origin, kind: .additional,
          reason: "\(destination) also contains objects of \(source)"))
      if !sources.contains(source) {
        found.append(
          .init(
            entity: source, kind: .joining,
            reason: "\(destination) also contains objects of other entities"))
      }
    }
    let effects = policies.effects(in: self, isComplete: true)
    for (entity, policy) in joiningPolicies(effects) {
      found.append(
        .init(entity: entity, kind: .joined, reason: "policy \(policy) may have joined its objects")
      )
    }
    for effect in effects.values {
      for entity in effect.created {
        found.append(
          .init(
            entity: origins[entity] ?? entity,
            kind: origins[entity] == nil ? .created : .additional,
            reason: "policy \(effect.name) may have created objects of \(entity)"))
      }
    }
    for (entity, policy) in unknownDestinations(effects) {
      found.append(
        .init(entity: entity, kind: .unknown, reason: "policy \(policy) may set any property"))
    }
    return found.uniqued.sorted { ($0.entity, $0.reason) < ($1.entity, $1.reason) }
  }

  /// The entity mappings that match entities of the destination and the source one to one; equal names are
  /// preferred.
  private var continuing: [EntityMapping] {
    let all = entityMappings.filter { $0.sourceName != nil && $0.destinationName != nil }
    var (sources, destinations): (Set<String>, Set<String>) = ([], [])
    return
      (all.filter { $0.sourceName == $0.destinationName }
      + all.filter { $0.sourceName != $0.destinationName }).filter { mapping in
        guard let source = mapping.sourceName, let destination = mapping.destinationName,
          !sources.contains(source), !destinations.contains(destination)
        else { return false }
        sources.insert(source)
        destinations.insert(destination)
        return true
      }
  }

  /// The source entities whose objects policies can join, with the policy.
  fileprivate func joiningPolicies(_ effects: [PolicyUse: PolicyEffect]) -> [String: String] {
    policies(of: \.sourceName) { effects[$0]?.joins == true }
  }

  /// The entities of objects that unknown policies create, with the policy.
  private func unknownDestinations(_ effects: [PolicyUse: PolicyEffect]) -> [String: String] {
    policies(of: \.destinationName) { effects[$0]?.isKnown != true }
  }

  /// Some policies of entity mappings, by the entity at one end.
  private func policies(
    of end: KeyPath<EntityMapping, String?>, where isMeant: (PolicyUse) -> Bool
  ) -> [String: String] {
    var found: [String: String] = [:]
    for part in parts {
      for mapping in part.mapping.entityMappings {
        guard let use = policyUse(of: mapping, in: part), isMeant(use),
          let entity = mapping[keyPath: end]
        else { continue }
        found[entity] = use.policyName
      }
    }
    return found
  }

  /// The destination relationships whose links policies set, and those of objects that they join.
  private func relationshipsSet(by effects: [PolicyUse: PolicyEffect]) -> Set<PropertyID> {
    var found: Set<PropertyID> = []
    for part in parts {
      for mapping in part.mapping.entityMappings {
        guard let use = policyUse(of: mapping, in: part), let effect = effects[use],
          let entity = mapping.destinationName
        else { continue }
        for name in effect.relationships {
          guard let end = to.model.relationship(name, of: entity) else { continue }
          found.insert(end.id)
          if let inverse = to.model.inverse(of: end.property) { found.insert(inverse.id) }
        }
        guard effect.joins else { continue }
        let lineage = to.model.lineageNames(of: entity)
        for owner in to.model.entities {
          for relationship in owner.relationships
          where lineage.contains(owner.name) || lineage.contains(relationship.destinationName) {
            found.insert(PropertyID(entity: owner.name, name: relationship.name))
          }
        }
      }
    }
    return found
  }

  private func relationships(of mapping: EntityMapping) -> [String: String] {
    var names: [String: String] = [:]
    for property in mapping.relationshipMappings {
      names[property.name] =
        RelationshipOrigin(
          of: property.name, in: mapping, of: from.model, among: isInferred ? [] : entityMappings
        )?.relationship.property.name
    }
    return names
  }
}

/// Objects that cannot be compared between two stores.
package struct UncomparedObjects: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    /// Objects of the second store without source objects.
    case created
    /// Objects of the first store that are compared with additional objects of the second one.
    case additional
    /// Objects of the first store whose destination objects are compared with others.
    case joining
    /// Objects of the first store that a policy can have joined with others.
    case joined
    /// Objects of the second store for which an unknown policy may have set any property.
    case unknown
  }

  package var entity: String
  package var kind: Kind
  package var reason: String
}
