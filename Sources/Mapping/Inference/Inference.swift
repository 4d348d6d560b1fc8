package import StrataBase
package import StrataObjectModel

/// The answer to "can this migrate by itself?": the inferred mapping model, or every obstacle.
///
/// ```swift
/// Inference(from: first, to: second).mapping?.entityMappings.map(\.name)
/// // ["IEM_Transform_Topic", "IEM_Copy_TopicList"]
/// ```
///
/// Source: facts on inference, sections 1 to 5.
package struct Inference: Sendable, Hashable {
  /// `nil` where there is an obstacle.
  package var mapping: MappingModel?
  package var obstacles: [Finding]
  /// Where inference succeeds and the migration may still fail, or gives something other than it seems.
  package var risks: [Finding]
  /// What the migration loses of every store that has it.
  package var losses: [Loss]

  /// The risks, then the losses.
  package var warnings: [Finding] { risks + losses.map(\.finding) }

  package var isInferable: Bool { mapping != nil }

  /// What is inferred is remembered with the models: a plan asks for the same hop time and again.
  package init(from source: ObjectModel, to destination: ObjectModel) {
    self = source.memory.value(with: destination.memory) {
      Inference(from: MatchableModel(source), to: MatchableModel(destination))
    }
  }

  package init(from source: MatchableModel, to destination: MatchableModel) {
    let matching = ModelMatching(from: source, to: destination)
    var finder = ObstacleFinder(matching)
    finder.findObstacles()
    finder.findRisks()
    obstacles = finder.obstacles
    risks = finder.risks
    let mapping = matching.inferredMapping()
    var explainer = LossExplainer(matching)
    losses = explainer.explained(LossFinder(matching, by: mapping).losses)
    self.mapping = obstacles.isEmpty ? mapping : nil
  }
}

extension Inference {
  /// The answer in one word, without the mapping model.
  package enum Verdict: Sendable, Hashable {
    /// A store opens as it is: every hash is the same.
    case compatible
    case inferable
    /// With obstacles, all of them.
    case refused([Finding])

    package init(from source: MatchableModel, to destination: MatchableModel) {
      guard source.hashes != destination.hashes else {
        self = .compatible
        return
      }
      var finder = ObstacleFinder(ModelMatching(from: source, to: destination))
      finder.findObstacles()
      self = finder.obstacles.isEmpty ? .inferable : .refused(finder.obstacles)
    }
  }
}
