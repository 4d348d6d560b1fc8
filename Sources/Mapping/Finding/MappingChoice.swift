package import StrataBase
package import StrataObjectModel

/// Which mapping models lead from one model to another, and why the others do not.
///
/// Core Data goes by the version hashes alone and uses one mapping model. Where several fit, which one it uses is
/// undefined. A mapping model that is divided into several files is for an app that runs them itself.
///
/// ```swift
/// let choice = MappingChoice(from: model4, to: model5, among: candidates)
/// choice.isUndefined        // true: three files fit
/// choice.parts.map(\.name)  // ["Model4ToModel5-1", "Model4ToModel5-2", "Model4ToModel5-3"]
/// ```
///
/// Source: facts on the migration process, sections 1.1 and 3; on inference, section 7.
package struct MappingChoice: Sendable, Hashable {
  /// A candidate that Core Data does not use.
  package struct Rejection: Sendable, Hashable {
    package var name: String
    package var reason: String
    /// Where it does not fit: as `mapping lint` says it.
    package var findings: [Finding] = []
  }

  /// Those that fit by themselves, in the order of their names.
  package private(set) var fitting: [NamedMappingModel] = []
  /// What an app runs one after the other into one destination: the mapping model, or the files into which it is
  /// divided; empty where nothing leads there, or where several mapping models do the same work.
  package private(set) var parts: [NamedMappingModel] = []
  /// All that Core Data does not use, in the order of the candidates.
  package private(set) var rejected: [Rejection] = []
  private let isEmpty: Bool

  /// The one that Core Data uses.
  package var chosen: NamedMappingModel? { fitting.count == 1 ? fitting[0] : nil }

  /// Whether several fit, so that nobody knows which one Core Data uses.
  package var isUndefined: Bool { fitting.count > 1 }

  package init(
    from source: NamedModel, to destination: NamedModel, among candidates: [NamedMappingModel]
  ) {
    guard !candidates.isEmpty else {
      self.init()
      return
    }
    self.init(
      from: (source.versionName, MatchableModel(source.model)),
      to: (destination.versionName, MatchableModel(destination.model)), among: candidates)
  }

  private init() {
    isEmpty = true
  }

  /// - Parameters:
  ///   - source: The name of the version, and its model.
  ///   - destination: The name of the version, and its model.
  package init(
    from source: (name: String, model: MatchableModel),
    to destination: (name: String, model: MatchableModel), among candidates: [NamedMappingModel]
  ) {
    isEmpty = candidates.isEmpty
    var partial: [(model: NamedMappingModel, unmapped: Set<String>)] = []
    let readable = Set(candidates.filter(\.isReadByCoreData).map(Signature.init))
    var signatures: Set<Signature> = []
    for candidate in candidates {
      // An .xcmappingmodel and what Xcode compiled from it are one; so is the text that it was written from.
      let signature = Signature(candidate)
      guard candidate.isReadByCoreData || !readable.contains(signature),
        signatures.insert(signature).inserted
      else { continue }
      let fit = candidate.mapping.fit(from: source.model, to: destination.model)
      if fit.isFitting, candidate.isReadByCoreData {
        fitting.append(candidate)
        continue
      }
      rejected.append(
        Rejection(
          name: candidate.name, reason: fit.isFitting ? Self.isText : fit.words,
          findings: fit.isFitting ? [] : fit.findings))
      if fit.isPart, candidate.isReadByCoreData {
        partial.append((candidate, Set(fit.unmappedSources)))
      }
    }
    fitting.sort { $0.name.precedesByNumber($1.name) }
    parts =
      fitting.isEmpty
      ? Self.division(of: partial, from: source.name, to: destination.name)
      : Self.parts(of: fitting, from: source.name, to: destination.name)
  }

  private static let isText =
    "it fits; Core Data cannot read a .mapping text, so it counts only where --mapping names it"

  /// What is the same in the two forms of one mapping model.
  private struct Signature: Hashable {
    var name: String
    var entities: [[String?]]

    init(_ model: NamedMappingModel) {
      name = model.name
      entities = model.mapping.entityMappings.map {
        [
          $0.name, $0.sourceName, $0.destinationName, $0.sourceHash?.hex, $0.destinationHash?.hex,
        ]
      }.sorted { ($0[0] ?? "").precedesInBytes($1[0] ?? "") }
    }
  }

  /// Of several that fit: what the naming convention says, else all, where filters divide the objects among them.
  private static func parts(
    of fitting: [NamedMappingModel], from source: String, to destination: String
  ) -> [NamedMappingModel] {
    guard fitting.count > 1 else { return fitting }
    let named = fitting.named(from: source, to: destination)
    guard named.isEmpty else { return named }
    return isDivided(fitting) ? fitting : []
  }

  /// Those that leave entities out, where together they leave none out: by the naming convention, else all.
  private static func division(
    of partial: [(model: NamedMappingModel, unmapped: Set<String>)], from source: String,
    to destination: String
  ) -> [NamedMappingModel] {
    guard let first = partial.first else { return [] }
    let models = partial.map(\.model)
    let named = models.named(from: source, to: destination)
    for group in [named, models] where group.count > 1 {
      let unmapped = partial.filter { group.contains($0.model) }.reduce(first.unmapped) {
        $0.intersection($1.unmapped)
      }
      if unmapped.isEmpty, group == named || isDivided(group) {
        return group.sorted { $0.name.precedesByNumber($1.name) }
      }
    }
    return []
  }

  /// Whether no two of them map all objects of one entity to the same destination: such would create each twice.
  ///
  /// Numbered names need no such proof: an app runs what they say. What filters or names create twice,
  /// ``MappingLint`` tells.
  private static func isDivided(_ models: [NamedMappingModel]) -> Bool {
    var counts: [[String]: Int] = [:]
    var unfiltered: Set<[String]> = []
    for model in models {
      var pairs: Set<[String]> = []
      for mapping in model.mapping.entityMappings {
        guard let source = mapping.sourceName, let destination = mapping.destinationName else {
          continue
        }
        pairs.insert([source, destination])
        if mapping.filter == nil, mapping.customSource == nil {
          unfiltered.insert([source, destination])
        }
      }
      for pair in pairs { counts[pair, default: 0] += 1 }
    }
    return !unfiltered.contains { counts[$0, default: 0] > 1 }
  }
}

extension MappingChoice {
  /// What Core Data does with the mapping models, in words.
  package var reason: String {
    if chosen != nil { return "it fits by its hashes" }
    if isUndefined {
      return
        "\(fitting.count) mapping models fit by their hashes; which one Core Data uses is undefined"
    }
    if !parts.isEmpty {
      return
        "none fits by itself, so Core Data uses none; together they map every entity, for an app that runs them itself"
    }
    return isEmpty ? "no mapping model is known" : "none of the mapping models fits"
  }
}
