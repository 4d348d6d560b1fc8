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
    let paths = memory.paths(versions: versions, mappings: mappings)
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
