internal import StrataBase
internal import StrataObjectModel
internal import StrataStore

/// The validation of the objects that a stage changes, which an app's stage saves.
///
/// Source: Core Data validates each property of an object that it saves (documentation of `validateForUpdate()`).
extension InPlaceRun {
  /// Validates what `will` has changed, before the migration.
  mutating func validateBefore(_ before: HeldReader) throws -> [TraceEvent.Kind] {
    let reader = try before.reader.reread(by: hop.from.model)
    var events: [TraceEvent.Kind] = []
    for entity in changed.before.entities {
      try reader.forEachProblem(of: entity, among: changed.before[entity]) { problem in
        events += report.note(
          problem, of: .init(isBefore: true, version: hop.from.name, isOldVersion: true))
      }
    }
    return events
  }

  /// Validates what `did` has changed, and the values that `will` has set, after the migration.
  mutating func validateAfter() throws -> [TraceEvent.Kind] {
    guard let after else { return [] }
    var events: [TraceEvent.Kind] = []
    func note(_ problem: Finding, isBefore: Bool) {
      // Missing values have been found in all objects of the entity.
      guard problem.validationRule != .missing || !changedEntities.contains(problem.entity) else {
        return
      }
      events += report.note(problem, of: .init(isBefore: isBefore, version: hop.to.name))
    }
    for entity in changed.after.entities {
      try after.reader.forEachProblem(of: entity, among: changed.after[entity]) {
        note($0, isBefore: false)
      }
    }
    for lineage in hop.entityMappings.compactMap(EntityLineage.init) {
      let (set, entity) = (attributesSetBefore(lineage), lineage.destination)
      guard let source = lineage.source, !set.isEmpty else { continue }
      let keys = changed.before[source].subtracting(changed.after[entity])
      try after.reader.forEachProblem(of: entity, among: keys) { problem in
        if let name = problem.property, set.contains(name) { note(problem, isBefore: true) }
      }
    }
    return events
  }

  /// The attributes of the new model that continue those which `will` sets.
  private func attributesSetBefore(_ lineage: EntityLineage) -> Set<String> {
    let changes = changesBefore.filter { change in
      lineage.source.map { hop.from.model.isKind($0, of: change.entity) } == true
    }
    let set = Set(changes.flatMap(\.attributes))
    return Set(
      hop.to.model.allAttributes(of: lineage.destination).map(\.property.name).filter {
        lineage.sourceAttribute(of: $0).map(set.contains) == true
      })
  }
}

extension StoreReader {
  /// Calls `body` for each rule that some objects would violate if they were saved; there may be many of them.
  fileprivate func forEachProblem(
    of entity: String, among keys: Set<Int64>, _ body: (Finding) throws -> Void
  ) throws {
    guard !keys.isEmpty else { return }
    try forEachProblem(of: entity, .saving) { problem in
      guard let key = problem.location.object, keys.contains(key) else { return }
      switch problem.validationRule {
      case .missing, .wrongType, .rule, .tooFew, .tooMany: try body(problem)
      // Core Data does not look at the other end.
      default: return
      }
    }
  }
}
