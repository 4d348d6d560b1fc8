internal import StrataBase
internal import StrataExpressions
internal import StrataMapping
internal import StrataObjectModel
internal import StrataSQLite
internal import StrataStore

/// The migration manager of a policy: both stores, the association tables and the user info, like
/// `NSMigrationManager`.
final class PassManager {
  let sourceModel: NamedModel
  let destinationModel: NamedModel
  /// The source store.
  let source: StoreObjects
  let destination: DestinationContext
  /// The mapping model, or its current part.
  var mapping: MappingModel { didSet { knownEnds = nil } }
  private var knownEnds: ContinuedEnds?
  var currentEntityMapping: EntityMapping? { running.mapping }
  /// State that is kept between passes, since policies are not.
  var userInfo: [String: any Sendable] = [:]

  /// Whether a relationship that names an entity mapping also finds objects of other ones: an inferred mapping
  /// model names that of the parent entity for objects of subentities.
  let isInferred: Bool
  /// Whether statements in the destination can read the source.
  let isSourceAttached: Bool
  let associations: AssociationTable
  /// The key ranges of the source, by entity number.
  private let keyRanges: [Int64: StoreReader.KeyRange]
  /// The resolved entity mappings.
  private var instanceMakers: [String: InstanceMaker] = [:]
  private var lastMaker: (name: String, maker: InstanceMaker)?
  private var relationshipMakers: [String: RelationshipMaker] = [:]
  /// The last requested source object, by a step or an inspection, so its row is read once.
  private var lastSource: BrowsedObject?
  private var sourceWalk = SourceWalk()
  let log: StatementLog?
  var report: MigrationReport
  /// The source objects that were migrated.
  var ledger: ObjectLedger
  /// The to-one relationships for which policies choose one of several objects.
  var decidedByPolicy: Set<PropertyID> = []
  /// The relationships that policies may set.
  var settableByPolicy: Set<PropertyID> = []
  /// The known answers of ``isContested(_:)`` in the part.
  var contested: [PropertyID: Bool] = [:]
  /// The entity mappings whose objects have the links of their relationship mappings, and no others.
  var relatingByDefault: Set<String> = []
  /// Whether links that the other end has set need not be set again: nobody observes that, all entity mappings have
  /// the default behavior, and none runs as SQL, which leaves links to the other end.
  var relatesOnce: Bool {
    !isObserved && !isSourceAttached
      && mapping.entityMappings.allSatisfy { relatingByDefault.contains($0.name) }
  }
  /// Whether events of single objects are requested.
  let isObserved: Bool
  /// The result of the running policy call.
  var result = PolicyCallResult()
  var running = Running()
  /// The current depth of nested method calls.
  var methodDepth = 0
  /// The entities of objects that policies have deleted.
  var deletedEntities: Set<String> = []

  init(
    _ hop: MigrationPlan.Hop, source: StoreObjects, destination: DestinationContext,
    report: MigrationReport, keyRanges: [Int64: StoreReader.KeyRange], isSourceAttached: Bool,
    isObserved: Bool, log: StatementLog?
  ) {
    self.isObserved = isObserved
    self.log = log
    self.isSourceAttached = isSourceAttached
    self.keyRanges = keyRanges
    sourceModel = hop.from
    destinationModel = hop.to
    mapping = hop.parts.first?.mapping ?? MappingModel(entityMappings: [])
    isInferred = hop.isInferred
    self.source = source
    self.destination = destination
    self.report = report
    ledger = ObjectLedger(hop)
    let model = hop.from.model
    associations = AssociationTable(destination) { model.rootName(of: $0) }
    destination.noteLoss = { [unowned self] in
      try noteLoss($0.rule, of: $0.attribute, from: $1.flatMap(origin))
    }
    destination.retractLoss = { [unowned self] in
      try self.report.retract($0.rule, of: $0.attribute, from: origin(of: $1))
    }
  }

  /// The range of the keys of an entity's source objects, without its subentities.
  func keyRange(of entity: String) -> StoreReader.KeyRange {
    source.reader.layout.entityNumbers[entity].flatMap { keyRanges[$0] } ?? .init()
  }

  /// Continues with another mapping model, which has its own associations.
  func begin(_ mapping: MappingModel) throws {
    try noteJoins()
    self.mapping = mapping
    forgetMakers()
    try associations.beginPart(keepingFinished: isObserved)
  }

  // MARK: The running entity mapping

  struct Running {
    fileprivate(set) var mapping: EntityMapping?
    /// The index in the report.
    fileprivate(set) var reportIndex = 0
    /// The policy whose methods expressions can call; `nil` if no expression calls one.
    fileprivate(set) var policy: (any RunningPolicy)?
  }

  /// - Parameters:
  ///   - part: The index of the part of the hop.
  ///   - policy: The policy whose methods expressions can call; `nil` if none does.
  func begin(_ mapping: EntityMapping, part: Int, policy: (any RunningPolicy)?) {
    let reportIndex = report.entities.firstIndex { $0.part == part && $0.mapping == mapping.name }
    running = Running(
      mapping: mapping, reportIndex: reportIndex ?? running.reportIndex, policy: policy)
  }

  /// Calls a policy.
  ///
  /// - Returns: The result of the call.
  func call(
    _ policy: inout any RunningPolicy,
    _ body: (inout any RunningPolicy) throws -> Void
  ) rethrows -> PolicyCallResult {
    // Methods are called on a copy while the policy runs.
    if running.policy != nil, !(policy is FilePolicy) { running.policy = policy }
    result = PolicyCallResult()
    try body(&policy)
    return result
  }

  /// The report of the entity mapping.
  var currentReport: MigrationReport.EntityReport {
    get { report.entities[running.reportIndex] }
    _modify { yield &report.entities[running.reportIndex] }
  }

  /// The source relationships of the mapping model's relationships.
  var continuedEnds: ContinuedEnds {
    let ends =
      knownEnds
      ?? ContinuedEnds(
        entityMappings: mapping.entityMappings, named: namedMappings, source: sourceModel.model,
        destination: destinationModel.model)
    knownEnds = ends
    return ends
  }

  func forgetMakers() {
    endSourceWalk()
    instanceMakers = [:]
    lastMaker = nil
    relationshipMakers = [:]
  }

  /// Counts a number that loses data in an attribute of the new store.
  ///
  /// - Parameter source: The object it comes from; `nil` if there is none.
  func noteLoss(_ rule: LossRule, of attribute: PropertyID, from source: ObjectRef?) {
    report.note(
      NumberLoss(
        attribute: attribute, rule: rule, sourceEntity: source?.entity,
        affected: Receipt.Affected(count: 1, keys: source.map { [$0.key] } ?? [])))
  }

  /// Reads for the details of events, without logging statements.
  func quietly<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard let details = destination.details else { return try body() }
    return try details.quietly(body)
  }

  // MARK: Default behavior

  /// Creates the destination object of a source object, with the values of the attribute mappings, and
  /// associates the two: the default behavior in pass 1.
  ///
  /// - Returns: `nil` if the entity mapping has no destination or an abstract one.
  /// - Throws: ``MigrationError/cannotEvaluate(_:mapping:property:object:reason:)``.
  @discardableResult
  func createDestinationInstance(
    for source: BrowsedObject, in mapping: EntityMapping
  ) throws -> NewObject? {
    guard let maker = try instanceMaker(for: mapping) else { return nil }
    let created = try destination.make(source, by: maker)
    try associate(source, with: created, for: mapping)
    return created
  }

  /// - Returns: `nil` where the entity mapping has no destination entity, or an abstract one.
  private func instanceMaker(for mapping: EntityMapping) throws -> InstanceMaker? {
    if let lastMaker, lastMaker.name == mapping.name { return lastMaker.maker }
    guard let entity = mapping.destinationName,
      destinationModel.model[entity]?.isAbstract == false
    else { return nil }
    let maker = try instanceMakers[mapping.name] ?? newInstanceMaker(for: mapping, of: entity)
    instanceMakers[mapping.name] = maker
    lastMaker = (mapping.name, maker)
    return maker
  }

  private func newInstanceMaker(
    for mapping: EntityMapping, of entity: String
  ) throws -> InstanceMaker {
    let sources = columnSources(of: mapping) ?? []
    return try InstanceMaker(
      mapping, of: entity, sources, copying: copying(sources, for: mapping), self)
  }

  /// The sources of the attributes of an entity mapping's objects; `nil` if it creates none.
  func columnSources(of mapping: EntityMapping) -> [ColumnSource]? {
    mapping.destinationName.flatMap { destination.store.shape(of: $0) }.map { shape in
      ColumnSource.all(
        of: shape, in: destinationModel.model, by: mapping.attributeMappings,
        from: mapping.sourceName.flatMap { source.shape(of: $0) }, in: sourceModel.model,
        isInferred: isInferred)
    }
  }

  /// The SQL of columns, if statements can read the source.
  private func copying(
    _ sources: [ColumnSource], for mapping: EntityMapping
  ) -> InstanceMaker.Copying? {
    let sql = ColumnSQL(self, by: .sql)
    guard isSourceAttached, mapping.customSource == nil, let row = sql.row(mapping, BulkPolicy()),
      let table = mapping.sourceName.flatMap({ source.reader.layout.table(of: $0)?.name })
    else { return nil }
    var columns: [(index: Int, value: String)] = []
    for source in sources where !source.isEmpty {
      if let value = sql.value(of: source, row) {
        columns.append((source.index, value.sql))
      } else if source.isExternal {
        // Large data is not batched.
        return nil
      }
    }
    return InstanceMaker.Copying(table: table, columns: columns)
  }

  /// Sets the relationships of a destination object by the relationship mappings, through the association
  /// tables: the default behavior in pass 2.
  ///
  /// - Returns: The number of destination objects.
  /// - Throws: ``MigrationError/cannotEvaluate(_:mapping:property:object:reason:)``.
  @discardableResult
  func createRelationships(
    for destination: NewObject, in mapping: EntityMapping
  ) throws -> Int {
    guard !relationshipMaker(for: mapping).isIdle(for: destination.entity, self) else { return 0 }
    return try createRelationships(
      for: destination, in: mapping,
      of: Array(sourceInstances(for: destination, in: mapping).prefix(1)), choosing: nil)
  }

  /// Sorts the source objects of a relationship.
  typealias Choice = (_ relationship: String, _ objects: [any EvaluatedObject]) throws ->
    [any EvaluatedObject]

  /// Sets the relationships of a destination object with several source objects.
  ///
  /// - Parameter choosing: Sorts the source objects of a relationship; a to-one relationship uses the first.
  @discardableResult
  func createRelationships(
    for destination: NewObject, in mapping: EntityMapping, of sources: [BrowsedObject],
    choosing: Choice?
  ) throws -> Int {
    let count = try relationshipMaker(for: mapping).relate(
      destination, of: sources, self, choosing: choosing)
    result.related += count
    return count
  }

  private func relationshipMaker(for mapping: EntityMapping) -> RelationshipMaker {
    if let known = relationshipMakers[mapping.name] { return known }
    let maker = RelationshipMaker(
      mapping, of: sourceModel.model, among: namedMappings, variables: variables(of: mapping))
    relationshipMakers[mapping.name] = maker
    return maker
  }

  func isDecidedByPolicy(_ relationship: Declared<Relationship>) -> Bool {
    decidedByPolicy.contains(relationship.id)
  }

  // MARK: Association tables

  /// Associates a source object with a destination object.
  func associate(
    _ source: BrowsedObject, with destination: NewObject, for mapping: EntityMapping
  ) throws {
    let isNew = try associations.associations(of: mapping.name).associate(
      source.key, entity: source.entity, with: destination.traced)
    result.associated += 1
    if isNew { currentReport.created += 1 } else { currentReport.joined += 1 }
    ledger.noteMigrated(source.key, of: source.entity, by: running.reportIndex)
    guard isObserved else { return }
    if !isNew { try addSources(of: destination.traced, in: mapping, limit: TraceSources.limit) }
    let (from, to) = (source.traced, destination.traced)
    result.events.append(
      isNew
        ? .objectCreated(mapping: mapping.name, source: from, destination: to)
        : .objectJoined(mapping: mapping.name, source: from, destination: to))
  }

  /// Notes the source objects of the mapping model that have become one object with others, before their associations
  /// are dropped.
  func noteJoins() throws {
    let joining = Set(report.entities.filter { $0.joined > 0 }.map(\.mapping))
    guard !joining.isEmpty else { return }
    try log.own {
      for mapping in mapping.entityMappings where joining.contains(mapping.name) {
        for (source, first) in try associations[mapping.name]?.joins() ?? [] {
          ledger.joined.note(
            source.key, with: first, of: sourceModel.model.rootName(of: source.entity),
            in: mapping.destinationName ?? "")
        }
      }
    }
  }

  /// Adds the source objects of a destination object that has several.
  func addSources(of destination: ObjectRef, in mapping: EntityMapping, limit: Int) throws {
    guard let details = self.destination.details else { return }
    let sources = try details.quietly {
      try associations[mapping.name]?.sources(of: destination, limit: limit) ?? []
    }
    guard sources.count > 1 else { return }
    details.add(
      .objectShared(
        TraceSources(mapping: mapping.name, destination: destination, sources: sources)))
  }

  /// Visits the objects created by an entity mapping, by entity and key; memory use is independent of the size
  /// of the store.
  func forEachDestinationInstance(
    of mapping: EntityMapping, _ body: (NewObject) throws -> Void
  ) throws {
    var last: ObjectRef?
    repeat {
      let some = try associations[mapping.name]?.created(after: last, limit: 1000) ?? []
      for reference in some { try body(object(reference)) }
      last = some.last
    } while last != nil
  }

  /// The source objects of destination objects.
  func sourceInstances(
    for destination: NewObject, in mapping: EntityMapping
  ) throws -> [BrowsedObject] {
    try (associations[mapping.name]?.sources(of: destination.traced) ?? [])
      .map { try sourceObject($0.key, of: $0.entity) }
  }

  /// The source object with an identity.
  func sourceObject(_ key: Int64, of entity: String) throws -> BrowsedObject {
    // Of an object that was read in order, a statement that is logged reads the row.
    if let lastSource, lastSource.key == key, lastSource.entity == entity,
      lastSource.currentCursor == nil || log?.isObserved != true
    {
      return lastSource
    }
    let object = try sourceWalk.object(key, of: entity, in: source, log)
    lastSource = object
    return object
  }

  /// Clears the cached source object; the next step reads its own.
  func forgetSource() { lastSource = nil }

  /// Ends the reading of source objects in order.
  func endSourceWalk() {
    forgetSource()
    sourceWalk.end()
  }

  /// The source object of an object of an entity or its subentities.
  func origin(of reference: ObjectRef) throws -> ObjectRef? {
    for entity in destinationModel.model.familyNames(of: reference.entity) {
      for mapping in mapping.entityMappings where mapping.destinationName == entity {
        let found = try associations[mapping.name]?.sources(
          of: ObjectRef(entity: entity, key: reference.key))
        if let first = found?.first { return first }
      }
    }
    return nil
  }

  /// The destination objects of a source object, through a named entity mapping or, without a name, through
  /// any.
  func destinationInstances(
    forEntityMappingNamed name: String?, source: ObjectIdentity
  ) throws -> [NewObject] {
    var found = try name.map { try associations.destinations(of: source, in: $0) } ?? []
    if found.isEmpty, name == nil || isInferred {
      for other in mapping.entityMappings {
        found += try associations.destinations(of: source, in: other.name)
      }
    }
    return found.map(object)
  }

  private func object(_ reference: ObjectRef) -> NewObject {
    NewObject(entity: reference.entity, key: reference.key, context: destination)
  }
}
