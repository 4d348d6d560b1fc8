package import StrataBase
package import StrataMapping
package import StrataObjectModel

/// A plan to migrate a store from one model to another: the hops, with reasons.
package struct MigrationPlan: Sendable, Hashable {
  /// The hops; empty if the models are already compatible.
  package var hops: [Hop]

  package init(hops: [Hop]) {
    self.hops = hops
  }

  /// Whether a migration without a new store changes the old one in place, hop by hop; otherwise it is replaced.
  package var isInPlace: Bool { hops.allSatisfy { $0.means == .inPlace } }

  /// The way in which a hop is performed.
  package enum Means: String, Sendable, Hashable {
    /// In place, by SQL.
    case inPlace
    /// By a migration manager, from one store into another.
    case passes
  }

  /// One migration from a model version to the next.
  package struct Hop: Sendable, Hashable {
    package var from: NamedModel
    package var to: NamedModel
    /// The mapping model, or its parts, which are run one after the other into one destination.
    package var parts: [NamedMappingModel]
    /// Whether the mapping model is inferred; otherwise it is written.
    package var isInferred: Bool
    /// The risks of the inferred migration.
    package var risks: [Finding]
    /// The losses, for every store that has such data.
    package var losses: [Loss]
    /// The reason for this hop.
    package private(set) var reason: String
    /// Whether the store is one document.
    private var isOfDocument = false
    /// The custom stage of a staged migration.
    package var stage: MigrationStage?

    /// - Parameter losses: The losses; if `nil`, they are determined from the entity mappings and the models.
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

    /// The way in which Core Data's coordinator performs the hop.
    package var means: Means { isInferred && !isOfDocument ? .inPlace : .passes }

    static let inferableReason = "the change can be inferred; the store is migrated in place"

    /// The hop for an XML or binary store, which is one document: it is read whole and written anew.
    package var ofDocument: Self {
      var hop = self
      hop.isOfDocument = true
      if reason == Self.inferableReason {
        hop.reason = "the change can be inferred; only a SQLite store is migrated in place"
      }
      return hop
    }

    /// The findings of ``MappingLint`` about written mapping models, for all parts together.
    ///
    /// - Parameter policyMethods: The selectors of an entity mapping's policy; `nil` if unknown.
    func findings(policyMethods: @escaping (EntityMapping) -> Set<String>?) -> [Finding] {
      guard !isInferred else { return [] }
      return MappingLint(
        parts.map(\.mapping), named: parts.map(\.name), from: MatchableModel(from.model),
        to: MatchableModel(to.model), policyMethods: policyMethods
      ).findings
    }

    /// The errors and warnings about written mapping models, without losses and without properties that
    /// policies set.
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

    /// The errors, the risks and the losses, except for values that a stage copies or replaces.
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

    /// The entity mappings of all parts, in order.
    package var entityMappings: [EntityMapping] { parts.flatMap(\.mapping.entityMappings) }
  }
}

extension MigrationPlan.Hop {
  /// The source entities of entity mappings that create objects.
  var continuedEntities: Set<String> {
    Set(
      entityMappings.filter {
        $0.destinationName.flatMap { to.model[$0] }?.isAbstract == false
      }.compactMap(\.sourceName))
  }
}
