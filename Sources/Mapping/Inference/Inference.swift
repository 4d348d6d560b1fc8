package import StrataBase
package import StrataObjectModel

/// The result of inference: the inferred mapping model, or all obstacles.
///
/// ```swift
/// Inference(from: model1, to: model2).mapping?.entityMappings.map(\.name)
/// // ["IEM_Transform_Topic", "IEM_Copy_TopicList"]
/// ```
///
/// Source: `Docs/Facts/inference.md`, sections 1 to 5.
package struct Inference: Sendable, Hashable {
  /// The inferred mapping model; `nil` if there is an obstacle.
  package var mapping: MappingModel?
  /// The mapping model between models with equal hashes: nothing is matched by renaming identifiers, which can be
  /// ambiguous.
  package let compatibleMapping: MappingModel?
  package var obstacles: [Finding]
  /// Warnings about a successful inference: the migration can fail or give unexpected results.
  package var risks: [Finding]
  /// The losses of the migration, for every store that has such data.
  package var losses: [Loss]

  /// The risks, then the losses.
  package var warnings: [Finding] { risks + losses.map(\.finding) }

  package var isInferable: Bool { mapping != nil }

  /// The result is cached with the models, because a plan infers the same hop repeatedly.
  package init(from source: ObjectModel, to destination: ObjectModel) {
    self = source.memory.value(with: destination.memory) {
      Inference(from: MatchableModel(source), to: MatchableModel(destination))
    }
  }

  package init(from source: MatchableModel, to destination: MatchableModel) {
    let identified = ModelMatching(from: source, to: destination)
    obstacles = ObstacleFinder(source: source, destination: destination).obstacles(of: identified)
    let matching =
      source.hashes == destination.hashes
      ? ModelMatching(from: source, to: destination, isCompatible: true) : identified
    risks = RiskFinder(matching).risks
    let mapping = matching.inferredMapping()
    var explainer = LossExplainer(matching)
    losses = explainer.explained(LossFinder(matching, by: mapping).losses)
    self.mapping = obstacles.isEmpty ? mapping : nil
    compatibleMapping = source.hashes == destination.hashes ? mapping : nil
  }
}

extension Inference {
  /// The verdict without the mapping model.
  package enum Verdict: Sendable, Hashable {
    /// A store opens without a migration: all hashes are equal.
    case compatible
    case inferable
    /// Inference fails, with all obstacles.
    case refused([Finding])

    package init(from source: MatchableModel, to destination: MatchableModel) {
      guard source.hashes != destination.hashes else {
        self = .compatible
        return
      }
      self.init(
        ObstacleFinder(source: source, destination: destination)
          .obstacles(of: ModelMatching(from: source, to: destination)))
    }

    init(_ obstacles: [Finding]) {
      self = obstacles.isEmpty ? .inferable : .refused(obstacles)
    }
  }
}
