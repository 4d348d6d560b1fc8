package import StrataBase
internal import StrataMapping
internal import StrataObjectModel
package import StrataSQLite
package import StrataStore
internal import StrataWitness

/// The store of a running transaction, read with one of the models.
final class HeldReader {
  let reader: StoreReader

  init(_ reader: consuming StoreReader) { self.reader = reader }
}

/// An in-place migration, statement by statement, in one transaction that the last step commits.
///
/// ```swift
/// var run = try InPlaceRun(hop, number: 1, of: 1, path: path)
/// while run.pending != nil { for event in try run.step() { print(event.kind) } }
/// run.report.stopsMigration  // whether objects are invalid in the new model; then the store is unchanged
/// ```
package struct InPlaceRun: MigrationRun, ~Copyable {
  package let hop: MigrationPlan.Hop
  package let plan: InPlacePlan
  package internal(set) var pending: MigrationStep?
  package internal(set) var report: MigrationReport
  private let traceHop: TraceHop
  /// The store with the old model; `nil` after the transaction.
  var before: HeldReader?
  /// The store with the new model; `nil` until it has been migrated.
  var after: HeldReader?
  var mark: EventNumber = 0
  private var observation: Awaited<InPlaceObservation>
  /// The origins of the values that a stage changes.
  var origins: StageOrigins
  /// The objects that the stage has changed before and after the migration.
  var changed = (before: ChangedObjects(), after: ChangedObjects())
  private let isProof: Bool
  /// Whether the store is at the new model.
  package private(set) var hasCommitted = false
  /// A failure after a successful commit.
  package private(set) var warningAfterCommit: Diagnostic?
  /// Lost values and links, determined before the first step if there may be any; numbers are in the report.
  package var losses: [CountedLoss] { observation.known?.receiptWriter.losses ?? [] }
  let failure = ExternalDataFunctions.Failure()
  package let log: StatementLog?
  /// The successor of each step, unless the migration is stopped.
  private let successors: [MigrationStep: MigrationStep]

  /// Opens the store for an exclusive transaction.
  ///
  /// - Parameters:
  ///   - version: The Core Data version whose behavior is used: the newest or an older one.
  ///   - isProof: Whether all objects are compared, regardless of their number.
  ///   - isWalked: Whether the report is read between the steps, so that nothing is counted during them.
  ///   - log: The log of its statements, which are then included in the events.
  /// - Throws: ``MigrationError/notInPlace`` for a hop that is not inferred; ``StoreError/locked`` and what
  ///   opening throws.
  package init(
    _ hop: MigrationPlan.Hop, number: Int, of count: Int, path: String,
    version: FrameworkVersion = .newest, isProof: Bool = false, isWalked: Bool = false,
    log: StatementLog? = nil
  ) throws {
    guard hop.isInferred, let mapping = hop.parts.first?.mapping else {
      throw MigrationError.notInPlace
    }
    let store = try SQLiteStore(changing: path, log: log)
    // Another process may have migrated it before the lock was acquired.
    guard store.metadata.versionHashes == hop.from.model.versionHashes() else {
      throw StoreError.changedMeanwhile
    }
    let reader = try StoreReader(store, model: hop.from.model)
    var counts = StoreCounts()
    let plan = try InPlacePlan(
      from: hop.from.model, to: hop.to.model, mapping: mapping, store: reader, &counts,
      isChangedBefore: hop.stage?.will.changes.isEmpty == false, version: version)
    var report = MigrationReport(hop)
    (report.keptStrayRows, report.strayRows) = (plan.keptStrayRows, plan.lostStrayRows)
    report.numbers = plan.numbers
    report.extras = plan.lostExtras.map(\.message)
    report.statements = plan.statements.count
    ExternalDataFunctions.add(to: reader.store, failure)
    let origins = try StageOrigins(hop, reader)
    let observation: Awaited<InPlaceObservation>
    if !isWalked, Self.canObserveLater(hop, log),
      let file = try reader.store.fileDuringTransaction()
    {
      let (report, counts) = (report, counts)
      observation = .pending(
        SecondThread {
          try InPlaceObservation(
            hop, report, of: StoreReader(file.store(), model: hop.from.model), counts,
            isComplete: isProof, nil)
        })
    } else {
      let found = try InPlaceObservation(
        hop, report, of: reader, counts, isComplete: isProof, log)
      found.note(in: &report)
      observation = .known(found)
    }
    self.observation = observation
    self.origins = origins
    self.isProof = isProof
    self.hop = hop
    self.plan = plan
    self.report = report
    self.log = log
    before = HeldReader(reader)
    successors = plan.successors(for: hop.stage)
    traceHop = TraceHop(number: number, count: count, from: hop.from.name, to: hop.to.name)
    pending = .beginHop
  }

  /// What has been read of the store, for which it waits.
  @discardableResult
  private mutating func observed() throws -> InPlaceObservation {
    switch observation {
    case .known(let found): return found
    case .pending(let thread):
      let found = try thread.value()
      found.note(in: &report)
      observation = .known(found)
      return found
    }
  }

  /// Counts again after the last step before the migration, since objects that it created and copied are
  /// migrated.
  private mutating func observeChanges() throws {
    guard let before else { return }
    let original = try observed()
    let uncopied = try log.own {
      try StageCopies(hop).uncopied(
        in: StoreObjects(before.reader.reread(by: hop.from.model)), origins)
    }
    report.note(uncopied, of: hop, isBefore: true)
    for loss in try plan.conversions.numbers(in: before.reader) { report.note(loss) }
    var found = try InPlaceObservation(
      hop, report, of: before.reader, StoreCounts(), isComplete: isProof, log)
    found.takeCounts(of: original)
    try log.own { try noteUsedLinks(before) }
    found.note(in: &report)
    observation = .known(found)
  }

  private mutating func writeReceipt(_ writer: ReceiptWriter) throws {
    guard let after else { return }
    let report = report
    self.report.receipt = try log.own {
      try writer.receipt(report, counting: after.reader)
    }
  }

  /// Performs the ``pending`` step. An error ends the run, unless it is restored to a checkpoint; the store is
  /// then unchanged.
  package mutating func step() throws -> [TraceEvent] {
    guard let step = pending else { throw MigrationError.finished }
    pending = nil
    let kinds: [TraceEvent.Kind]
    switch step {
    case .beginHop: kinds = [.hopBegan(traceHop)]
    case .statement(let index): kinds = try run(plan.statements(at: index))
    case .stageChange(let index): kinds = try change(index)
    case .validate: kinds = try validate()
    case .endHop: kinds = try end()
    case .commit: kinds = try commit()
    default: throw MigrationError.finished
    }
    pending = successor(of: step)
    return TraceEvent.numbered(kinds, behind: log?.takeReceived() ?? [], from: &mark)
  }

  private func successor(of step: MigrationStep) -> MigrationStep? {
    guard !report.stopsMigration else { return step == .endHop ? nil : .endHop }
    return successors[step]
  }

  // MARK: The work of a stage

  var changesBefore: [StageChange] { hop.stage?.will.changes ?? [] }
  var changesAfter: [StageChange] { hop.stage?.did.changes ?? [] }

  private mutating func change(_ index: Int) throws -> [TraceEvent.Kind] {
    guard let before else { return [] }
    let isBefore = index < changesBefore.count
    let changes = isBefore ? changesBefore : changesAfter
    let position = isBefore ? index : index - changesBefore.count
    let change = changes[position]
    if !isBefore, position == 0 {
      origins.migrate(along: hop)
      // The migration may have created the first one.
      try before.reader.store.connection.trustRTrees()
    }
    if isBefore, position == 0 { try log.own { try noteLinks(before) } }
    do {
      let model = isBefore ? hop.from.model : hop.to.model
      let (count, changed, losses) = try log.coreData {
        try change.perform(
          on: before.reader.reread(by: model), &origins,
          laterReading: changes[(position + 1)...].paths)
      }
      report.note(losses, of: hop, isBefore: isBefore)
      if isBefore {
        self.changed.before.formUnion(changed)
      } else {
        self.changed.after.formUnion(changed)
      }
      let done: [TraceEvent.Kind] = [.stageChanged(change: change.text, objects: count)]
      guard index == changesBefore.count - 1 else { return done }
      let problems = try validateBefore(before)
      if problems.isEmpty { try observeChanges() }
      return done + problems
    } catch let error as any DiagnosticError
      where (error as? StoreError)?.isConstraintViolation != false
    {
      var reason = error.diagnostic
      reason.location = nil
      throw MigrationError.stoppedByStage(
        from: hop.from.name, to: hop.to.name, isBefore: isBefore, reason: reason)
    }
  }

  private mutating func run(
    _ statements: ArraySlice<InPlaceStatement>
  ) throws -> [TraceEvent.Kind] {
    guard let before, let statement = statements.first else { return [] }
    let schema = statement.changesSchema ? try Self.schema(of: before, log) : []
    let result = Result { () throws(StoreError) -> Int in
      guard statements.count > 1 else {
        return try before.reader.store.execute(statement.sql, statement.values)
      }
      try before.reader.store.changeSchema(statements.map(\.sql))
      return 0
    }
    if case .failure(let error) = result, let message = error.refusal, let item = statement.item {
      report.extras.append(LostExtra(item, refusedWith: message).message)
      return []
    }
    if case .failure(let error) = result, error.isConstraintViolation {
      let problems = try findDuplicates()
      if !problems.isEmpty { return problems }
    }
    if case .failure = result, let known = failure.error { throw known }
    let rows = try result.get()
    return try statements.map { statement in
      .statementRan(
        sql: statement.sql, purpose: statement.purpose,
        rows: statement.changesSchema ? 0 : rows)
    } + (statement.changesSchema ? changes(of: schema) : [])
  }

  /// The schema changes of a statement.
  private func changes(of old: [StoreSchema.Statement]) throws -> [TraceEvent.Kind] {
    guard let before else { return [] }
    let new = try Self.schema(of: before, log)
    let (was, isNow) = (Self.byName(old), Self.byName(new))
    var names = Set(was.keys).union(isNow.keys).filter { was[$0] != isNow[$0] }
    var events: [TraceEvent.Kind] = []
    // Nothing else removes one table and creates another in one statement.
    let (removed, added) = (Self.table(in: old, without: isNow), Self.table(in: new, without: was))
    if let removed, let added {
      names.subtract([removed, added])
      events.append(.tableRenamed(name: removed, new: added))
    }
    return events
      + names.sorted().map { .schemaChanged(name: $0, before: was[$0], after: isNow[$0]) }
  }

  private static func schema(
    of held: HeldReader, _ log: StatementLog?
  ) throws -> [StoreSchema.Statement] {
    try log.own { try held.reader.store.schema() }
  }

  /// The only table of a schema whose name another schema does not have.
  private static func table(
    in schema: [StoreSchema.Statement], without names: [String: String]
  ) -> String? {
    let found = schema.filter { $0.kind == .table && names[$0.name] == nil }
    return found.count == 1 ? found[0].name : nil
  }

  private static func byName(_ schema: [StoreSchema.Statement]) -> [String: String] {
    Dictionary(first: schema.map { ($0.name, $0.sql) })
  }

  // MARK: Validation

  var changedEntities: [String] {
    hop.entityMappings.filter { $0.kind != .copy }.compactMap(\.destinationName)
      .filter { hop.to.model[$0]?.isAbstract == false }
  }

  /// Core Data only checks required attributes.
  private mutating func validate() throws -> [TraceEvent.Kind] {
    guard let before else { return [] }
    try observed()
    let after = HeldReader(try before.reader.reread(by: hop.to.model))
    self.after = after
    var events: [TraceEvent.Kind] = []
    var details: [TraceEvent.Kind] = []
    for entity in changedEntities {
      var validation = TraceValidation(
        of: entity, in: hop.to.model,
        objects: report.entities.filter { $0.destinationEntity == entity }
          .reduce(0) { $0 + $1.source - $1.dropped },
        isInPlace: true)
      try after.reader.forEachProblem(of: entity, .required) { problem in
        validation.note(problem)
        events += report.note(problem, from: problem.location.object, stops: true)
      }
      details.append(.objectsValidated(validation))
    }
    // What else would stop the migration is found at once.
    if report.stopsMigration { events += try findDuplicates() }
    return events + details
  }

  private mutating func findDuplicates() throws -> [TraceEvent.Kind] {
    var events: [TraceEvent.Kind] = []
    for entity in hop.to.model.entities {
      for constraint in entity.uniquenessConstraints {
        guard let held = after ?? before else { continue }
        let keys = try held.reader.duplicates(of: constraint, entity: entity.name)
        guard !keys.isEmpty else { continue }
        let isFilled =
          try plan.fills(constraint, of: entity.name, in: hop.to.model)
          && held.reader.othersHave(constraint, of: entity.name)
        for key in keys {
          events += report.noteDuplicate(
            entity.name, constraint, inAllRows: isFilled, key: key, from: key)
        }
      }
    }
    return events
  }

  /// Objects that are migrated but cannot be saved.
  private mutating func findSavingProblems() throws -> [TraceEvent.Kind] {
    var events: [TraceEvent.Kind] = []
    for entity in changedEntities {
      try after?.reader.forEachProblem(of: entity, [.values, .relationships]) { problem in
        events += report.note(problem, from: problem.location.object, stops: false)
      }
    }
    return events
  }

  // MARK: The end

  private mutating func end() throws -> [TraceEvent.Kind] {
    var observation = try observed()
    var events: [TraceEvent.Kind] = []
    if !report.stopsMigration {
      if !changesAfter.isEmpty { events += try validate() }
      events += try validateAfter()
    }
    guard !report.stopsMigration else { return events + [.hopEnded(traceHop)] }
    events += try findSavingProblems()
    if let stage = hop.stage, !stage.did.scripts.isEmpty {
      try before?.reader.store.note(stage.pending)
    }
    var faults = try faults(observation.receiptWriter.ledger)
    if let connection = after?.reader.store.connection {
      faults += try observation.witness.objections(to: connection, log)
      report.witnessed = WitnessedProperties(observation.witness.receipt)
    }
    guard faults.isEmpty else { throw MigrationError.notAsPlanned(faults) }
    try writeReceipt(observation.receiptWriter)
    return events + [.hopEnded(traceHop)]
  }

  private mutating func commit() throws -> [TraceEvent.Kind] {
    let path = before?.reader.store.path
    do {
      try before?.reader.store.commit()
      hasCommitted = true
      (before, after) = (nil, nil)
    } catch {
      // The journal may be deleted before SQLite reports an error, so the store is checked.
      (before, after) = (nil, nil)
      guard let path, isCommitted(path) else { throw error }
      hasCommitted = true
      warningAfterCommit = Diagnostic(
        id: "store.notSynced", severity: .warning,
        what: "the migration is committed, but \(error.diagnostic.what)",
        fix: "run `sync`: until the change is on the disk, a power cut can undo it")
    }
    return []
  }

  /// Whether the new model has been committed.
  private func isCommitted(_ path: String) -> Bool {
    let (old, new) = (hop.from.model.versionHashes(), hop.to.model.versionHashes())
    let hashes = (try? SQLiteStore(reading: path))?.metadata.versionHashes
    return old != new && hashes == new
  }

  /// The deviations from the plan, checked before the commit.
  private mutating func faults(_ ledger: LinkLedger) throws -> [String] {
    guard let after else { return [] }
    var faults: [String] = []
    let found = try after.reader.store.schema()
    let names = Set(found.map(\.name))
    for statement in plan.schema.indexes + plan.schema.triggers
    where !names.contains(statement.name) && names.contains(statement.table) {
      faults.append("\(statement.name) is missing")
    }
    for name in names where name.hasPrefix(InPlacePlanner.aside("")) {
      faults.append("\(name) is left over")
    }
    try ledger.addKept(after.reader, to: &report.links)
    for (index, entry) in ledger.entries.enumerated() where entry.isChangedByStage {
      report.links[index].gone = try missingLinkCount(of: entry, after)
    }
    for relationship in after.reader.joinedRelationships {
      _ = try after.reader.joinTable(of: relationship)
    }
    for index in report.entities.indices {
      guard let entity = report.entities[index].destinationEntity else { continue }
      let count = try after.reader.count(of: entity)
      report.entities[index].created = count
      let expected = report.entities[index].source - report.entities[index].dropped
      if count != expected {
        faults.append("\(entity) has \(Phrase.count(count, "object")) instead of \(expected)")
      }
    }
    let touched = plan.touchedTables.sorted().filter(names.contains)
    return try faults + after.reader.store.damage(in: touched)
  }
}
