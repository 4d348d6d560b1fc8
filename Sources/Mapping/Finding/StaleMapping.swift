internal import StrataBase
package import StrataObjectModel

/// A mapping model that was made for one end of a hop and for the other end as it was before an edit: Core Data
/// does not use it, and says nothing.
///
/// ```swift
/// StaleMapping(model4ToModel5, from: model4, to: model5, among: versions)?.edits
/// // ["Member: + attribute phone: String, optional"]
/// ```
///
/// Source: facts on the migration process, section 3 (a stale file after the editing of a model).
package struct StaleMapping: Sendable, Hashable {
  package var name: String
  /// Where its file stands, as a user names it.
  package var path: String?
  /// Whether the source was edited; else the destination.
  package var isSource: Bool
  /// The entities of the edited end that the mapping model knows otherwise.
  package var entities: [String]
  /// What was edited, a line for each entity and change; empty where the file does not hold the model.
  package var edits: [String]

  /// `nil` where the mapping model serves the hop, has nothing to do with it, or serves another hop.
  ///
  /// It serves another hop if its file names another known version for the end that does not fit; where the file
  /// names none that is known, if its hashes fit two versions. One that ends where it begins serves no hop: it was
  /// saved when the new version was still a copy of the old one.
  ///
  /// - Parameter versions: All that are known, under their own names.
  package init?(
    _ candidate: NamedMappingModel, from source: NamedModel, to destination: NamedModel,
    among versions: [(name: String, model: MatchableModel)]
  ) {
    let mapping = candidate.mapping
    let first = mapping.sourceFit(of: MatchableModel(source.model))
    let second = mapping.destinationFit(of: MatchableModel(destination.model))
    guard first.isPart != second.isPart, mapping.hasBothEnds else { return nil }
    isSource = second.isPart
    let (edited, kept) =
      isSource ? (source, candidate.source) : (destination, candidate.destination)
    guard Self.isMade(candidate, for: edited, kept: kept, among: versions) else { return nil }
    (name, path) = (candidate.name, candidate.path)
    let fit = isSource ? first : second
    entities =
      (fit.staleSources + fit.missingSources + fit.staleDestinations + fit.missingDestinations)
      .sorted { $0.precedesInBytes($1) }
    edits = kept.map { Self.edits(of: edited.model, since: $0.model) } ?? []
  }

  /// Whether the end of a mapping model that does not fit was a version as it was before an edit.
  private static func isMade(
    _ candidate: NamedMappingModel, for edited: NamedModel, kept: NamedModel?,
    among versions: [(name: String, model: MatchableModel)]
  ) -> Bool {
    // Its own model says which version was edited.
    if let name = kept?.versionName,
      name == edited.versionName || versions.contains(where: { $0.name == name })
    {
      return name == edited.versionName
    }
    let mapping = candidate.mapping
    let ends = versions.filter { mapping.destinationFit(of: $0.model).isPart }
    return !versions.contains { first in
      mapping.sourceFit(of: first.model).isPart
        && ends.contains { $0.model.hashes != first.model.hashes }
    }
  }

  /// The changes that move hashes.
  private static func edits(of model: ObjectModel, since old: ObjectModel) -> [String] {
    model.difference(from: old).entities.filter(\.movesHash).flatMap { entity -> [String] in
      switch entity.kind {
      case .added: return ["\(entity.name): added"]
      case .removed: return ["\(entity.name): removed"]
      case .renamed, .changed:
        return entity.changes.filter(\.movesHash).map { "\(entity.name): \($0.words)" }
      }
    }
  }
}

extension MappingModel {
  /// Whether it names entities of both models.
  fileprivate var hasBothEnds: Bool {
    entityMappings.contains { $0.sourceName != nil }
      && entityMappings.contains { $0.destinationName != nil }
  }
}
