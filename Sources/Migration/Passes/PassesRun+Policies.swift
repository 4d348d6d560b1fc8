package import StrataBase
internal import StrataMapping
internal import StrataObjectModel
internal import StrataStore

/// The policies of a hop: their effects, the properties that they must set, and those that they did not set.
extension PassesRun {
  /// Notes what the policies of the part can do to relationships.
  func noteChoices() {
    manager.decidedByPolicy = []
    manager.settableByPolicy = []
    manager.relatingByDefault = []
    manager.contested = [:]
    for mapping in entityMappings {
      let policy = newPolicy(for: mapping)
      if Self.bulkPolicy(policy, mapping)?.relatesByDefault == true {
        manager.relatingByDefault.insert(mapping.name)
      }
      guard let policy = policy as? FilePolicy else {
        // One in Swift can set relationships of all objects.
        if !(policy is DefaultPolicy) {
          manager.settableByPolicy.formUnion(hop.to.model.storedRelationships.map(\.id))
        }
        continue
      }
      guard let destinationName = mapping.destinationName else { continue }
      for new in hop.to.model.allRelationships(of: destinationName) {
        let name = new.property.name
        let isChosen = !new.property.isToMany && policy.chooses(name)
        if isChosen || policy.sets(name) { manager.settableByPolicy.insert(new.id) }
        guard isChosen,
          manager.origin(of: name, in: mapping)?.relationship.property.isToMany == true
        else { continue }
        manager.decidedByPolicy.insert(new.id)
      }
    }
  }

  /// Errors are reported before the first object is migrated.
  static func check(
    _ hop: MigrationPlan.Hop, _ policies: PolicyRegistry
  ) throws(MigrationError) {
    let errors = faults(of: hop, policies)
    guard errors.isEmpty else {
      throw .badMapping(
        hop.parts.map(\.name).joined(separator: ", "), files: hop.parts.map { $0.path ?? $0.name },
        findings: errors)
    }
  }

  /// The errors of the mapping models of a hop; empty for inferred ones.
  package static func faults(
    of hop: MigrationPlan.Hop, _ policies: PolicyRegistry
  ) -> [Finding] {
    findings(of: hop, policies).filter { $0.severity == .error }
  }

  /// The properties that the policies of a hop must set, except those that a policy file is known to set.
  package static func decisions(
    of hop: MigrationPlan.Hop, _ policies: PolicyRegistry
  ) -> [Finding] {
    findings(of: hop, policies).filter { finding in
      guard case .decidedByPolicy? = finding.rule as? MappingRule else { return false }
      let uses = hop.policyUses.filter { $0.entityMapping == finding.location.mapping }
      return !uses.contains { use in
        (policies.make(for: use) as? FilePolicy)?.sets(finding.property ?? "") == true
      }
    }
  }

  private static func findings(
    of hop: MigrationPlan.Hop, _ policies: PolicyRegistry
  ) -> [Finding] {
    hop.findings { mapping in
      hop.policyUses.first {
        $0.entityMapping == mapping.name && $0.policyName == mapping.policyName
      }.flatMap(policies.methods)
    }
  }

  static func check(
    _ policies: PolicyRegistry, for uses: [PolicyUse]
  ) throws(MigrationError) {
    let unknown = uses.filter { !policies.knows($0) }
    guard unknown.isEmpty else { throw .unknownPolicies(unknown, known: policies.names) }
  }

  // MARK: The running part

  func newPolicy(for mapping: EntityMapping) -> any RunningPolicy {
    hop.policyUse(of: mapping, in: hop.parts[part]).flatMap { policies.make(for: $0) }
      ?? DefaultPolicy()
  }

  /// The effects of the policies that have an SQL equivalent.
  var bulkPolicies: [String: BulkPolicy] {
    var known: [String: BulkPolicy] = [:]
    for mapping in entityMappings {
      let policy = newPolicy(for: mapping)
      // SQL does not find objects of the store to which objects are appended.
      guard manager.destination.existing == nil || policy is DefaultPolicy else { continue }
      known[mapping.name] = Self.bulkPolicy(policy, mapping)
    }
    return known
  }

  static func bulkPolicy(
    _ policy: any RunningPolicy, _ mapping: EntityMapping
  ) -> BulkPolicy? {
    policy is DefaultPolicy
      ? BulkPolicy() : (policy as? FilePolicy)?.bulkPolicy(mapping.policyName)
  }

  /// The properties of an entity mapping's objects that its policy should have set but did not.
  func judge(_ mapping: EntityMapping) throws -> [TraceEvent.Kind] {
    guard let policy = mapping.policyName, let entity = mapping.destinationName else { return [] }
    var events: [TraceEvent.Kind] = []
    for property in manager.destination.undecided.properties(of: entity) {
      try manager.forEachDestinationInstance(of: mapping) { object in
        guard property.contains(object.key) else { return }
        let source = try manager.sourceInstances(for: object, in: mapping).first?.key
        events += manager.report.noteUndecided(
          entity, property.name, property.reason, by: policy, key: object.key, from: source)
      }
    }
    return events
  }
}
