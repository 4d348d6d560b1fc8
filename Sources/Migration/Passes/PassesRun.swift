package import StrataBase
internal import StrataExpressions
internal import StrataMapping
internal import StrataObjectModel
package import StrataSQLite
package import StrataStore
internal import StrataWitness

/// A migration in three passes by a migration manager, from one store into another.
///
/// As in Apple's guide, all entity mappings create their instances before any relationship is set, and
/// validation is in the third pass. If a hop has several mapping models, each runs its three passes into the
/// same destination, one after the other.
package struct PassesRun: MigrationRun, ~Copyable {
  package let hop: MigrationPlan.Hop
  package internal(set) var pending: MigrationStep?
  package var report: MigrationReport { manager.report }
  private let traceHop: TraceHop
  let policies: PolicyRegistry
  /// What is read of the source before the passes or during them.
  private var observation: Awaited<SourceObservation>
  /// Lost values and links of the source, known at the end; numbers are in the report.
  package var losses: [CountedLoss] { observation.known?.receiptWriter.losses ?? [] }
  let manager: PassManager
  package let log: StatementLog?
  /// Whether events have details, which requires that objects are migrated one by one.
  package var hasDetails: Bool {
    get { manager.destination.details != nil }
    set {
      guard newValue != hasDetails else { return }
      manager.destination.details = newValue && manager.isObserved ? StepDetails(log) : nil
    }
  }
  /// The index of the current part.
  var part = 0
  /// The policy of the current entity mapping, created for each pass.
  var policy: any RunningPolicy = DefaultPolicy()
  /// The number of objects of the entity mapping in the pass.
  var visitCount = 0
  /// In pass 1: the source objects, and the keys that match the filter.
  var cursor: RowCursor?
  var keys: [Int64]?
  /// The key of the first source object of the next step, if known.
  var upcomingKey: Int64?
  /// In pass 2: a page of the created objects, and the index of its first.
  var created: [ObjectRef] = []
  var createdStart = 0
  var lastCreated: ObjectRef?
  /// The source objects that an entity mapping has read, by entity.
  var mappedKeys: [String: KeySet] = [:]
  /// The validated destination entities and constraints (`Entity: properties`) of the part.
  var validated: Set<String> = []
  /// The number of objects in one step.
  private let batchSize: Int
  /// The executor for the current part; `nil` if all objects are migrated one by one.
  private var bulk: BulkExecutor?
  /// Whether the entity mapping runs as SQL in this pass.
  private var isBulk = false
  /// The executor of leaps in a part, and whether the source could be attached for it.
  var leaps: (part: Int, executor: BulkExecutor)?
  var isAttachedForLeaps: Bool?

  /// The way in which objects are migrated.
  package enum Executor: Sendable, Hashable {
    /// Entity mappings with an SQL equivalent run as SQL, with all objects in one step.
    case fastest
    /// One by one, as in Core Data's manager.
    case objects
  }
  var mark: EventNumber = 0
  /// The app's own tables, columns, views, indexes and triggers in the source.
  private let extras: CarriedExtras

  /// - Parameters:
  ///   - policies: The known policies.
  ///   - withoutPolicies: Whether unknown policies are skipped and replaced by the default behavior.
  ///   - executor: With ``Executor/fastest``, entity mappings run as SQL if possible.
  ///   - batchSize: The number of objects in one step; with 1, each object has its own events.
  ///   - checksMappings: Whether a mapping model with errors is rejected before it runs.
  ///   - isProof: Whether all objects are compared, regardless of their number.
  ///   - isPart: Whether other mapping models create further objects of the destination.
  ///   - existing: The objects of the store to which the new ones are appended.
  ///   - keepsExtras: Whether the new store can have what belongs neither to the model nor to Core Data: an XML store
  ///     that is made of it cannot.
  ///   - log: The log of the statements of both stores, which already use it; its statements are included in
  ///     the events.
  /// - Throws: ``MigrationError/badMapping(_:findings:)``, ``MigrationError/unknownPolicies(_:known:)``, before
  ///   anything is read or created.
  package init(
    _ hop: MigrationPlan.Hop, number: Int, of count: Int, source: consuming StoreReader,
    destination: consuming NewStore, policies: PolicyRegistry = PolicyRegistry(),
    withoutPolicies: Bool = false, executor: Executor = .objects, batchSize: Int = 1,
    checksMappings: Bool = true, isProof: Bool = false, isPart: Bool = false,
    appendingTo existing: ExistingObjects? = nil, keepsExtras: Bool = true,
    log: StatementLog? = nil
  ) throws {
    if checksMappings { try Self.check(hop, policies) }
    try Self.check(policies, for: withoutPolicies ? [] : hop.policyUses)
    if !withoutPolicies { try policies.checkNames(in: hop) }
    var report = MigrationReport(hop)
    report.isPart = isPart && !hop.isInferred
    var keyRanges: [Int64: StoreReader.KeyRange] = [:]
    var counts = StoreCounts()
    for (_, number, range) in try Self.keyRanges(of: source, &counts, log) {
      if let number {
        keyRanges[number] = range
      } else {
        report.strayRows += range.count
      }
    }
    // An application's own metadata keys are copied.
    var destination = destination
    destination.metadata.others.merge(source.store.metadata.others) { own, _ in own }
    let extras = try Self.extras(
      of: source, in: destination, keepsExtras: keepsExtras, log)
    report.extras = extras.lost.map(\.message)
    let effects = policies.effects(in: hop)
    let observation: Awaited<SourceObservation>
    // Who walks through the passes asks for the counts between them.
    if executor == .fastest, log?.isObserved != true, let file = source.store.file {
      let (report, counts, model) = (report, counts, source.model)
      observation = .pending(
        SecondThread {
          try SourceObservation(
            hop, effects, report, of: StoreReader(file.store(), model: model), counts,
            isComplete: isProof, nil)
        })
    } else {
      let found = try SourceObservation(
        hop, effects, report, of: source, counts, isComplete: isProof, log)
      found.note(in: &report)
      observation = .known(found)
    }
    let isAttached = try executor == .fastest && destination.attach(source.store)
    self.extras = extras
    self.observation = observation
    self.hop = hop
    self.policies = policies
    self.log = log
    traceHop = TraceHop(number: number, count: count, from: hop.from.name, to: hop.to.name)
    manager = PassManager(
      hop, source: StoreObjects(source), destination: DestinationContext(destination),
      report: report, keyRanges: keyRanges, isSourceAttached: isAttached,
      isObserved: batchSize <= 1, log: log)
    manager.destination.existing = existing
    self.batchSize = max(batchSize, 1)
    pending = .beginHop
    noteChoices()
  }

  /// Performs the ``pending`` step. An error ends the run, unless it is restored to a checkpoint.
  package mutating func step() throws -> [TraceEvent] {
    guard let step = pending else { throw MigrationError.finished }
    let kinds = try perform(step)
    manager.forgetSource()
    pending = successor(of: step)
    try prefetch()
    return TraceEvent.numbered(kinds, behind: log?.takeReceived() ?? [], from: &mark)
  }

  private mutating func perform(_ step: MigrationStep) throws -> [TraceEvent.Kind] {
    switch step {
    case .beginHop: return [.hopBegan(traceHop)]
    case .beginPart(let number): return try begin(part: number)
    case .beginPass(let pass):
      if pass == .createInstances, manager.isSourceAttached {
        bulk = try BulkExecutor(manager, entityMappings, policies: bulkPolicies)
      }
      return [.passBegan(pass)]
    case .beginEntityMapping(let name, let pass): return try begin(name, pass)
    case .objects(let indices, _, let pass): return try visit(indices, pass)
    case .endEntityMapping(let name, let pass): return try end(name, pass)
    case .endPass(let pass):
      // Validation reads the stored values.
      if pass == .createRelationships { try manager.destination.store.settle() }
      if pass == .validate { try log.own { try compareKeys() } }
      return [.passEnded(pass)]
    case .endPart: return []
    case .statement, .stageChange, .validate: throw MigrationError.finished
    case .endHop:
      let observation = try observed()
      try manager.noteJoins()
      try log.own {
        try countUnmapped(observation.receiptWriter)
        try countDropped(observation.receiptWriter.routes)
      }
      manager.ledger.settle(&manager.report.entities)
      // A violated uniqueness constraint prevents the creation of its index.
      if report.stopsMigration {
        try countKeptLinks(observation.receiptWriter)
      } else {
        try completeDestination(observation)
      }
      return [.hopEnded(traceHop)]
    case .commit:
      manager.destination.isOpen = false
      try manager.destination.store.commit()
      return []
    }
  }

  /// What has been read of the source, for which it waits.
  private mutating func observed() throws -> SourceObservation {
    switch observation {
    case .known(let found): return found
    case .pending(let thread):
      let found = try thread.value()
      found.note(in: &manager.report)
      observation = .known(found)
      return found
    }
  }

  private func countKeptLinks(_ receiptWriter: ReceiptWriter) throws {
    let manager = manager
    let ledger = receiptWriter.ledger
    let joined = manager.ledger.joined
    try log.own {
      try ledger.addKept(
        manager.destination.store.reader(), to: &manager.report.links,
        joined: { try joined.linkCount(of: $0, in: ledger, manager.source.reader) },
        // Only the associations of the last part are known.
        continued: { hop.parts.count == 1 ? try manager.continuedLinkCount(of: $0) : nil })
    }
  }

  /// Completes the new store, and compares it with what was predicted and counted before.
  private func completeDestination(_ observation: SourceObservation) throws {
    let manager = manager
    try manager.destination.existing?.takeReleases(of: manager.destination.store)
    try manager.destination.store.complete()
    manager.report.extras += try manager.destination.store.carry(
      extras, from: manager.source.reader
    ).map(\.message)
    var witness = observation.witness
    for entity in manager.deletedEntities.sorted() { witness.forget(entity) }
    let receipt = try witness.compare(manager.destination.store, log) {
      try countKeptLinks(observation.receiptWriter)
      return try log.own {
        try observation.receiptWriter.receipt(
          report, counting: manager.destination.store.reader(),
          besides: manager.destination.existing?.placeholders)
      }
    }
    manager.report.receipt = receipt
    manager.report.witnessed = WitnessedProperties(witness.receipt)
  }

  /// Checks that the source has not changed during the migration.
  ///
  /// - Throws: ``StoreError/changedMeanwhile``.
  package func checkSourceUnchanged() throws {
    try manager.source.checkUnchanged()
  }

  var entityMappings: [EntityMapping] { manager.mapping.entityMappings }

  private func successor(of step: MigrationStep) -> MigrationStep? {
    let mappings = entityMappings
    switch step {
    case .beginHop:
      return hop.parts.isEmpty
        ? .endHop : hop.parts.count > 1 ? .beginPart(0) : .beginPass(.createInstances)
    case .beginPart: return .beginPass(.createInstances)
    case .beginPass(let pass):
      return mappings.first.map { .beginEntityMapping($0.name, pass: pass) } ?? .endPass(pass)
    case .beginEntityMapping(let name, let pass):
      return objects(from: 0, name, pass)
    case .objects(let indices, let name, let pass):
      return objects(from: indices.upperBound, name, pass)
    case .endEntityMapping(let name, let pass):
      guard let index = index(of: name), index + 1 < mappings.count else { return .endPass(pass) }
      return .beginEntityMapping(mappings[index + 1].name, pass: pass)
    case .endPass(let pass):
      if let next = Pass(rawValue: pass.rawValue + 1) { return .beginPass(next) }
      return hop.parts.count > 1 ? .endPart(part) : .endHop
    case .endPart(let number):
      return number + 1 < hop.parts.count ? .beginPart(number + 1) : .endHop
    case .endHop: return report.stopsMigration ? nil : .commit
    case .commit, .statement, .stageChange, .validate: return nil
    }
  }

  func objects(from index: Int, _ name: String, _ pass: Pass) -> MigrationStep {
    index < visitCount
      ? .objects(
        index..<(isBulk ? visitCount : min(index + batchSize, visitCount)), mapping: name,
        pass: pass)
      : .endEntityMapping(name, pass: pass)
  }

  private func index(of name: String) -> Int? { entityMappings.firstIndex { $0.name == name } }

  private func mapping(named name: String) throws(MigrationError) -> EntityMapping {
    guard let index = index(of: name) else { throw .finished }
    return entityMappings[index]
  }

  // MARK: Frames

  private mutating func begin(part number: Int) throws -> [TraceEvent.Kind] {
    part = number
    validated = []
    if number > 0 { try manager.begin(hop.parts[number].mapping) }
    noteChoices()
    return [
      .partBegan(number: number + 1, count: hop.parts.count, mapping: hop.parts[number].name)
    ]
  }

  private mutating func begin(_ name: String, _ pass: Pass) throws -> [TraceEvent.Kind] {
    let mapping = try mapping(named: name)
    policy = newPolicy(for: mapping)
    let isCalled = mapping.callsPolicy || (policy as? FilePolicy)?.methods.isEmpty == false
    manager.begin(mapping, part: part, policy: isCalled ? newPolicy(for: mapping) : nil)
    (cursor, keys, upcomingKey, visitCount) = (nil, nil, nil, 0)
    (created, createdStart, lastCreated) = ([], 0, nil)
    isBulk = false
    switch pass {
    case .createInstances:
      try takeSources(of: mapping)
      isBulk = bulk?.canCreate(mapping) == true
      manager.currentReport.source = visitCount
    case .createRelationships:
      let isIdle =
        Self.bulkPolicy(policy, mapping)?.relatesByDefault == true
        && mapping.relationshipMappings.allSatisfy { $0.expression == nil }
      visitCount = isIdle && batchSize > 1 ? 0 : manager.associations[name]?.count ?? 0
      isBulk = try visitCount > 0 && bulk?.canRelate(mapping) == true
    case .validate: break
    }
    let manager = manager
    let result = try called(mapping, pass) { policy in
      switch pass {
      case .createInstances: try policy.perform(.begin, mapping, manager)
      case .createRelationships: break
      case .validate: try policy.perform(.validation, mapping, manager)
      }
    }
    try manager.destination.flush()
    let count = pass == .validate ? manager.associations[name]?.count ?? 0 : visitCount
    return [.entityMappingBegan(pass: pass, mapping: name, objects: count)] + result.all
  }

  private mutating func end(_ name: String, _ pass: Pass) throws -> [TraceEvent.Kind] {
    let mapping = try mapping(named: name)
    let manager = manager
    let result = try called(mapping, pass) { policy in
      switch pass {
      case .createInstances: try policy.perform(.endOfCreation, mapping, manager)
      case .createRelationships: try policy.perform(.endOfRelationships, mapping, manager)
      case .validate: try policy.perform(.end, mapping, manager)
      }
    }
    if pass == .createInstances { bulk?.endCreation(of: mapping) }
    try manager.destination.flush()
    return try result.all
      + (pass == .validate ? log.own { try judge(mapping) + validate(mapping) } : [])
      + [.entityMappingEnded(pass: pass, mapping: name)]
  }

  /// The source objects of an entity mapping.
  private mutating func takeSources(of mapping: EntityMapping) throws {
    guard let entity = mapping.sourceName else { return }
    var known = mappedKeys[entity] ?? KeySet()
    if let found = try filteredKeys(of: mapping, entity) {
      for key in found { known.insert(key) }
      keys = found
      visitCount = found.count
    } else {
      known.insertAll()
      visitCount = manager.keyRange(of: entity).count
    }
    mappedKeys[entity] = known
    cursor = try manager.source.reader.cursor(over: entity)
  }

  /// The source objects that an entity mapping's filter accepts; `nil` without a filter.
  func filteredKeys(of mapping: EntityMapping, _ entity: String) throws -> [Int64]? {
    guard let filter = mapping.filter else { return nil }
    let predicate: Predicate
    do {
      predicate = try hop.from.model.resolved(Predicate(parsing: filter), for: entity)
    } catch {
      throw MigrationError.badFilter(
        filter, mapping: mapping.name, reason: error.diagnostic.what)
    }
    return try manager.source.keys(of: entity, where: predicate)
  }

  /// Records which entity mappings of the part keep the keys of their objects.
  private func compareKeys() throws {
    for index in manager.report.entities.indices where manager.report.entities[index].part == part {
      let mapping = manager.report.entities[index].mapping
      manager.report.entities[index].keepsKeys = try manager.associations[mapping]?.keepsKeys()
    }
  }

  /// Calls the policy; errors are extended with the policy and the location.
  private mutating func called(
    _ mapping: EntityMapping, _ pass: Pass,
    _ object: @autoclosure () -> ObjectRef? = nil,
    _ body: (inout any RunningPolicy) throws -> Void
  ) throws -> PolicyCallResult {
    var result: PolicyCallResult
    do {
      result = try manager.call(&policy, body)
    } catch let error where mapping.policyName != nil && !(policy is DefaultPolicy) {
      throw MigrationError.stopped(
        by: mapping.policyName ?? "", in: mapping, pass, object(), error)
    }
    try takeInserted(into: &result)
    result.details = manager.destination.details?.take() ?? []
    return result
  }

  /// Counts the additional objects that the policy created.
  private func takeInserted(into result: inout PolicyCallResult) throws {
    let inserted = manager.destination.takeUnreported()
    manager.currentReport.created += inserted.count
    guard manager.isObserved else { return }
    try manager.destination.flush()
    let name = manager.currentEntityMapping?.name ?? ""
    result.events += inserted.map { .objectInserted(mapping: name, destination: $0) }
  }

  // MARK: Objects

  private mutating func visit(
    _ indices: Range<Int>, _ pass: Pass
  ) throws -> [TraceEvent.Kind] {
    guard let mapping = manager.currentEntityMapping else { return [] }
    if isBulk {
      switch pass {
      case .createInstances:
        let count = try bulk?.create(mapping, keys: keys) ?? 0
        manager.currentReport.created += count
        if let entity = mapping.sourceName {
          manager.ledger.noteMigrated(keys, of: entity, by: manager.running.reportIndex)
        }
      case .createRelationships: _ = try bulk?.relate(mapping)
      case .validate: break
      }
      return [.objectsVisited(pass: pass, mapping: mapping.name, count: indices.count)]
    }
    var events: [TraceEvent.Kind] = []
    for index in indices {
      switch pass {
      case .createInstances: events += try create(index, mapping)
      case .createRelationships: events += try connect(index, mapping)
      case .validate: break
      }
    }
    return manager.isObserved
      ? events : [.objectsVisited(pass: pass, mapping: mapping.name, count: indices.count)]
  }

  private mutating func create(
    _ index: Int, _ mapping: EntityMapping
  ) throws -> [TraceEvent.Kind] {
    guard let cursor else { return [] }
    let key = try upcomingKey ?? nextKey(index, cursor)
    upcomingKey = nil
    let manager = manager
    let object = manager.source.object(key, at: cursor)
    let result = try called(
      mapping, .createInstances, object.traced
    ) { policy in
      try policy.createInstances(from: object, in: mapping, manager)
    }
    guard result.associated == 0 else { return result.all }
    manager.currentReport.dropped += 1
    manager.ledger.noteDropped(key, of: object.entity, by: manager.running.reportIndex)
    return manager.isObserved
      ? result.all + [
        .objectRemoved(
          mapping: mapping.name, source: object.traced,
          because: mapping.policyName.map { .skipped(policy: $0) } ?? .entityMapping)
      ] : []
  }

  /// Moves the cursor to the object at an index of the entity mapping and returns its key.
  private func nextKey(_ index: Int, _ cursor: RowCursor) throws -> Int64 {
    var key: Int64
    repeat {
      guard let next = try cursor.next() else { throw StoreError.changedMeanwhile }
      key = next
    } while keys.map { key < $0[index] } ?? false
    return key
  }

  /// Reads ahead to the next object, for breakpoints.
  mutating func prefetch() throws {
    guard case .objects(let indices, let name, let pass) = pending, !isBulk else {
      cursor?.finish()
      cursor = nil
      manager.endSourceWalk()
      return
    }
    switch pass {
    case .createInstances:
      upcomingKey = try cursor.map { try nextKey(indices.lowerBound, $0) }
    case .createRelationships: try fetchCreated(by: name, from: indices.lowerBound)
    case .validate: break
    }
  }

  private static let createdLimit = 1000

  private mutating func fetchCreated(by name: String, from index: Int) throws {
    guard index >= createdStart + created.count else { return }
    created =
      try manager.associations[name]?.created(after: lastCreated, limit: Self.createdLimit) ?? []
    createdStart = index
    lastCreated = created.last ?? lastCreated
  }

  /// The created object at an index of the entity mapping, from the fetched page.
  func created(at index: Int) -> ObjectRef? {
    let offset = index - createdStart
    return created.indices.contains(offset) ? created[offset] : nil
  }

  private mutating func connect(
    _ index: Int, _ mapping: EntityMapping
  ) throws -> [TraceEvent.Kind] {
    // The first object of the step is already known.
    if case .objects(let indices, _, _) = pending, index != indices.lowerBound {
      try fetchCreated(by: mapping.name, from: index)
    }
    guard let created = created(at: index) else { return [] }
    let manager = manager
    // A policy may have deleted it.
    if manager.deletedEntities.contains(created.entity),
      try manager.destination.object(created.key, in: created.entity) == nil
    {
      return []
    }
    let object = NewObject(
      entity: created.entity, key: created.key, context: manager.destination)
    try manager.addSources(of: created, in: mapping, limit: .max)
    let result = try called(mapping, .createRelationships, created) { policy in
      try policy.createRelationships(of: object, in: mapping, manager)
    }
    return manager.isObserved
      ? result.all + [
        .relationshipsSet(mapping: mapping.name, destination: created, count: result.related)
      ] : []
  }

  // MARK: Validation

  /// Validates the objects of an entity, once in each part.
  private mutating func validate(_ mapping: EntityMapping) throws -> [TraceEvent.Kind] {
    guard let entity = mapping.destinationName, validated.insert(entity).inserted else { return [] }
    let reader = try manager.destination.store.reader()
    var events: [TraceEvent.Kind] = []
    var validation =
      hasDetails
      ? TraceValidation(
        of: entity, in: hop.to.model,
        objects: try manager.quietly { try reader.keys(of: entity).count })
      : nil
    try reader.forEachProblem(of: entity, .saving) { problem in
      validation?.note(problem)
      // For inference, Core Data migrates in place and does not check relationships.
      let isMissing = problem.validationRule == .missing
      let stops =
        !hop.isInferred
        || isMissing && hop.to.model.relationship(problem.property ?? "", of: entity) == nil
      events += try manager.report.note(
        problem, from: origin(of: problem), stops: stops,
        policy: isMissing ? mapping.policyName : nil)
    }
    for (owner, constraint) in hop.to.model.allConstraints(of: entity)
    where validated.insert("\(owner): \(constraint)").inserted {
      let duplicates = try reader.duplicates(of: constraint, entity: owner)
      var rule = TraceValidation.Rule(constraint.joined(separator: ", "), "unique")
      rule.violations = duplicates.count
      validation?.rules.append(rule)
      for key in duplicates {
        let created = ObjectRef(entity: hop.to.model.rootName(of: owner), key: key)
        events += try manager.report.noteDuplicate(
          owner, constraint, key: key, from: manager.origin(of: created)?.key)
      }
    }
    return events + (validation.map { [.objectsValidated($0)] } ?? [])
  }

  private func origin(of problem: Finding) throws -> Int64? {
    try problem.location.object.flatMap {
      try manager.origin(of: ObjectRef(entity: problem.entity, key: $0))?.key
    }
  }
}
