package import StrataBase
package import StrataObjectModel

/// The mapping models that migrate one model to another, and the reasons why the others are not used.
///
/// Core Data only compares version hashes and uses one mapping model. If several fit, its choice is undefined.
/// Copies of one mapping model count once. A mapping model that is divided into several files requires an app that runs each of them.
///
/// ```swift
/// let choice = MappingChoice(from: version4, to: version5, among: mappings)
/// choice.isUndefined        // true: three files fit
/// choice.parts.map(\.name)  // ["Model4ToModel5-1", "Model4ToModel5-2", "Model4ToModel5-3"]
/// ```
///
/// Source: `Docs/Facts/migration-process.md`, sections 1.1 and 3; `Docs/Facts/inference.md`, section 7.
package struct MappingChoice: Sendable, Hashable {
  /// A candidate that Core Data does not use.
  package struct Rejection: Sendable, Hashable {
    package var name: String
    package var reason: String
    /// The mismatches, as reported by `mapping lint`.
    package var findings: [Finding] = []
  }

  /// The mapping models that fit alone, sorted by name.
  package private(set) var fitting: [NamedMappingModel] = []
  /// The mapping models to run one after the other into one destination: one, or the parts of a divided mapping
  /// model; empty if none fits or the choice is ambiguous.
  package private(set) var parts: [NamedMappingModel] = []
  /// The mapping models that Core Data does not use, in the order of the candidates; copies come last.
  package private(set) var rejected: [Rejection] = []
  private let isEmpty: Bool

  /// The mapping model that Core Data uses.
  package var chosen: NamedMappingModel? { fitting.count == 1 ? fitting[0] : nil }

  /// Whether several mapping models fit, so that Core Data's choice is undefined.
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
    let distinct = candidates.distinct()
    for candidate in distinct.models {
      let fit = candidate.mapping.fit(from: source.model, to: destination.model)
      if fit.isFitting, candidate.isReadByCoreData {
        fitting.append(candidate)
        continue
      }
      rejected.append(
        Rejection(
          name: candidate.name, reason: fit.isFitting ? Self.isText : fit.reason,
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
    reject(distinct.copies)
  }

  /// Rejects copies with other names, for the reason of the mapping model that stands for them, unless that is used.
  private mutating func reject(_ copies: [[NamedMappingModel].Distinct.Copy]) {
    let used = Set((fitting + parts).map(\.name))
    let known = Dictionary(first: rejected.map { ($0.name, $0) })
    for pair in copies where pair.copy.name != pair.original.name {
      let name = pair.original.name
      var rejection = Rejection(name: name, reason: "its content is equal to that of \(name)")
      if !used.contains(name), let reason = known[name] { rejection = reason }
      rejection.name = pair.copy.name
      rejected.append(rejection)
    }
  }

  private static let isText =
    "it fits, but Core Data cannot read a .mapping file; it is used only if --mapping names it"

  /// The parts among several fitting mapping models: by the naming convention, otherwise all if their filters
  /// divide the objects.
  private static func parts(
    of fitting: [NamedMappingModel], from source: String, to destination: String
  ) -> [NamedMappingModel] {
    guard fitting.count > 1 else { return fitting }
    let named = fitting.named(from: source, to: destination)
    guard named.isEmpty else { return named }
    return isDivided(fitting) ? fitting : []
  }

  /// The parts among mapping models that omit entities, if together they omit none: by the naming convention,
  /// otherwise all.
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

  /// Whether no two of them map all objects of one entity to the same destination, which would create each
  /// object twice.
  ///
  /// Numbered names need no such check: an app runs all of them. ``MappingLint`` reports objects that are
  /// created twice.
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
  /// The reason for Core Data's choice.
  package var reason: String {
    if chosen != nil { return "its version hashes match" }
    if isUndefined {
      return
        "the version hashes of \(fitting.count) mapping models match; which one Core Data uses is undefined"
    }
    if !parts.isEmpty {
      return
        "none fits alone, so Core Data uses none; together they map every entity, for an app that runs each of them"
    }
    return isEmpty ? "no mapping model is known" : "none of the mapping models fits"
  }
}
