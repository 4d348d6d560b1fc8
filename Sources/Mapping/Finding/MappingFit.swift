package import StrataBase
internal import StrataObjectModel

/// The result of comparing the version hashes of a mapping model with those of two models.
///
/// Core Data chooses a mapping model only if all hashes match, and reports no reason if they do not.
///
/// ```swift
/// mapping.fit(from: MatchableModel(model1), to: MatchableModel(model2)).isFitting  // true
/// ```
///
/// Source: `Docs/Facts/migration-process.md`, section 3; the real mapping model `Moody 4-Moody 5`, which is in use, shows
/// that a removed entity needs no entity mapping.
package struct MappingFit: Sendable, Hashable {
  /// Source entities of another version.
  package var staleSources: [String] = []
  /// Source entities that the source model lacks.
  package var missingSources: [String] = []
  /// Source entities that the destination also has and that no entity mapping reads. Abstract and removed
  /// entities need no entity mapping.
  package var unmappedSources: [String] = []
  /// Destination entities of another version.
  package var staleDestinations: [String] = []
  /// Destination entities that the destination model lacks.
  package var missingDestinations: [String] = []
  /// Whether the mapping model has no hashes, as one without its models.
  package var isUnknown = false

  package var isFitting: Bool { isPart && unmappedSources.isEmpty }

  /// Whether all entities that it names match the models; it can omit entities, like a part of a divided
  /// mapping model.
  package var isPart: Bool {
    !isUnknown
      && [staleSources, missingSources, staleDestinations, missingDestinations].allSatisfy(
        \.isEmpty)
  }

  /// The mismatches as reported by ``MappingLint``, but as notes, since the mapping model may be for other
  /// models. Empty if it fits or has no hashes.
  package var findings: [Finding] {
    guard !isUnknown else { return [] }
    let rules: [MappingRule] =
      missingSources.map { .unknownSource($0, near: nil) }
      + staleSources.map { .staleHash(entity: $0, isSource: true) }
      + unmappedSources.map { .unmappedSource($0, isKept: true) }
      + missingDestinations.map { .unknownDestination($0, near: nil) }
      + staleDestinations.map { .staleHash(entity: $0, isSource: false) }
    return rules.map { rule in
      var finding = rule.finding(in: nil)
      finding.severity = .note
      return finding
    }
  }

  /// The reasons why it does not fit; empty if it fits.
  package var reason: String {
    if isUnknown { return "its version hashes are unknown" }
    var reasons: [String] = []
    if !missingSources.isEmpty {
      reasons.append("the source has no \(missingSources.joined(separator: ", "))")
    }
    if !staleSources.isEmpty {
      reasons.append(
        "created for another version of \(staleSources.joined(separator: ", ")) in the source")
    }
    if !unmappedSources.isEmpty {
      reasons.append("no entity mapping reads \(unmappedSources.joined(separator: ", "))")
    }
    if !missingDestinations.isEmpty {
      reasons.append("the destination has no \(missingDestinations.joined(separator: ", "))")
    }
    if !staleDestinations.isEmpty {
      reasons.append(
        "created for another version of \(staleDestinations.joined(separator: ", ")) in the destination"
      )
    }
    return reasons.joined(separator: "; ")
  }
}

extension MappingModel {
  /// Compares the mapping model with two models.
  package func fit(from source: MatchableModel, to destination: MatchableModel) -> MappingFit {
    var fit = sourceFit(of: source)
    let other = destinationFit(of: destination)
    (fit.staleDestinations, fit.missingDestinations) = (
      other.staleDestinations, other.missingDestinations
    )
    fit.isUnknown = fit.isUnknown && other.isUnknown
    let sourceNames = Set(entityMappings.compactMap(\.sourceName))
    let kept = ModelMatching(from: source, to: destination).entities.pairs.map(\.source)
    fit.unmappedSources = kept.filter {
      !sourceNames.contains($0) && source.model[$0]?.isAbstract != true
    }.sorted { $0.precedesInBytes($1) }
    return fit
  }

  /// Whether all entities that it names match two models, as in ``MappingFit/isPart``.
  package func isPart(from source: MatchableModel, to destination: MatchableModel) -> Bool {
    sourceFit(of: source).isPart && destinationFit(of: destination).isPart
  }

  /// The pairs of models with different hashes that it or a part of it migrates, as indices.
  package func pairs(among models: [MatchableModel]) -> [(source: Int, destination: Int)] {
    let ends = models.indices.filter { destinationFit(of: models[$0]).isPart }
    guard !ends.isEmpty else { return [] }
    return models.indices.filter { sourceFit(of: models[$0]).isPart }.flatMap { source in
      ends.filter { models[$0].hashes != models[source].hashes }.map { (source, $0) }
    }
  }

  /// Compares its source entities with a model.
  package func sourceFit(of model: MatchableModel) -> MappingFit {
    let names = entityMappings.compactMap { mapping in
      mapping.sourceName.map { ($0, mapping.sourceHash) }
    }
    var fit = MappingFit()
    (fit.staleSources, fit.missingSources, fit.isUnknown) = Self.compare(names, with: model)
    return fit
  }

  /// Compares its destination entities with a model.
  package func destinationFit(of model: MatchableModel) -> MappingFit {
    let names = entityMappings.compactMap { mapping in
      mapping.destinationName.map { ($0, mapping.destinationHash) }
    }
    var fit = MappingFit()
    (fit.staleDestinations, fit.missingDestinations, fit.isUnknown) = Self.compare(
      names, with: model)
    return fit
  }

  private static func compare(
    _ names: [(String, VersionHash?)], with model: MatchableModel
  ) -> (stale: [String], missing: [String], isUnknown: Bool) {
    var (stale, missing): (Set<String>, Set<String>) = ([], [])
    for (name, hash) in names {
      if model.hashes[name] == nil {
        missing.insert(name)
      } else if hash != model.hashes[name] {
        stale.insert(name)
      }
    }
    return (
      stale.sorted { $0.precedesInBytes($1) }, missing.sorted { $0.precedesInBytes($1) },
      !names.isEmpty && names.allSatisfy { $0.1 == nil }
    )
  }
}
