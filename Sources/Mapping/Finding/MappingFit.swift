package import StrataBase
internal import StrataObjectModel

/// Whether a mapping model is for two models, by the version hashes in it; where it is not, why.
///
/// Core Data chooses a mapping model only where all of this fits, and says nothing where it does not.
///
/// ```swift
/// mapping.fit(from: first, to: second).isFitting  // true
/// ```
///
/// Source: facts on the migration process, section 3; that an entity which goes needs no entity mapping, the
/// corpus's `Moody 4-Moody 5`, which its project ships.
package struct MappingFit: Sendable, Hashable {
  /// Source entities of another version.
  package var staleSources: [String] = []
  /// Source entities that the source model lacks.
  package var missingSources: [String] = []
  /// Source entities that the destination has too, and that no entity mapping takes; abstract ones need
  /// none. One that goes needs none either: a real mapping model has none for such an entity.
  package var unmappedSources: [String] = []
  /// Destination entities of another version.
  package var staleDestinations: [String] = []
  /// Destination entities that the destination model lacks.
  package var missingDestinations: [String] = []
  /// Whether the mapping model tells no hashes at all, as one without its models does.
  package var isUnknown = false

  package var isFitting: Bool { isPart && unmappedSources.isEmpty }

  /// Whether each entity that it names is that of the models; it may leave entities out, as a part of a divided
  /// mapping model does.
  package var isPart: Bool {
    !isUnknown
      && [staleSources, missingSources, staleDestinations, missingDestinations].allSatisfy(
        \.isEmpty)
  }

  /// Why it does not fit, as ``MappingLint`` says it, but as notes: it may be meant for other models. Empty where it
  /// fits, and where it tells no hashes.
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

  /// Why it does not fit, in words; empty where it does.
  package var words: String {
    if isUnknown { return "it tells no version hashes" }
    var reasons: [String] = []
    if !missingSources.isEmpty {
      reasons.append("the source has no \(missingSources.joined(separator: ", "))")
    }
    if !staleSources.isEmpty {
      reasons.append("made for another \(staleSources.joined(separator: ", ")) in the source")
    }
    if !unmappedSources.isEmpty {
      reasons.append("no entity mapping takes \(unmappedSources.joined(separator: ", "))")
    }
    if !missingDestinations.isEmpty {
      reasons.append("the destination has no \(missingDestinations.joined(separator: ", "))")
    }
    if !staleDestinations.isEmpty {
      reasons.append(
        "made for another \(staleDestinations.joined(separator: ", ")) in the destination")
    }
    return reasons.joined(separator: "; ")
  }
}

extension MappingModel {
  /// How it fits two models.
  package func fit(from source: MatchableModel, to destination: MatchableModel) -> MappingFit {
    var fit = sourceFit(of: source)
    let other = destinationFit(of: destination)
    (fit.staleDestinations, fit.missingDestinations) = (
      other.staleDestinations, other.missingDestinations
    )
    fit.isUnknown = fit.isUnknown && other.isUnknown
    let taken = Set(entityMappings.compactMap(\.sourceName))
    let kept = ModelMatching(from: source, to: destination).entities.pairs.map(\.source)
    fit.unmappedSources = kept.filter {
      !taken.contains($0) && source.model[$0]?.isAbstract != true
    }.sorted { $0.precedesInBytes($1) }
    return fit
  }

  /// How its source side fits a model.
  package func sourceFit(of model: MatchableModel) -> MappingFit {
    let names = entityMappings.compactMap { mapping in
      mapping.sourceName.map { ($0, mapping.sourceHash) }
    }
    var fit = MappingFit()
    (fit.staleSources, fit.missingSources, fit.isUnknown) = Self.compare(names, with: model)
    return fit
  }

  /// How its destination side fits a model.
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
