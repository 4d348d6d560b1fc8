internal import StrataMapping
internal import StrataObjectModel

extension MigrationPlanner {
  /// The hops of a staged migration.
  ///
  /// A store is migrated by inference in one step to the start of the next custom stage or, if none is left, to
  /// the target. The versions of a lightweight stage are only possible versions of a store.
  ///
  /// Source: `Docs/Facts/migration-process.md`, section 4, the 17 outcomes.
  func staged(
    from source: NamedModel, to target: NamedModel
  ) throws(MigrationError) -> [MigrationPlan.Hop] {
    guard let last = location(of: target, fromTheEnd: false) else {
      throw .unknownStageVersion(target.name, isTarget: true)
    }
    guard let first = location(of: source, fromTheEnd: true) else {
      throw .unknownStageVersion(source.name, isTarget: false)
    }
    guard (first.stage, first.version) < (last.stage, last.version) else {
      throw .backwards(from: source.name, to: target.name)
    }
    var here = source
    var hops: [MigrationPlan.Hop] = []
    for stage in stages[first.stage...] {
      guard stage.isCustom, let from = stage.versions.first, let to = stage.versions.last,
        !Self.isSame(here, to)
      else { continue }
      if !Self.isSame(here, from) {
        let start = Self.isSame(from, target) ? target : from
        hops.append(
          try inferred(
            from: here, to: start,
            reason:
              "inferred in one step to \(from.versionName), where the next custom stage begins"))
        here = start
      }
      guard !Self.isSame(here, target) else { return hops }
      let end = Self.isSame(to, target) ? target : to
      var hop = try inferred(from: here, to: end, reason: "a custom stage")
      hop.stage = stage
      hops.append(hop)
      here = end
      guard !Self.isSame(here, target) else { return hops }
    }
    let inferredHop = try inferred(
      from: here, to: target, reason: "no custom stage is left: inferred in one step")
    return hops + [inferredHop]
  }

  /// The stage that lists a version, and the index of the version in it.
  private func location(
    of model: NamedModel, fromTheEnd: Bool
  ) -> (stage: Int, version: Int)? {
    let numbers = Array(stages.indices)
    for number in fromTheEnd ? numbers.reversed() : numbers {
      if let version = stages[number].versions.firstIndex(where: { Self.isSame($0, model) }) {
        return (number, version)
      }
    }
    return nil
  }
}
