internal import StrataBase
internal import StrataObjectModel

/// The verdicts between many versions of a model, which have most of their entities in common: the obstacles of two
/// entities are found once for all pairs of versions with these entities.
///
/// ```swift
/// let table = VerdictTable([model1, model2].map(MatchableModel.init))
/// table.verdicts(from: 0)  // [.compatible, .inferable]
/// ```
package struct VerdictTable: Sendable {
  private let models: [MatchableModel]
  /// For each version, a number for its hashes.
  private let hashes: [Int]
  /// For each version, a number for the names, renaming identifiers and superentities of its entities.
  private let shapes: [Int]
  /// For each version and entity, a number for the entity with all that it inherits: entities with equal numbers
  /// have equal names, hashes and properties.
  private let kinds: [[Int]]

  package init(_ models: [MatchableModel]) {
    self.models = models
    var numbersOfHashes = Numbers<[String: VersionHash]>()
    hashes = models.map { numbersOfHashes.number(of: $0.hashes) }
    var numbersOfShapes = Numbers<[[String?]]>()
    shapes = models.map { model in
      numbersOfShapes.number(
        of: model.model.entities.map { [$0.name, $0.renamingIdentifier, $0.superentityName] })
    }
    var numbersOfKinds = Numbers<[ObjectIdentifier]>()
    kinds = models.map { model in
      model.model.entities.indices.map { index in
        model.model.sharedIdentity(ofEntityAt: index).map { numbersOfKinds.number(of: $0) }
          ?? numbersOfKinds.newNumber()
      }
    }
  }

  /// Small numbers for values, the same for equal ones.
  private struct Numbers<Value: Hashable> {
    private var known: [Value: Int] = [:]
    private var count = 0

    mutating func number(of value: Value) -> Int {
      if let number = known[value] { return number }
      let number = newNumber()
      known[value] = number
      return number
    }

    mutating func newNumber() -> Int {
      defer { count += 1 }
      return count
    }
  }

  /// The matched entities of a version and of others with one shape.
  private struct MatchedShape {
    /// By index among the entities of their models.
    var pairs: [(source: Int, destination: Int)]
    var obstacles: [Finding]
  }

  /// The verdicts of migrations from one version to each, by index.
  package func verdicts(from source: Int) -> [Inference.Verdict] {
    var matchedShapes: [Int: MatchedShape] = [:]
    // For each entity of the source, by kind of the other.
    var known = Array(
      repeating: [Int: [ObstacleFinder.Obstacle]](), count: kinds[source].count)
    return models.indices.map { destination in
      guard hashes[source] != hashes[destination] else { return .compatible }
      let finder = ObstacleFinder(source: models[source], destination: models[destination])
      let matched = matchedShapes[shapes[destination]] ?? Self.match(finder)
      matchedShapes[shapes[destination]] = matched
      var ofPairs: [[ObstacleFinder.Obstacle]] = []
      for pair in matched.pairs {
        let kind = kinds[destination][pair.destination]
        guard kind != kinds[source][pair.source] else { continue }
        let obstacles =
          known[pair.source][kind]
          ?? finder.obstacles(
            of: ModelMatching.Pair(
              finder.source.model.entities[pair.source].name, of: finder.source,
              finder.destination.model.entities[pair.destination].name, of: finder.destination))
        known[pair.source][kind] = obstacles
        if !obstacles.isEmpty { ofPairs.append(obstacles) }
      }
      return Inference.Verdict(ObstacleFinder.merged(matched.obstacles, ofPairs))
    }
  }

  private static func match(_ finder: ObstacleFinder) -> MatchedShape {
    let matching = NameMatching(
      source: finder.source.entities, destination: finder.destination.entities)
    let pairs = matching.pairs.compactMap { old, new in
      finder.source.model.index(ofEntity: old).flatMap { first in
        finder.destination.model.index(ofEntity: new).map { (source: first, destination: $0) }
      }
    }
    return MatchedShape(pairs: pairs, obstacles: finder.obstacles(of: matching))
  }
}
