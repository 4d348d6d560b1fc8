package import StrataBase
package import StrataMapping
package import StrataObjectModel

/// How a store gets from one model to another: the hops, and why.
package struct MigrationPlan: Sendable, Hashable {
  /// None where the models are compatible already.
  package var hops: [Hop]

  package init(hops: [Hop]) {
    self.hops = hops
  }

  /// How a hop is done.
  package enum Means: String, Sendable, Hashable, Codable {
    /// By SQL in the store itself.
    case inPlace
    /// By a manager, from one store into another.
    case passes
  }

  /// One migration: from a model version to the next.
  package struct Hop: Sendable, Hashable {
    package var from: NamedModel
    package var to: NamedModel
    /// The mapping model, or its parts, which are migrated one after the other into one destination.
    package var parts: [NamedMappingModel]
    /// Whether Core Data infers the mapping model; else somebody has written it.
    package var isInferred: Bool
    /// Where it may fail, or gives something other than it seems.
    package var risks: [Finding]
    /// What it loses of every store that has it.
    package var losses: [Loss]
    /// Why it is done this way.
    package var reason: String
    /// The work of one's own that belongs to it, in a staged migration.
    package var stage: MigrationStage?

    /// - Parameter losses: Without them, what the entity mappings lose by the models.
    package init(
      from: NamedModel, to: NamedModel, parts: [NamedMappingModel], isInferred: Bool = false,
      risks: [Finding] = [], losses: [Loss]? = nil, reason: String
    ) {
      self.from = from
      self.to = to
      self.parts = parts
      self.isInferred = isInferred
      self.risks = risks
      self.losses =
        losses
        ?? LossFinder(
          from: from.model, to: to.model, by: parts.map(\.mapping.entityMappings),
          named: parts.map(\.name)
        ).losses
      self.reason = reason
    }

    /// How the coordinator does it where the store stays where it is.
    package var means: Means { isInferred ? .inPlace : .passes }

    /// What ``MappingLint`` says of written mapping models, of all parts together.
    ///
    /// - Parameter policyMethods: The selectors of an entity mapping's policy; `nil` where it is not known.
    func findings(policyMethods: @escaping (EntityMapping) -> Set<String>?) -> [Finding] {
      guard !isInferred else { return [] }
      return MappingLint(
        parts.map(\.mapping), named: parts.map(\.name), from: MatchableModel(from.model),
        to: MatchableModel(to.model), policyMethods: policyMethods
      ).findings
    }

    /// What is wrong with written mapping models, or not what it seems; nothing that is told as a loss, and nothing
    /// that policies decide.
    package var faults: [Finding] {
      findings { _ in nil }.filter { finding in
        switch finding.rule as? MappingRule {
        case .unmappedSource, .unmappedDestination, .missingProperty, .leftBehind,
          .decidedByPolicy, nil:
          false
        default: true
        }
      }
    }

    /// The faults, the risks and the losses, but for what a stage copies or gives another value.
    package var warnings: [Finding] {
      let all = faults + risks + losses.map(\.finding)
      guard let stage else { return all }
      let copies = StageCopies(self)
      return all.filter { warning in
        let isGiven = stage.did.changes.contains {
          $0.entity == warning.entity && $0.attributes.contains(warning.property ?? "")
        }
        return !isGiven && !copies.isCopied(warning)
      }
    }

    /// Those of all parts, in order.
    package var entityMappings: [EntityMapping] { parts.flatMap(\.mapping.entityMappings) }
  }
}
