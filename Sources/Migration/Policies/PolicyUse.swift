internal import StrataBase
internal import StrataMapping
internal import StrataObjectModel

/// An entity mapping of a hop that names a policy; it distinguishes several policies of one class.
package struct PolicyUse: Sendable, Hashable {
  /// The policy class of the entity mapping.
  package var policyName: String
  package var entityMapping: String
  package var mappingModel: String
  /// The names of the source and destination versions.
  package var source: String
  package var destination: String

  package init(
    policyName: String, entityMapping: String, mappingModel: String, source: String,
    destination: String
  ) {
    (self.policyName, self.entityMapping) = (policyName, entityMapping)
    (self.mappingModel, self.source, self.destination) = (mappingModel, source, destination)
  }
}

extension MigrationPlan.Hop {
  /// `nil` if the entity mapping names no policy.
  func policyUse(of mapping: EntityMapping, in part: NamedMappingModel) -> PolicyUse? {
    mapping.policyName.map {
      PolicyUse(
        policyName: $0, entityMapping: mapping.name, mappingModel: part.name,
        source: from.versionName, destination: to.versionName)
    }
  }

  /// The policy uses of all parts, in order.
  package var policyUses: [PolicyUse] {
    parts.flatMap { part in
      part.mapping.entityMappings.compactMap { policyUse(of: $0, in: part) }
    }
  }
}

extension PolicyScript {
  /// The entity mappings and hops to which a policy applies; `nil` matches all.
  struct Condition: Sendable, Hashable {
    var entityMapping: String?
    var mappingModel: String?
    var source: String?
    var destination: String?

    func holds(of use: PolicyUse) -> Bool {
      func isSame(_ wanted: String?, _ found: String) -> Bool {
        wanted.map { $0 == found || NamedModel.versionName(of: $0) == found } ?? true
      }
      return (entityMapping ?? use.entityMapping) == use.entityMapping
        && isSame(mappingModel, use.mappingModel) && isSame(source, use.source)
        && isSame(destination, use.destination)
    }

    /// The entity mapping that a misspelled name probably means. The names of versions are alike: one that is not
    /// known is of another hop.
    func meantEntityMapping(among uses: [PolicyUse]) -> String? {
      let known = uses.map(\.entityMapping)
      guard let entityMapping, !known.contains(entityMapping) else { return nil }
      return NearestName.of(entityMapping, in: known)
    }

    /// The number of conditions; the policy with the most is the most specific.
    var partCount: Int {
      [entityMapping, mappingModel, source, destination].count { $0 != nil }
    }
  }
}
