internal import StrataDiagnostics
internal import StrataMapping
internal import StrataObjectModel

extension MigrationPlanner {
  /// Through the stages, from the one that holds the source's version.
  ///
  /// Source: facts on the migration process, section 4.
  func staged(
    from source: NamedModel, to target: NamedModel
  ) throws(MigrationError) -> [MigrationPlan.Hop] {
    guard let last = place(of: target, fromTheEnd: false) else {
      throw .unknownStageVersion(target.name, isTarget: true)
    }
    guard let first = place(of: source, fromTheEnd: true) else {
      throw .unknownStageVersion(source.name, isTarget: false)
    }
    guard (first.stage, first.version) < (last.stage, last.version) else {
      throw .backwards(from: source.name, to: target.name)
    }
    var here = source
    var hops: [MigrationPlan.Hop] = []
    /// Where the lightweight stages that follow one another began.
    var leap: (start: NamedModel, target: NamedModel)?
    for number in first.stage...last.stage where !Self.isSame(here, target) {
      let stage = stages[number]
      switch stage.kind {
      case .lightweight(let versions):
        let next = number == last.stage ? versions[last.version] : versions[versions.count - 1]
        guard !Self.isSame(here, next) else { continue }
        leap = (leap?.start ?? here, Self.isSame(next, target) ? target : next)
        here = next
      case .custom(let from, let to):
        guard !Self.isSame(here, to) else { continue }
        if let found = leap {
          hops.append(try lightweight(found.start, found.target))
          leap = nil
        }
        guard Self.isSame(here, from) else {
          throw .stageGap(at: here.name, before: from.name)
        }
        let next = Self.isSame(to, target) ? target : to
        var hop = try inferred(from: here, to: next, reason: "a stage with work of its own")
        hop.stage = stage
        hops.append(hop)
        here = next
      }
    }
    if let found = leap { hops.append(try lightweight(found.start, found.target)) }
    return hops
  }

  private func lightweight(
    _ source: NamedModel, _ target: NamedModel
  ) throws(MigrationError) -> MigrationPlan.Hop {
    try inferred(
      from: source, to: target,
      reason: "lightweight stages that follow one another are one inferred leap")
  }

  /// The stage that holds a version, and where in it.
  private func place(
    of model: NamedModel, fromTheEnd: Bool
  ) -> (stage: Int, version: Int)? {
    let numbers = Array(stages.indices)
    for number in fromTheEnd ? numbers.reversed() : numbers {
      if let place = stages[number].versions.firstIndex(where: { Self.isSame($0, model) }) {
        return (number, place)
      }
    }
    return nil
  }
}
