internal import StrataObjectModel
internal import StrataValues

/// Whether a mapping model is for two models, by the version hashes in it; where it is not, why.
///
/// Core Data chooses a mapping model only where all of this fits, and says nothing where it does not.
///
/// ```swift
/// mapping.fit(from: first, to: second).isFitting  // true
/// ```
///
/// Source: facts on the migration process, section 3.
public struct MappingFit: Sendable, Hashable {
  /// Source entities of another version.
  public var staleSources: [String] = []
  /// Source entities that the source model lacks.
  public var missingSources: [String] = []
  /// Source entities that no entity mapping takes; abstract ones need none.
  public var unmappedSources: [String] = []
  /// Destination entities of another version.
  public var staleDestinations: [String] = []
  /// Destination entities that the destination model lacks.
  public var missingDestinations: [String] = []
  /// Whether the mapping model tells no hashes at all, as one without its models does.
  public var isUnknown = false

  public var isFitting: Bool {
    !isUnknown && words.isEmpty
  }

  /// Why it does not fit, in words; empty where it does.
  public var words: String {
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
  public func fit(from source: MatchableModel, to destination: MatchableModel) -> MappingFit {
    var fit = MappingFit()
    var taken: Set<String> = []
    var hashCount = 0
    for mapping in entityMappings {
      if let name = mapping.sourceName {
        taken.insert(name)
        hashCount += mapping.sourceHash == nil ? 0 : 1
        if source.hashes[name] == nil {
          fit.missingSources.append(name)
        } else if mapping.sourceHash != source.hashes[name] {
          fit.staleSources.append(name)
        }
      }
      if let name = mapping.destinationName {
        hashCount += mapping.destinationHash == nil ? 0 : 1
        if destination.hashes[name] == nil {
          fit.missingDestinations.append(name)
        } else if mapping.destinationHash != destination.hashes[name] {
          fit.staleDestinations.append(name)
        }
      }
    }
    fit.isUnknown = hashCount == 0
    fit.unmappedSources = source.model.entities
      .filter { !$0.isAbstract && !taken.contains($0.name) }.map(\.name)
    for list in [
      \MappingFit.staleSources, \.missingSources, \.staleDestinations, \.missingDestinations,
    ] {
      fit[keyPath: list] = Set(fit[keyPath: list]).sorted { $0.precedesInBytes($1) }
    }
    return fit
  }
}
