internal import StrataBase
internal import StrataObjectModel

extension LinkLedger {
  /// The fates of the source relationships, each with its inverse.
  ///
  /// - Parameter reports: In the order of the entries.
  func fates(_ reports: [LinkReport], isDone: Bool) -> [Receipt.PropertyFate] {
    zip(entries, reports).map { entry, report in
      let destinations = entry.forward + entry.backward
      var fate = Receipt.PropertyFate(
        kind: entry.kind(in: source), isRelationship: true, sources: [entry.old.id],
        destinations: destinations.map(\.id))
      fate.before = report.count
      fate.dangling = report.dangling
      fate.isSetByStage = entry.isSetByStage
      if isDone, !destinations.isEmpty { fate.after = report.kept }
      if isDone { fate.joined = report.joined }
      fate.lost.count =
        isDone ? report.lost : fate.kind == .lost ? report.count - report.inLostObjects : 0
      fate.inLostObjects = report.inLostObjects
      fate.isLostWithObjects = fate.kind == .lost && !hasOwners(entry)
      fate.isChoice = report.lost > 0 && report.isChoice
      fate.isPartial = report.isPartial && report.count > 0
      return fate
    }
  }

  /// The destination relationships without a source; of two ends, the first.
  func added(to destination: ObjectModel) -> [Declared<Relationship>] {
    var known = Set(
      entries.flatMap { $0.forward + $0.backward }.flatMap { end in
        [end.id, destination.inverse(of: end.property)?.id].compactMap { $0 }
      })
    return destination.storedRelationships.sorted { $0.id < $1.id }.filter { end in
      guard known.insert(end.id).inserted else { return false }
      if let inverse = destination.inverse(of: end.property) { known.insert(inverse.id) }
      return true
    }
  }
}

extension LinkLedger.Entry {
  /// The fate of the relationship, whatever becomes of its objects: only what may set it makes it unknown.
  fileprivate func kind(in source: ObjectModel) -> Receipt.PropertyFate.Kind {
    guard !isSet else { return .unknown }
    guard isContinued else { return .lost }
    let inverse = source.inverse(of: old.property)?.property.name
    let isSame =
      forward.allSatisfy { $0.property.name == old.property.name }
      && backward.allSatisfy { $0.property.name == inverse }
    return isSame ? .kept : .renamed
  }
}
