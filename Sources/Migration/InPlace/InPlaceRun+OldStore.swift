public import StrataDiagnostics
internal import StrataMapping
internal import StrataSQLite
public import StrataStore
internal import StrataTraceEvents

/// What a migration in place loses, asked before its first step, and the copy that is kept for it.
extension InPlaceRun {
  /// Values and links that it loses, besides numbers, which its report has: asked before its first step.
  ///
  /// What its stage copies is not among them; the report tells, when that is done, what was not copied.
  public func lostValues() throws -> [Finding] {
    guard let before else { return [] }
    let copied = StageCopies(hop).targets
    return try LossFinder(hop).losses(in: before.reader, countsNumbers: false).filter {
      copied[Receipt.Property(entity: $0.entity, name: $0.property ?? "")] == nil
    }
  }

  /// Whether the migration loses something, or it is not certain before its first step that it does not.
  ///
  /// - Parameter values: Its ``lostValues()``.
  public func mayLose(_ values: [Finding]) -> Bool {
    let hasLinks = report.links.contains { $0.count > 0 }
    return !LossCounts(report, values: values).amounts(in: .ofOldStore).isEmpty || !values.isEmpty
      || report.links.contains(where: \.isInDoubt)
      || hasLinks && hop.warnings.contains(where: \.mayLoseLinks)
      || plan.statements.contains { $0.item != nil }
      || hop.stage?.changesObjects == true
  }

  /// Keeps a full copy of the store, before the first step.
  ///
  /// - Parameter aside: The path of the copy; it must not be there.
  /// - Throws: ``StoreError/noRoom(needed:available:)``, ``StoreError/alreadyExists``,
  ///   ``StoreError/unwritable(reason:)``: then nothing is left of the copy.
  public func keepStore(at aside: String, _ space: DiskSpace) throws {
    guard let before else { return }
    try (log ?? StatementLog(detail: .none)).muted {
      try before.reader.store.keep(at: aside, space)
    }
  }

  /// Checks that there is room for a copy: what a rehearsal asks instead.
  ///
  /// - Throws: ``StoreError/noRoom(needed:available:)``.
  public func checkRoom(forCopyAt aside: String, _ space: DiskSpace) throws {
    try before?.reader.store.checkRoom(forCopyAt: aside, space)
  }
}

extension Set<LossCategory> {
  /// What a copy of the old store still has.
  public static let ofOldStore: Self = [.rows, .values, .links, .extras]
}

extension MigrationStage {
  /// Whether it changes objects, which may lose something that nobody can foretell.
  public var changesObjects: Bool {
    [will, did].contains { !$0.scripts.isEmpty || !$0.changes.isEmpty }
  }
}

extension MigrationPlan.Hop {
  /// Whether it may lose something, as far as the models tell.
  public var mayLose: Bool {
    stage?.changesObjects == true || warnings.contains { $0.mayLoseValues || $0.mayLoseLinks }
  }
}

extension Finding {
  fileprivate var mayLoseLinks: Bool {
    switch inferenceRule {
    case .retargeted, .narrowedCount, .lostOrder, .becameAttribute, .lostProperty, .lostEntity,
      .becameTransient, .unmatchedRename, .becameAbstract:
      true
    default: false
    }
  }

  fileprivate var mayLoseValues: Bool {
    switch inferenceRule {
    case .narrowedNumber, .lostProperty, .lostEntity, .becameTransient, .becameRelationship,
      .unmatchedRename, .unmatchedSplit, .becameAbstract:
      true
    default: false
    }
  }
}
