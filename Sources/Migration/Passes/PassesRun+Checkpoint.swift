internal import StrataBase
internal import StrataMapping
internal import StrataSQLite
internal import StrataStore

/// Checkpoints of a run: savepoints of the stores, and values for the other state.
extension PassesRun {
  package struct Checkpoint {
    fileprivate var store: NewStore.Checkpoint
    fileprivate var manager: PassManager.Checkpoint
    fileprivate var pending: MigrationStep?
    fileprivate var part: Int
    fileprivate var policy: any RunningPolicy
    fileprivate var visitCount: Int
    fileprivate var keys: [Int64]?
    fileprivate var upcomingKey: Int64?
    /// The trace record of the cursor's statement.
    fileprivate var cursorRecord: TraceStatement?
    fileprivate var created: [ObjectRef]
    fileprivate var createdStart: Int
    fileprivate var lastCreated: ObjectRef?
    fileprivate var mappedKeys: [String: KeySet]
    fileprivate var validated: Set<String>
    fileprivate var mark: EventNumber
  }

  /// Requires that objects are migrated one by one, into a store with checkpoints.
  package mutating func keepCheckpoint(_ number: Int) throws -> Checkpoint {
    precondition(!manager.isSourceAttached, "entity mappings that go as SQL cannot be gone back in")
    return try quietly { run in
      try run.manager.destination.flush()
      return Checkpoint(
        store: try run.manager.destination.store.keepCheckpoint(number),
        manager: run.manager.checkpoint, pending: run.pending, part: run.part, policy: run.policy,
        visitCount: run.visitCount, keys: run.keys, upcomingKey: run.upcomingKey,
        cursorRecord: run.cursor?.record, created: run.created,
        createdStart: run.createdStart, lastCreated: run.lastCreated, mappedKeys: run.mappedKeys,
        validated: run.validated, mark: run.mark)
    }
  }

  package var hasCheckpoints: Bool { manager.destination.store.hasCheckpoints }

  package mutating func goBack(to checkpoint: Checkpoint) throws {
    try quietly { run in
      run.cursor?.finish()
      run.cursor = nil
      run.policy = checkpoint.policy
      try run.manager.goBack(to: checkpoint.manager, checkpoint.store)
      let isOtherPart = run.part != checkpoint.part
      (run.pending, run.part, run.mark) = (checkpoint.pending, checkpoint.part, checkpoint.mark)
      if isOtherPart { run.noteChoices() }
      (run.visitCount, run.keys) = (checkpoint.visitCount, checkpoint.keys)
      (run.created, run.createdStart) = (checkpoint.created, checkpoint.createdStart)
      run.lastCreated = checkpoint.lastCreated
      (run.mappedKeys, run.validated) = (checkpoint.mappedKeys, checkpoint.validated)
      run.upcomingKey = checkpoint.upcomingKey
    }
    if let key = checkpoint.upcomingKey, let entity = manager.currentEntityMapping?.sourceName {
      try openCursor(over: entity, at: key, resuming: checkpoint.cursorRecord)
    }
    _ = log?.takeReceived()
  }
}

extension PassesRun {
  /// Reads the source objects from one that another cursor has read.
  ///
  /// - Parameter record: The trace record of the other cursor.
  mutating func openCursor(
    over entity: String, at key: Int64, resuming record: TraceStatement?
  ) throws {
    cursor = try manager.source.reader.cursor(over: entity, after: key - 1)
    if let record { cursor?.resume(record) }
    _ = try cursor?.next()
  }
}

extension PassManager {
  /// The state of a manager outside of the stores.
  struct Checkpoint {
    fileprivate var mapping: MappingModel
    fileprivate var running: Running
    fileprivate var userInfo: [String: any Sendable]
    fileprivate var report: MigrationReport
    fileprivate var ledger: ObjectLedger
    fileprivate var associations: AssociationTable.State
    fileprivate var indexes: Set<PropertyID>
    fileprivate var undecided: UndecidedValues
    fileprivate var counted: [DestinationContext.CountedNumber: KeySet]
    fileprivate var deletedEntities: Set<String>
  }

  var checkpoint: Checkpoint {
    Checkpoint(
      mapping: mapping, running: running, userInfo: userInfo, report: report, ledger: ledger,
      associations: associations.state, indexes: destination.indexedAttributes,
      undecided: destination.undecided, counted: destination.counted,
      deletedEntities: deletedEntities)
  }

  func goBack(to checkpoint: Checkpoint, _ store: NewStore.Checkpoint) throws {
    // Running statements would refer to removed tables.
    forgetMakers()
    associations.forgetStatements()
    try destination.goBack(to: store, indexes: checkpoint.indexes)
    mapping = checkpoint.mapping
    running = checkpoint.running
    userInfo = checkpoint.userInfo
    report = checkpoint.report
    ledger = checkpoint.ledger
    associations.state = checkpoint.associations
    destination.undecided = checkpoint.undecided
    destination.counted = checkpoint.counted
    deletedEntities = checkpoint.deletedEntities
  }
}
