internal import StrataMapping
internal import StrataObjectModel

extension MigrationPlanner {
  /// The rule of the presentation: by naming convention, versions compared by number; mapping models whose names
  /// say nothing, by their hashes.
  func hybrid(
    from source: NamedModel, to target: NamedModel
  ) throws(MigrationError) -> [MigrationPlan.Hop] {
    let last = try place(of: target)
    var (here, place) = (source, try place(of: source))
    let paths = MappedPaths(versions: versions, mappings: mappings)
    var hops: [MigrationPlan.Hop] = []
    while place < last {
      // Mapping models of this version, by the place of the version that they lead to.
      let destinations = (place + 1...last).reversed().first {
        paths.leads(from: place, to: $0)
      }
      let next: Int
      let hop: MigrationPlan.Hop
      if let found = destinations {
        next = found
        let (parts, fitting, isByName) = paths.parts(from: place, to: next)
        let to = next == last ? target : versions[next]
        guard !parts.isEmpty else {
          throw .undefinedChoice(
            from: here.name, to: to.name, fitting: fitting.map(\.name), parts: [])
        }
        for part in parts { try check(part, from: here, to: to) }
        hop = MigrationPlan.Hop(
          from: here, to: to, parts: parts,
          reason: "by \(isByName ? "name" : "hashes") the "
            + (next == last ? "way to the last version" : "farthest that mapping models lead"))
      } else {
        next = (place + 1..<last).first { paths.hasParts(from: $0) } ?? last
        let to = next == last ? target : versions[next]
        hop = try leap(from: here, to: to, isLast: next == last)
      }
      hops.append(hop)
      (here, place) = (hop.to, next)
    }
    guard place != last, !Self.isSame(here, target) else { return hops }
    // Backwards there are no conventions.
    return hops + [try self.hop(from: here, to: target)]
  }

  private func leap(
    from source: NamedModel, to target: NamedModel, isLast: Bool
  ) throws(MigrationError) -> MigrationPlan.Hop {
    guard infers else {
      throw .missingMappingModel(from: source.name, to: target.name, rejected: [])
    }
    return try inferred(
      from: source, to: target,
      reason: isLast
        ? "no mapping model lies between: one inferred leap"
        : "one inferred leap to the next version with mapping models of its own")
  }
}

/// The mapping models that lead from one version to another, for hybrid migration.
private struct MappedPaths {
  private let versions: [NamedModel]
  private let mappings: [NamedMappingModel]
  /// Mapping models whose names are of no two known versions.
  private let others: [NamedMappingModel]
  private let models: [MatchableModel]
  /// For each version, the others that may begin and end there.
  private let beginning: [Set<Int>]
  private let ending: [Set<Int>]

  init(versions: [NamedModel], mappings: [NamedMappingModel]) {
    (self.versions, self.mappings) = (versions, mappings)
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

  /// The files to run one after the other, and all that fit: with several of these and no files, it is undefined
  /// which one to run.
  func parts(
    from source: Int, to destination: Int
  ) -> (models: [NamedMappingModel], fitting: [NamedMappingModel], isByName: Bool) {
    let (first, second) = (versions[source].versionName, versions[destination].versionName)
    let named = mappings.filter(\.isReadByCoreData).named(from: first, to: second)
    guard named.isEmpty, !others.isEmpty, models[source].hashes != models[destination].hashes
    else { return (named, named, true) }
    let both = beginning[source].intersection(ending[destination])
    guard !both.isEmpty else { return ([], [], false) }
    let choice = MappingChoice(
      from: (first, models[source]), to: (second, models[destination]),
      among: both.sorted().map { others[$0] })
    return (choice.parts, choice.fitting, false)
  }

  /// Whether there are mapping models from one version to another.
  func leads(from source: Int, to destination: Int) -> Bool {
    let (parts, fitting, _) = parts(from: source, to: destination)
    return !parts.isEmpty || !fitting.isEmpty
  }

  /// Whether there are mapping models from a version to a later one; by their names, to any.
  func hasParts(from source: Int) -> Bool {
    let name = versions[source].versionName
    return mappings.contains { mapping in
      mapping.isReadByCoreData
        && MappingConvention.readings(of: mapping.name).contains { $0.source == name }
    } || versions.indices.contains { $0 > source && leads(from: source, to: $0) }
  }
}
