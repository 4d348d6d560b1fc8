internal import StrataDiagnostics
internal import StrataExpressions
internal import StrataMapping
internal import StrataObjectModel
public import StrataStore
public import StrataTraceEvents

/// A migration by a manager in three passes, from one store into another.
///
/// The passes are those of Apple's guide: all entity mappings create their instances before any
/// relationship is made, and nothing is validated before the third pass. Where a hop has several mapping
/// models, each goes through its three passes into the same destination, one after the other.
public struct PassesRun: MigrationRun, ~Copyable {
  public let hop: MigrationPlan.Hop
  public private(set) var pending: MigrationStep?
  public var report: MigrationReport { manager.report }
  private let traceHop: TraceHop
  private let policies: PolicyRegistry
  private let manager: MigrationManager
  /// The part that is being worked through.
  private var part = 0
  /// That of the entity mapping being worked through: made anew for each pass.
  private var policy: any EntityMigrationPolicy = DefaultPolicy()
  /// What is visited in the entity mapping: source keys in pass 1, what was made of them in the others.
  private var keys: [Int64] = []
  private var made: [AssociationTable.Made] = []
  /// The source objects that some entity mapping has taken, by entity.
  private var taken: [String: KeySet] = [:]
  private var mark: TraceMark = 0

  /// - Parameters:
  ///   - policies: Those that mapping models may name.
  ///   - withoutPolicies: Whether a policy that is not known is left out, and the default work done.
  /// - Throws: ``MigrationError/badMapping(_:findings:)``,
  ///   ``MigrationError/unknownPolicies(_:known:)``, before anything is read or made.
  public init(
    _ hop: MigrationPlan.Hop, number: Int, of count: Int, source: consuming StoreReader,
    destination: consuming NewStore, policies: PolicyRegistry = PolicyRegistry(),
    withoutPolicies: Bool = false
  ) throws {
    try Self.check(hop, policies, withoutPolicies: withoutPolicies)
    let stray = try source.strayRows().reduce(0) { $0 + $1.count }
    var report = MigrationReport(hop)
    report.strayRows = stray
    // An application's own keys go along.
    var destination = destination
    destination.metadata.others.merge(source.store.metadata.others) { own, _ in own }
    self.hop = hop
    self.policies = policies
    traceHop = TraceHop(number: number, count: count, from: hop.from.name, to: hop.to.name)
    manager = MigrationManager(
      hop, source: StoreObjects(source), destination: DestinationContext(destination),
      report: report)
    pending = .beginHop
  }

  /// What is wrong is told at once, and not at the millionth object.
  private static func check(
    _ hop: MigrationPlan.Hop, _ policies: PolicyRegistry, withoutPolicies: Bool
  ) throws(MigrationError) {
    guard !hop.isInferred else { return }
    let lint = MappingLint(
      hop.parts.map(\.mapping), from: MatchableModel(hop.from.model),
      to: MatchableModel(hop.to.model))
    let errors = lint.findings.filter { $0.severity == .error }
    guard errors.isEmpty else {
      throw .badMapping(hop.parts.map(\.name).joined(separator: ", "), findings: errors)
    }
    var unknown: [MigrationError.UnknownPolicy] = []
    for mapping in withoutPolicies ? [] : hop.entityMappings {
      guard let name = mapping.policyName, !policies.knows(name),
        !unknown.contains(where: { $0.name == name })
      else { continue }
      unknown.append(
        MigrationError.UnknownPolicy(
          name: name, mapping: mapping.name, source: mapping.sourceName,
          destination: mapping.destinationName))
    }
    guard unknown.isEmpty else { throw .unknownPolicies(unknown, known: policies.names) }
  }

  /// Does what ``pending`` says; a step that throws ends the run.
  public mutating func step() throws -> [TraceEvent] {
    guard let step = pending else { throw MigrationError.finished }
    manager.events = []
    let kinds: [TraceEvent.Kind]
    switch step {
    case .beginHop: kinds = [.hopBegan(traceHop)]
    case .beginPart(let number): kinds = begin(part: number)
    case .beginPass(let pass): kinds = [.passBegan(pass)]
    case .beginEntityMapping(let name, let pass): kinds = try begin(name, pass)
    case .object(let index, let name, let pass): kinds = try visit(index, name, pass)
    case .endEntityMapping(let name, let pass): kinds = try end(name, pass)
    case .endPass(let pass):
      // Validation looks at what is stored, not at what was meant to be.
      if pass == .createRelationships { try manager.destination.store.settle() }
      kinds = [.passEnded(pass)]
    case .endPart: kinds = []
    case .statement, .validate: throw MigrationError.finished
    case .endHop:
      try countUntaken()
      // What breaks a uniqueness constraint cannot get the index that keeps it.
      if !report.problems.contains(where: \.stopsMigration) {
        try manager.destination.store.finish()
      }
      kinds = [.hopEnded(traceHop)]
    }
    pending = successor(of: step)
    return kinds.map { kind in
      mark += 1
      return TraceEvent(mark: mark, kind: kind)
    }
  }

  /// Asks whether the source still is what was migrated.
  ///
  /// - Throws: ``StoreError/changedMeanwhile``.
  public func checkSourceUnchanged() throws {
    try manager.source.checkUnchanged()
  }

  private var entityMappings: [EntityMapping] { manager.mapping.entityMappings }

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
      return visitCount(pass) == 0
        ? .endEntityMapping(name, pass: pass) : .object(0, mapping: name, pass: pass)
    case .object(let index, let name, let pass):
      return index + 1 < visitCount(pass)
        ? .object(index + 1, mapping: name, pass: pass) : .endEntityMapping(name, pass: pass)
    case .endEntityMapping(let name, let pass):
      guard let place = place(of: name), place + 1 < mappings.count else { return .endPass(pass) }
      return .beginEntityMapping(mappings[place + 1].name, pass: pass)
    case .endPass(let pass):
      if let next = TracePass(rawValue: pass.rawValue + 1) { return .beginPass(next) }
      return hop.parts.count > 1 ? .endPart(part) : .endHop
    case .endPart(let number):
      return number + 1 < hop.parts.count ? .beginPart(number + 1) : .endHop
    case .endHop, .statement, .validate: return nil
    }
  }

  private func visitCount(_ pass: TracePass) -> Int {
    pass == .createInstances ? keys.count : made.count
  }

  private func place(of name: String) -> Int? { entityMappings.firstIndex { $0.name == name } }

  private func mapping(named name: String) throws(MigrationError) -> EntityMapping {
    guard let place = place(of: name) else { throw .finished }
    return entityMappings[place]
  }

  // MARK: Frames

  private mutating func begin(part number: Int) -> [TraceEvent.Kind] {
    part = number
    manager.mapping = hop.parts[number].mapping
    // Each mapping model has a manager of its own.
    manager.associations = AssociationTable()
    return [
      .partBegan(number: number + 1, count: hop.parts.count, mapping: hop.parts[number].name)
    ]
  }

  private mutating func begin(_ name: String, _ pass: TracePass) throws -> [TraceEvent.Kind] {
    let mapping = try mapping(named: name)
    manager.currentEntityMapping = mapping
    manager.place =
      report.entities.firstIndex { $0.part == part && $0.mapping == name } ?? manager.place
    policy =
      mapping.policyName.flatMap { policies.make($0) } ?? DefaultPolicy()
    (keys, made) = ([], [])
    if pass == .createInstances {
      keys = try sourceKeys(of: mapping)
      manager.report.entities[manager.place].source = keys.count
    } else {
      made = manager.associations.created(by: name)
    }
    var policy = policy
    try called(mapping, pass) {
      switch pass {
      case .createInstances: try policy.begin(mapping, manager: manager)
      case .createRelationships: break
      case .validate: try policy.performCustomValidation(for: mapping, manager: manager)
      }
    }
    self.policy = policy
    return [
      .entityMappingBegan(pass: pass, mapping: name, objects: visitCount(pass))
    ] + heard()
  }

  private mutating func end(_ name: String, _ pass: TracePass) throws -> [TraceEvent.Kind] {
    let mapping = try mapping(named: name)
    var policy = policy
    try called(mapping, pass) {
      switch pass {
      case .createInstances: try policy.endInstanceCreation(for: mapping, manager: manager)
      case .createRelationships:
        try policy.endRelationshipCreation(for: mapping, manager: manager)
      case .validate: try policy.end(mapping, manager: manager)
      }
    }
    self.policy = policy
    return heard() + (pass == .validate ? try validateTogether(mapping) : [])
      + [.entityMappingEnded(pass: pass, mapping: name)]
  }

  /// The source objects that an entity mapping works through.
  private mutating func sourceKeys(of mapping: EntityMapping) throws -> [Int64] {
    guard let entity = mapping.sourceName else { return [] }
    var predicate: Predicate?
    if let filter = mapping.filter {
      do {
        predicate = try hop.from.model.resolved(Predicate(parsing: filter), for: entity)
      } catch {
        throw MigrationError.badFilter(
          filter, mapping: mapping.name, reason: error.diagnostic.what)
      }
    }
    let keys = try manager.source.keys(of: entity, where: predicate)
    var known = taken[entity] ?? KeySet()
    for key in keys { known.insert(key) }
    taken[entity] = known
    return keys
  }

  /// What no entity mapping takes is counted: no row goes silently.
  private func countUntaken() throws {
    for entity in hop.from.model.entityNames {
      let known = taken[entity] ?? KeySet()
      let count = try manager.source.count(of: entity)
      guard count > known.count else { continue }
      let first = try manager.source.keys(of: entity, where: nil).first { !known.contains($0) }
      manager.report.untaken.append(
        MigrationReport.Untaken(
          entity: entity, count: count - known.count, firstKey: first ?? 0))
    }
  }

  /// What a policy throws says which it is and where.
  private func called(
    _ mapping: EntityMapping, _ pass: TracePass, _ object: TraceObject? = nil,
    _ call: () throws -> Void
  ) throws {
    do {
      try call()
    } catch let error where mapping.policyName != nil && !(policy is DefaultPolicy) {
      let reason =
        (error as? any DiagnosticError)?.diagnostic
        ?? Diagnostic(id: "policy.failed", what: "\(error)")
      throw MigrationError.stoppedByPolicy(
        mapping.policyName ?? "", mapping: mapping.name, pass: pass, object: object, reason: reason)
    }
  }

  /// What has happened in a call, objects that the policy made included.
  private func heard() -> [TraceEvent.Kind] {
    let name = manager.currentEntityMapping?.name ?? ""
    let inserted = manager.destination.unheard.map {
      TraceEvent.Kind.objectInserted(
        mapping: name, destination: TraceObject(entity: $0.entity, key: $0.key))
    }
    manager.report.entities[manager.place].created += inserted.count
    manager.destination.unheard = []
    defer { manager.events = [] }
    return manager.events + inserted
  }

  // MARK: Objects

  private mutating func visit(
    _ index: Int, _ name: String, _ pass: TracePass
  ) throws -> [TraceEvent.Kind] {
    let mapping = try mapping(named: name)
    switch pass {
    case .createInstances: return try create(keys[index], mapping)
    case .createRelationships: return try connect(made[index], mapping)
    case .validate: return try validate(made[index])
    }
  }

  private mutating func create(
    _ key: Int64, _ mapping: EntityMapping
  ) throws -> [TraceEvent.Kind] {
    guard let entity = mapping.sourceName else { return [] }
    let object = manager.source.object(key, of: entity)
    let origin = TraceObject(entity: entity, key: key)
    let before = manager.taken
    var policy = policy
    try called(mapping, .createInstances, origin) {
      try policy.createDestinationInstances(for: object, in: mapping, manager: manager)
    }
    self.policy = policy
    let events = heard()
    guard manager.taken == before else { return events }
    manager.report.entities[manager.place].dropped += 1
    return events + [.objectRemoved(mapping: mapping.name, source: origin)]
  }

  private mutating func connect(
    _ made: AssociationTable.Made, _ mapping: EntityMapping
  ) throws -> [TraceEvent.Kind] {
    let object = DestinationObject(
      entity: made.entity, key: made.key, context: manager.destination)
    let place = TraceObject(entity: made.entity, key: made.key)
    var policy = policy
    manager.related = 0
    try called(mapping, .createRelationships, place) {
      try policy.createRelationships(for: object, in: mapping, manager: manager)
    }
    self.policy = policy
    return heard() + [
      .relationshipsSet(mapping: mapping.name, destination: place, count: manager.related)
    ]
  }

  private mutating func validate(_ made: AssociationTable.Made) throws -> [TraceEvent.Kind] {
    let problems = try manager.destination.store
      .problems(ofObject: made.key, entity: made.entity)
      .map { (property: $0.property, reason: "\($0.reason) (\($0.code))") }
    for (property, reason) in problems {
      let stops = hop.to.model.relationship(property, of: made.entity) == nil
      manager.report.note(made.entity, property, reason, stops: stops, key: made.key)
    }
    return problems.map {
      .validationFailed(
        object: TraceObject(entity: made.entity, key: made.key), property: $0.property,
        reason: $0.reason)
    }
  }

  /// What only all objects of an entity together can break: its uniqueness constraints.
  private mutating func validateTogether(_ mapping: EntityMapping) throws -> [TraceEvent.Kind] {
    guard let entity = mapping.destinationName,
      let constraints = hop.to.model[entity]?.uniquenessConstraints
    else { return [] }
    var events: [TraceEvent.Kind] = []
    for constraint in constraints {
      let properties = constraint.joined(separator: ", ")
      for key in try manager.destination.store.duplicates(of: constraint, entity: entity) {
        let reason = "is not unique (134111)"
        manager.report.note(entity, properties, reason, stops: true, key: key)
        events.append(
          .validationFailed(
            object: TraceObject(entity: entity, key: key), property: properties, reason: reason))
      }
    }
    return events
  }
}
