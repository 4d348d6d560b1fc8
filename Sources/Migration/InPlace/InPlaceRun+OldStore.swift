internal import StrataBase
internal import StrataMapping
internal import StrataSQLite
package import StrataStore

/// What a migration in place loses, asked before its first step, and the copy that is kept for it.
extension InPlaceRun {
  /// Whether the migration loses something, or it is not certain before its first step that it does not.
  ///
  package var mayLose: Bool {
    let hasLinks = report.links.contains { $0.count > 0 }
    return !LossCounts(report).amounts(in: .ofOldStore).isEmpty || !losses.isEmpty
      || report.links.contains(where: \.isInDoubt)
      || hasLinks && hop.losses.contains { $0.kind != .values }
      || plan.statements.contains { $0.item != nil }
      || hop.stage?.changesObjects == true
  }

  /// Keeps a full copy of the store, before the first step.
  ///
  /// - Parameter aside: The path of the copy; it must not be there.
  /// - Throws: ``StoreError/noRoom(needed:available:)``, ``StoreError/alreadyExists``,
  ///   ``StoreError/unwritable(reason:)``: then nothing is left of the copy.
  package func keepStore(at aside: String, _ space: DiskSpace) throws {
    guard let before else { return }
    try log.own {
      try before.reader.store.keep(at: aside, space)
    }
  }

  /// Checks that there is room for a copy: what a rehearsal asks instead.
  ///
  /// - Throws: ``StoreError/noRoom(needed:available:)``.
  package func checkRoom(forCopyAt aside: String, _ space: DiskSpace) throws {
    try before?.reader.store.checkRoom(forCopyAt: aside, space)
  }
}

extension Set<LossCategory> {
  /// What a copy of the old store still has.
  package static let ofOldStore: Self = [.rows, .values, .links, .extras]
}

extension MigrationStage {
  /// Whether it changes objects, which may lose something that nobody can foretell.
  package var changesObjects: Bool {
    [will, did].contains { !$0.scripts.isEmpty || !$0.changes.isEmpty }
  }
}

extension MigrationPlan.Hop {
  /// Whether it may lose something, as far as the models tell.
  package var mayLose: Bool {
    stage?.changesObjects == true || !losses.isEmpty
  }
}
