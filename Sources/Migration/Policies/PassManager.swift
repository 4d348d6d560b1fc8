internal import StrataBase
internal import StrataExpressions
internal import StrataMapping
internal import StrataObjectModel
internal import StrataStore

/// What a policy works with: both stores, the association tables and what is to be remembered, as
/// `NSMigrationManager` gives them.
final class PassManager {
  let sourceModel: NamedModel
  let destinationModel: NamedModel
  /// The store that is migrated.
  let source: StoreObjects
  let destination: DestinationContext
  /// The mapping model, or the part of it that is being worked through.
  var mapping: MappingModel { didSet { knownEnds = nil } }
  private var knownEnds: ContinuedEnds?
  var currentEntityMapping: EntityMapping? { running.mapping }
  /// What must last from pass to pass: policies do not.
  var userInfo: [String: any Sendable] = [:]

  /// Whether a relationship that names an entity mapping also finds what other ones took: an inferred
  /// mapping model names that of the parent entity for objects of those below it.
  let isInferred: Bool
  /// Whether statements in the destination may read the source.
  let isSourceAttached: Bool
  let associations: AssociationTable
  /// Of the source, by entity number.
  private let keyRanges: [Int64: StoreReader.KeyRange]
  /// What the entity mappings say, worked out once.
  private var instanceMakers: [String: InstanceMaker] = [:]
  private var lastMaker: (name: String, maker: InstanceMaker)?
  private var relationshipMakers: [String: RelationshipMaker] = [:]
  /// The source object that was asked for last, in this step or by somebody who looks at it: its row is read
  /// once.
  private var lastSource: BrowsedObject?
  var report: MigrationReport
  /// Which source objects became something.
  var ledger: ObjectLedger
  /// The to-one relationships, as `Entity.relationship`, of which policies choose one object among several.
  var decidedByPolicy: Set<String> = []
  /// Whether somebody listens to single objects.
  let isHeard: Bool
  /// Of the call of a policy that is running.
  var result = PolicyCallResult()
  var running = Running()
  /// How many methods of policies are being called, one by another.
  var methodDepth = 0
  /// Of which policies have deleted objects.
  var deletedEntities: Set<String> = []

  init(
    _ hop: MigrationPlan.Hop, source: StoreObjects, destination: DestinationContext,
    report: MigrationReport, keyRanges: [Int64: StoreReader.KeyRange], isSourceAttached: Bool,
    isHeard: Bool
  ) {
    self.isHeard = isHeard
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
    destination.noteLoss = { [unowned self] in noteLoss($0, of: $1, $2, key: $3) }
  }

  /// Which keys the source objects of an entity itself have.
  func keyRange(of entity: String) -> StoreReader.KeyRange {
    source.reader.layout.entityNumbers[entity].flatMap { keyRanges[$0] } ?? .init()
  }

  /// Goes on to another mapping model, which has associations of its own.
  func begin(_ mapping: MappingModel) throws {
    self.mapping = mapping
    forgetMakers()
    try associations.removeAll()
  }

  // MARK: The running entity mapping

  struct Running {
    fileprivate(set) var mapping: EntityMapping?
    /// Its place in the report.
    fileprivate(set) var place = 0
    /// What the methods of its policy are asked of; `nil` where no expression asks.
    fileprivate(set) var policy: (any RunningPolicy)?
  }

  /// - Parameters:
  ///   - part: Of the hop.
  ///   - policy: What expressions may ask; `nil` where none does.
  func begin(_ mapping: EntityMapping, part: Int, policy: (any RunningPolicy)?) {
    let place = report.entities.firstIndex { $0.part == part && $0.mapping == mapping.name }
    running = Running(mapping: mapping, place: place ?? running.place, policy: policy)
  }

  /// Calls a policy.
  ///
  /// - Returns: What happened.
  func call(
    _ policy: inout any RunningPolicy,
    _ body: (inout any RunningPolicy) throws -> Void
  ) rethrows -> PolicyCallResult {
    // The methods are asked of a copy, while the policy is at work.
    if running.policy != nil, !(policy is FilePolicy) { running.policy = policy }
    result = PolicyCallResult()
    try body(&policy)
    return result
  }

  /// What the report says of the entity mapping.
  var currentReport: MigrationReport.EntityReport {
    get { report.entities[running.place] }
    _modify { yield &report.entities[running.place] }
  }

  /// How the relationships of the mapping model continue those of the source.
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
    instanceMakers = [:]
    lastMaker = nil
    relationshipMakers = [:]
  }

  /// Counts a number of a source object that loses something in an attribute of its destination object.
  func noteLoss(_ kind: LossRule?, of property: String, _ entity: String, key: Int64?) {
    if let kind { report.noteNumber(entity, property, kind, key: key) }
  }

  // MARK: The default work

  /// Makes the destination object of a source object, with the values of the attribute mappings, and
  /// associates the two: what pass 1 does without a policy.
  ///
  /// - Returns: `nil` where the entity mapping has no destination, or an abstract one: no object is of it.
  /// - Throws: ``MigrationError/cannotEvaluate(_:mapping:property:reason:)``.
  @discardableResult
  func createDestinationInstance(
    for source: BrowsedObject, in mapping: EntityMapping
  ) throws -> NewObject? {
    guard let maker = try instanceMaker(for: mapping) else { return nil }
    let made = try destination.make(source, by: maker)
    try associate(source, with: made, for: mapping)
    return made
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
      mapping, of: entity, sources, copying: copying(sources, for: mapping),
      into: destination.store, variables: InstanceMaker.Variables(mapping, self),
      noteUndecided: mapping.policyName == nil
        ? nil : { [unowned self] in destination.undecided.add($0, of: entity, key: $1, $2) }
    ) { [unowned self] in noteLoss($0, of: $1, $2, key: $3) }
  }

  /// Where the attributes of an entity mapping's objects come from; `nil` where it makes none.
  func columnSources(of mapping: EntityMapping) -> [ColumnSource]? {
    mapping.destinationName.flatMap { destination.store.shape(of: $0) }.map { shape in
      ColumnSource.all(
        of: shape, in: destinationModel.model, by: mapping.attributeMappings,
        from: mapping.sourceName.flatMap { source.shape(of: $0) }, in: sourceModel.model,
        isInferred: isInferred)
    }
  }

  /// What SQL says of columns, where statements may read the source.
  private func copying(
    _ sources: [ColumnSource], for mapping: EntityMapping
  ) -> InstanceMaker.Copying? {
    let sql = ColumnSQL(self, by: .sql)
    guard isSourceAttached, mapping.customSource == nil, let row = sql.row(mapping, nil),
      let table = mapping.sourceName.flatMap({ source.reader.layout.table(of: $0)?.name })
    else { return nil }
    var columns: [(place: Int, value: String)] = []
    for source in sources where !source.isEmpty {
      if let value = sql.value(of: source, row) {
        columns.append((source.place, value.sql))
      } else if source.isExternal {
        // Large data does not wait.
        return nil
      }
    }
    return InstanceMaker.Copying(table: table, columns: columns)
  }

  /// Sets the relationships of a destination object by the relationship mappings, through the association
  /// tables: what pass 2 does without a policy.
  ///
  /// - Returns: How many objects they lead to.
  /// - Throws: ``MigrationError/cannotEvaluate(_:mapping:property:reason:)``.
  @discardableResult
  func createRelationships(
    for destination: NewObject, in mapping: EntityMapping
  ) throws -> Int {
    guard !relationshipMaker(for: mapping).isEmpty else { return 0 }
    return try createRelationships(
      for: destination, in: mapping,
      of: Array(sourceInstances(for: destination, in: mapping).prefix(1))
    ) { $1 }
  }

  /// The same from several source objects that became one.
  ///
  /// - Parameter choosing: Puts the source objects that a relationship leads to in order: of a to-one
  ///   relationship the first counts.
  @discardableResult
  func createRelationships(
    for destination: NewObject, in mapping: EntityMapping, of sources: [BrowsedObject],
    choosing: (_ relationship: String, _ objects: [any EvaluatedObject]) throws ->
      [any EvaluatedObject]
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
    decidedByPolicy.contains(relationship.qualifiedName)
  }

  // MARK: Association tables

  /// Keeps in mind which destination object came from which source object.
  func associate(
    _ source: BrowsedObject, with destination: NewObject, for mapping: EntityMapping
  ) throws {
    let isNew = try associations.associate(
      source.key, entity: source.entity, with: destination.key, entity: destination.entity,
      in: mapping.name)
    result.associated += 1
    if isNew { currentReport.created += 1 } else { currentReport.joined += 1 }
    ledger.noteMigrated(source.key, of: source.entity, by: running.place)
    guard isHeard else { return }
    let (from, to) = (source.traced, destination.traced)
    result.events.append(
      isNew
        ? .objectCreated(mapping: mapping.name, source: from, destination: to)
        : .objectJoined(mapping: mapping.name, source: from, destination: to))
  }

  /// Visits what an entity mapping has made, by entity and key; memory does not grow with the store.
  func forEachDestinationInstance(
    of mapping: EntityMapping, _ body: (NewObject) throws -> Void
  ) throws {
    var last: ObjectRef?
    repeat {
      let some = try associations.made(by: mapping.name, after: last, limit: 1000)
      for made in some { try body(object(made)) }
      last = some.last
    } while last != nil
  }

  /// The source objects that destination objects came from.
  func sourceInstances(
    for destination: NewObject, in mapping: EntityMapping
  ) throws -> [BrowsedObject] {
    try associations.sources(
      of: destination.traced, in: mapping.name
    ).map { sourceObject($0.key, of: $0.entity) }
  }

  /// A source object by its name.
  func sourceObject(_ key: Int64, of entity: String) -> BrowsedObject {
    if let lastSource, lastSource.key == key, lastSource.entity == entity { return lastSource }
    let object = source.object(key, of: entity)
    lastSource = object
    return object
  }

  /// The next step reads what it needs itself.
  func forgetSource() { lastSource = nil }

  /// The key of a source object that an object of an entity, or of one below it, came from.
  func origin(of made: ObjectRef) throws -> Int64? {
    let below = destinationModel.model.descendantNames(of: made.entity)
    for entity in [made.entity] + below {
      for mapping in mapping.entityMappings where mapping.destinationName == entity {
        let found = try associations.sources(
          of: ObjectRef(entity: entity, key: made.key), in: mapping.name)
        if let first = found.first { return first.key }
      }
    }
    return nil
  }

  /// What a source object became: through an entity mapping, or, where none is named, through any.
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

  private func object(_ made: ObjectRef) -> NewObject {
    NewObject(entity: made.entity, key: made.key, context: destination)
  }
}
