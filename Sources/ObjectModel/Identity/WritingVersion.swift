internal import StrataBase

/// A model version that may have written a store.
package struct WriterCandidate: Sendable, Hashable {
  package var model: NamedModel
  /// The bundle that contains the version: an app merges at most one version of each bundle.
  package var bundle: String

  /// - Parameter bundle: `nil` for a model outside of a bundle.
  package init(_ model: NamedModel, bundle: String? = nil) {
    self.model = model
    self.bundle = bundle ?? model.name
  }
}

/// The model that wrote a store: a version, a configuration of a version, or several versions merged into one
/// model.
package struct WritingVersion: Sendable, Hashable {
  /// One version, or the merged versions, sorted by name.
  package let versions: [NamedModel]
  /// `nil` for the whole model.
  package let configuration: String?
  /// The model of exactly the entities of the store; `nil` if they do not form a complete model, because a
  /// parent or a destination is in another configuration.
  package let model: ObjectModel?

  init(_ version: NamedModel) {
    (versions, configuration, model) = ([version], nil, version.model)
  }

  init(_ version: NamedModel, configuration: String) {
    (versions, self.configuration) = ([version], configuration)
    model = try? version.model.narrowed(toConfiguration: configuration)
  }

  /// `nil` if the versions cannot be merged.
  init?(merging versions: [NamedModel]) {
    let versions = versions.sorted { $0.name.precedesInBytes($1.name) }
    guard let model = try? ObjectModel(merging: versions.map(\.model)) else { return nil }
    (self.versions, configuration, self.model) = (versions, nil, model)
  }

  /// The name of the model in a command: `Model2`, `A/Model2+B/Model1`.
  package var name: String { versions.map(\.name).joined(separator: "+") }
}

/// Finds the model that wrote a store by the recorded version hashes.
///
/// Versions with matching hashes come first, then configurations of a version, then merged versions of several
/// bundles, as few as possible.
///
/// ```swift
/// let search = WriterSearch(versions.map { WriterCandidate($0, bundle: "Topics") })
/// search.writers(of: reader.store.metadata.versionHashes).first?.name  // "Topics/Model1"
/// ```
package struct WriterSearch: Sendable {
  private let candidates: [WriterCandidate]

  /// The maximum number of merged versions.
  static let partLimit = 4
  /// The maximum numbers of merged models found and tried.
  private static let (unionLimit, trialLimit) = (16, 10_000)

  /// - Parameter candidates: Only the first of several equal models with one version name is used.
  package init(_ candidates: [WriterCandidate]) {
    self.candidates = candidates
  }

  /// All matching models of the first kind that has a match; empty if there is none.
  package func writers(of hashes: [String: VersionHash]) -> [WritingVersion] {
    let names = hashes.keys.sorted { $0.precedesInBytes($1) }
    let versions = distinct {
      $0.entityNames == names && $0.versionHashes() == hashes
    }.map { WritingVersion($0.model) }
    guard versions.isEmpty, !names.isEmpty else { return versions }
    let configurations = configurations(of: hashes, names)
    return configurations.isEmpty ? unions(of: hashes) : configurations
  }

  private func distinct(_ fits: (ObjectModel) -> Bool) -> [WriterCandidate] {
    var found: [WriterCandidate] = []
    for candidate in candidates where fits(candidate.model.model) {
      guard
        !found.contains(where: {
          $0.model.versionName == candidate.model.versionName
            && $0.model.model == candidate.model.model
        })
      else { continue }
      found.append(candidate)
    }
    return found
  }

  private func configurations(
    of hashes: [String: VersionHash], _ names: [String]
  ) -> [WritingVersion] {
    func fitting(_ model: ObjectModel) -> [String] {
      model.configurationNames.filter {
        (try? model.entityNames(inConfiguration: $0)) == names
      }
    }
    let versions = distinct { model in
      guard !fitting(model).isEmpty else { return false }
      let own = model.versionHashes()
      return hashes.allSatisfy { own[$0.key] == $0.value }
    }
    return versions.flatMap { version in
      fitting(version.model.model).map { WritingVersion(version.model, configuration: $0) }
    }
  }

  // MARK: Merged models

  /// A version whose entities are all in the store.
  private struct Part {
    var candidate: WriterCandidate
    var names: Set<String>
  }

  private func unions(of hashes: [String: VersionHash]) -> [WritingVersion] {
    let parts = distinct { model in
      !model.entities.isEmpty && model.entities.count < hashes.count
        && model.entities.allSatisfy { hashes[$0.name] != nil }
        && model.versionHashes().allSatisfy { hashes[$0.key] == $0.value }
    }.map { Part(candidate: $0, names: Set($0.model.model.entityNames)) }
    let wanted = Set(hashes.keys)
    guard parts.reduce(into: Set<String>(), { $0.formUnion($1.names) }) == wanted else { return [] }
    var trials = 0
    for count in 2...Self.partLimit {
      var found: [WritingVersion] = []
      for union in Self.covers(of: wanted, by: parts, count: count, &trials) {
        let writer = WritingVersion(merging: union.map(\.candidate.model))
        if let writer, !found.contains(writer) { found.append(writer) }
      }
      if !found.isEmpty { return found }
    }
    return []
  }

  /// The combinations of at most that many versions, each of a different bundle, that together have all
  /// entities.
  private static func covers(
    of wanted: Set<String>, by parts: [Part], count: Int, _ trials: inout Int
  ) -> [[Part]] {
    guard !wanted.isEmpty else { return [[]] }
    guard count > 0, trials < trialLimit else { return [] }
    trials += 1
    // Every combination contains the rarest entity.
    let carriers =
      wanted.map { name in (name, parts.filter { $0.names.contains(name) }) }
      .min { ($0.1.count, $0.0) < ($1.1.count, $1.0) }?.1 ?? []
    var found: [[Part]] = []
    for part in carriers where found.count < unionLimit {
      let others = parts.filter { $0.candidate.bundle != part.candidate.bundle }
      found += covers(of: wanted.subtracting(part.names), by: others, count: count - 1, &trials)
        .map { [part] + $0 }
    }
    return Array(found.prefix(unionLimit))
  }
}
