internal import StrataMapping
internal import StrataObjectModel

/// An entity mapping of a hop that names a policy: what tells several policies of one class apart.
package struct PolicyUse: Sendable, Hashable {
  /// The class that the entity mapping names.
  package var policyName: String
  package var entityMapping: String
  package var mappingModel: String
  /// The names of the versions.
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
  /// `nil` where the entity mapping names no policy.
  func policyUse(of mapping: EntityMapping, in part: NamedMappingModel) -> PolicyUse? {
    mapping.policyName.map {
      PolicyUse(
        policyName: $0, entityMapping: mapping.name, mappingModel: part.name,
        source: from.versionName, destination: to.versionName)
    }
  }

  /// Those of all parts, in order.
  package var policyUses: [PolicyUse] {
    parts.flatMap { part in
      part.mapping.entityMappings.compactMap { policyUse(of: $0, in: part) }
    }
  }
}

extension PolicyScript {
  /// Which entity mappings of which hops a policy is for; what is `nil` is of no account.
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

    /// How many parts it has: of several policies the one with most is the closest.
    var partCount: Int {
      [entityMapping, mappingModel, source, destination].count { $0 != nil }
    }
  }
}
