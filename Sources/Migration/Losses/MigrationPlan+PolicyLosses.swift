internal import StrataMapping
internal import StrataObjectModel

extension MigrationPlan {
  /// The plan with the losses of values that no entity mapping and no policy file reads: without the policies, nothing
  /// is known to be lost where one is named.
  package func withLosses(besides policies: PolicyRegistry) -> MigrationPlan {
    var plan = self
    for index in hops.indices where !hops[index].isInferred {
      let hop = hops[index]
      let effects = policies.effects(in: hop)
      var reads: [EntityMapping: Set<[String]>] = [:]
      for part in hop.parts {
        for mapping in part.mapping.entityMappings {
          guard let use = hop.policyUse(of: mapping, in: part), let effect = effects[use],
            effect.isKnown, effect.relationships.isEmpty
          else { continue }
          reads[mapping, default: []].formUnion(
            effect.reads { name in
              mapping.destinationName.flatMap { hop.to.model.attribute(name, of: $0) }?.property
                .isTransient != true
            })
        }
      }
      guard !reads.isEmpty else { continue }
      plan.hops[index].losses =
        LossFinder(
          from: hop.from.model, to: hop.to.model, by: hop.parts.map(\.mapping.entityMappings),
          named: hop.parts.map(\.name), policyReads: reads
        ).losses
    }
    return plan
  }
}
