internal import StrataBase
internal import StrataMapping
internal import StrataSQLite
package import StrataStore

/// The losses of an in-place migration, determined before its first step, and the copy of the old store.
extension InPlaceRun {
  /// Whether the migration loses data, or may lose data as far as is known before its first step.
  ///
  package var mayLose: Bool {
    let hasLinks = report.links.contains { $0.count > 0 }
    return !LossCounts(report).amounts(in: .ofOldStore).isEmpty || !losses.isEmpty
      || report.links.contains(where: \.isInDoubt)
      || hasLinks && hop.losses.contains { $0.kind != .values }
      || plan.statements.contains { $0.item != nil }
      || hop.stage?.changesObjects == true
  }

  /// Makes a full copy of the store before the first step.
  ///
  /// - Parameter aside: The path of the copy; it must not exist.
  /// - Throws: ``StoreError/noRoom(needed:available:)``, ``StoreError/alreadyExists``,
  ///   ``StoreError/unwritable(reason:)``: an incomplete copy is deleted.
  package func keepStore(at aside: String, _ space: DiskSpace) throws {
    guard let before else { return }
    try log.own {
      try before.reader.store.keep(at: aside, space)
    }
  }

  /// Checks that there is enough space for a copy; used in a rehearsal.
  ///
  /// - Throws: ``StoreError/noRoom(needed:available:)``.
  package func checkRoom(forCopyAt aside: String, _ space: DiskSpace) throws {
    try before?.reader.store.checkRoom(forCopyAt: aside, space)
  }
}

extension Set<LossCategory> {
  /// The losses whose data the copy of the old store still contains.
  package static let ofOldStore: Self = [.rows, .values, .links, .extras]
}

extension MigrationStage {
  /// Whether a stage changes objects, whose losses are unknown in advance.
  package var changesObjects: Bool {
    [will, did].contains { !$0.scripts.isEmpty || !$0.changes.isEmpty }
  }
}

extension MigrationPlan.Hop {
  /// Whether data may be lost according to the models.
  package var mayLose: Bool {
    stage?.changesObjects == true || !losses.isEmpty
  }
}
