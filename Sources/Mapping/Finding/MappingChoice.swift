public import StrataDiagnostics
public import StrataObjectModel

/// Which mapping models lead from one model to another, and why the others were passed over.
public struct MappingChoice: Sendable, Hashable {
  /// A candidate that was not taken.
  public struct Rejection: Sendable, Hashable {
    public var name: String
    public var reason: String
    /// Where it does not fit: as `mapping lint` says it.
    public var findings: [Finding] = []
  }

  /// One, or its parts in the order in which they are migrated; none where nothing fits.
  public var models: [NamedMappingModel]
  /// Why these, in words.
  public var reason: String
  public var rejected: [Rejection]

  /// Chooses among candidates: what fits by its hashes; of several that fit, those that the naming
  /// convention puts together as parts, else the one that it names, else the first.
  ///
  /// Core Data goes by the hashes alone, and takes one.
  public init(
    from source: NamedModel, to destination: NamedModel, among candidates: [NamedMappingModel]
  ) {
    let (first, second) = (MatchableModel(source.model), MatchableModel(destination.model))
    var fitting: [NamedMappingModel] = []
    rejected = []
    for candidate in candidates {
      let fit = candidate.mapping.fit(from: first, to: second)
      if fit.isFitting {
        fitting.append(candidate)
      } else {
        rejected.append(
          Rejection(name: candidate.name, reason: fit.words, findings: fit.findings))
      }
    }
    let named = fitting.named(
      from: source.versionName, to: destination.versionName)
    if named.count > 1 {
      models = named
      reason = "they fit by their hashes, and by their names they are parts of one"
    } else if let only = named.first ?? fitting.first {
      models = [only]
      reason =
        fitting.count > 1 && !named.isEmpty
        ? "it fits by its hashes, and by its name" : "it fits by its hashes"
    } else {
      models = []
      reason =
        candidates.isEmpty ? "no mapping model is known" : "none of the mapping models fits"
    }
    for other in fitting where !models.contains(other) {
      rejected.append(
        Rejection(name: other.name, reason: "it fits as well; \(models[0].name) was chosen"))
    }
  }
}
