internal import StrataMapping
internal import StrataObjectModel

extension MigrationPlanner {
  /// The rule of the presentation: by naming convention, with versions compared by number; mapping models with
  /// other names by their hashes.
  func hybrid(
    from source: NamedModel, to target: NamedModel
  ) throws(MigrationError) -> [MigrationPlan.Hop] {
    let last = try versionIndex(of: target)
    var (here, index) = (source, try versionIndex(of: source))
    let paths = memory.paths(versions: versions, mappings: mappings)
    var hops: [MigrationPlan.Hop] = []
    while index < last {
      // Mapping models from this version, by the index of their destination version.
      let destinations = (index + 1...last).reversed().first {
        paths.hasPath(from: index, to: $0)
      }
      let next: Int
      let hop: MigrationPlan.Hop
      if let found = destinations {
        next = found
        let (parts, fitting, isByName) = paths.parts(from: index, to: next)
        let to = next == last ? target : versions[next]
        guard !parts.isEmpty else {
          throw .undefinedChoice(
            from: here.name, to: to.name, fitting: fitting.map(\.name), parts: [])
        }
        for part in parts { try check(part, from: here, to: to) }
        hop = MigrationPlan.Hop(
          from: here, to: to, parts: parts,
          reason: "mapping models, matched by \(isByName ? "name" : "version hashes"), reach "
            + (next == last ? "the last version" : "this version at most"))
      } else {
        next = (index + 1..<last).first { paths.hasParts(from: $0) } ?? last
        let to = next == last ? target : versions[next]
        guard infers else {
          throw .missingMappingModel(from: here.name, to: to.name, rejected: [])
        }
        hop = try inferred(
          from: here, to: to,
          reason: next == last
            ? "no mapping models in between: inferred in one step"
            : "inferred in one step to the next version that has mapping models")
      }
      hops.append(hop)
      (here, index) = (hop.to, next)
    }
    guard index != last, !Self.isSame(here, target) else { return hops }
    // There are no naming conventions for migrating backwards.
    return hops + [try self.hop(from: here, to: target)]
  }
}
