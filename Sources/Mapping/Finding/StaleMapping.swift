internal import StrataBase
package import StrataObjectModel

/// A stale mapping model: it matches one end of a hop, and the other end before an edit. Core Data silently
/// ignores it.
///
/// ```swift
/// let known = versions.map { (name: $0.versionName, model: MatchableModel($0.model)) }
/// for candidate in mappings {
///   if let stale = StaleMapping(candidate, from: version4, to: version5, among: known) {
///     print(stale.name, stale.edits)  // such as Model4ToModel5 ["Member: + attribute phone: String, optional"]
///   }
/// }
/// ```
///
/// Source: `Docs/Facts/migration-process.md`, section 3 (a stale file after the editing of a model).
package struct StaleMapping: Sendable, Hashable {
  package var name: String
  /// The path of its file, as given by the user.
  package var path: String?
  /// Whether the source was edited; otherwise the destination.
  package var isSource: Bool
  /// The entities of the edited model whose hashes differ from those of the mapping model.
  package var entities: [String]
  /// The edits, one line for each entity and change; empty if the file does not contain the model.
  package var edits: [String]

  /// `nil` if the mapping model fits the hop, is unrelated, or belongs to another hop.
  ///
  /// It belongs to another hop if its file names another known version for the mismatched end or, without a
  /// known name, if its hashes match two versions. One with equal source and destination belongs to no hop: it
  /// was saved when the new version was still a copy of the old one.
  ///
  /// - Parameter versions: All known versions, with their own names.
  package init?(
    _ candidate: NamedMappingModel, from source: NamedModel, to destination: NamedModel,
    among versions: [(name: String, model: MatchableModel)]
  ) {
    let mapping = candidate.mapping
    let first = mapping.sourceFit(of: MatchableModel(source.model))
    let second = mapping.destinationFit(of: MatchableModel(destination.model))
    guard first.isPart != second.isPart, mapping.hasBothEnds else { return nil }
    let isSource = second.isPart
    self.isSource = isSource
    let (edited, kept) =
      isSource ? (source, candidate.source) : (destination, candidate.destination)
    // A model without any of its entities is another one, not an edited one.
    let names = mapping.entityMappings.compactMap { isSource ? $0.sourceName : $0.destinationName }
    guard names.contains(where: { edited.model[$0] != nil }),
      Self.wasCreated(candidate, for: edited, kept: kept, among: versions)
    else { return nil }
    (name, path) = (candidate.name, candidate.path)
    let fit = isSource ? first : second
    entities =
      (fit.staleSources + fit.missingSources + fit.staleDestinations + fit.missingDestinations)
      .sorted { $0.precedesInBytes($1) }
    edits = kept.map { Self.edits(of: edited.model, since: $0.model) } ?? []
  }

  /// Whether the mismatched end of a mapping model was an earlier state of a version.
  private static func wasCreated(
    _ candidate: NamedMappingModel, for edited: NamedModel, kept: NamedModel?,
    among versions: [(name: String, model: MatchableModel)]
  ) -> Bool {
    // The model in its file identifies the edited version.
    if let name = kept?.versionName,
      name == edited.versionName || versions.contains(where: { $0.name == name })
    {
      return name == edited.versionName
    }
    return candidate.mapping.pairs(among: versions.map(\.model)).isEmpty
  }

  /// The changes that change version hashes.
  private static func edits(of model: ObjectModel, since old: ObjectModel) -> [String] {
    model.difference(from: old).entities.filter(\.movesHash).flatMap { entity -> [String] in
      switch entity.kind {
      case .added: return ["\(entity.name): added"]
      case .removed: return ["\(entity.name): removed"]
      case .renamed, .changed:
        return entity.changes.filter(\.movesHash).map { "\(entity.name): \($0.text)" }
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
