internal import StrataMapping
internal import StrataObjectModel
internal import Synchronization

/// The mapping models between versions, for hybrid migration.
final class MappedPaths: Sendable {
  private let versions: [NamedModel]
  private let mappings: [NamedMappingModel]
  /// Mapping models whose names do not contain two known versions.
  private let others: [NamedMappingModel]
  private let models: [MatchableModel]
  /// For each version, the indexes of the other mapping models that can begin and end there.
  private let beginning: [Set<Int>]
  private let ending: [Set<Int>]
  /// The pairs of version names in names of mapping models, and the version names at which they begin.
  private let named: Set<Names>
  private let begun: Set<String>
  /// Cached results by version index, since plans from many versions share them.
  private let known = Mutex(Known())

  private struct Names: Hashable {
    var source: String
    var destination: String
  }

  private struct Known {
    var others: [[Int]: Others] = [:]
    var hasParts: [Int: Bool] = [:]
  }

  /// The mapping models from one version to another, found by hashes.
  private struct Others {
    var models: [NamedMappingModel] = []
    var fitting: [NamedMappingModel] = []
  }

  init(versions: [NamedModel], mappings: [NamedMappingModel]) {
    (self.versions, self.mappings) = (versions, mappings)
    let readings = mappings.filter(\.isReadByCoreData).flatMap {
      MappingConvention.readings(of: $0.name)
    }
    named = Set(
      readings.map { Names(source: $0.source, destination: $0.destination) })
    begun = Set(readings.map(\.source))
    let names = Set(versions.map(\.versionName))
    let others = mappings.filter { mapping in
      mapping.isReadByCoreData
        && !MappingConvention.readings(of: mapping.name).contains {
          names.contains($0.source) && names.contains($0.destination)
        }
    }
    self.others = others
    models = others.isEmpty ? [] : versions.map { MatchableModel($0.model) }
    beginning = models.map { model in
      Set(others.indices.filter { others[$0].mapping.sourceFit(of: model).isPart })
    }
    ending = models.map { model in
      Set(others.indices.filter { others[$0].mapping.destinationFit(of: model).isPart })
    }
  }

  /// The mapping models to run one after the other, and all that fit; if several fit and there is none to run,
  /// the choice is undefined.
  func parts(
    from source: Int, to destination: Int
  ) -> (models: [NamedMappingModel], fitting: [NamedMappingModel], isByName: Bool) {
    if isNamed(from: source, to: destination) {
      let found = mappings.filter(\.isReadByCoreData).named(
        from: versions[source].versionName, to: versions[destination].versionName)
      return (found, found, true)
    }
    guard !others.isEmpty, models[source].hashes != models[destination].hashes else {
      return ([], [], true)
    }
    let found = others(from: source, to: destination)
    return (found.models, found.fitting, false)
  }

  private func isNamed(from source: Int, to destination: Int) -> Bool {
    named.contains(
      Names(
        source: versions[source].versionName, destination: versions[destination].versionName))
  }

  private func others(from source: Int, to destination: Int) -> Others {
    let both = beginning[source].intersection(ending[destination])
    guard !both.isEmpty else { return Others() }
    if let found = known.withLock({ $0.others[[source, destination]] }) { return found }
    let choice = MappingChoice(
      from: (versions[source].versionName, models[source]),
      to: (versions[destination].versionName, models[destination]),
      among: both.sorted().map { others[$0] })
    let found = Others(models: choice.parts, fitting: choice.fitting)
    known.withLock { $0.others[[source, destination]] = found }
    return found
  }

  /// Whether there are mapping models from one version to another.
  func hasPath(from source: Int, to destination: Int) -> Bool {
    if isNamed(from: source, to: destination) { return true }
    guard !others.isEmpty, models[source].hashes != models[destination].hashes else { return false }
    let found = others(from: source, to: destination)
    return !found.models.isEmpty || !found.fitting.isEmpty
  }

  /// Whether there are mapping models from a version to a later one, or by name to any version.
  func hasParts(from source: Int) -> Bool {
    if let found = known.withLock({ $0.hasParts[source] }) { return found }
    let found =
      begun.contains(versions[source].versionName)
      || versions.indices.contains { $0 > source && hasPath(from: source, to: $0) }
    known.withLock { $0.hasParts[source] = found }
    return found
  }
}
