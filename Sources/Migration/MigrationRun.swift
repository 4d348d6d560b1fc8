internal import StrataExpressions
internal import StrataMapping
internal import StrataObjectModel
public import StrataStore
public import StrataTraceEvents
internal import StrataValues

/// One hop of a migration as a state machine that its caller drives.
///
/// ``pending`` says what comes next, ``step()`` does it and returns what happened. Continuing, single
/// steps, breakpoints, progress and cancelling are loops around these two. Nothing is printed, and no
/// thread is started.
///
/// ```swift
/// while run.pending != nil { for event in try run.step() { show(event) } }
/// ```
///
/// The passes are those of Apple's guide: all entity mappings create their instances before any
/// relationship is made, and nothing is validated before the third pass.
public struct MigrationRun: ~Copyable {
  public let hop: MigrationPlan.Hop
  public private(set) var report: MigrationReport
  public private(set) var pending: MigrationStep?
  private let traceHop: TraceHop
  /// Where each entity mapping stands, in the hop and in the report.
  private let places: [String: Int]
  private let source: StoreReader
  private var destination: NewStore
  private var associations = AssociationTable()
  /// The objects of the entity mapping that is being worked through.
  private var keys: [Int64] = []
  private var mark: TraceMark = 0

  public init(
    _ hop: MigrationPlan.Hop, number: Int, of count: Int, source: consuming StoreReader,
    destination: consuming NewStore
  ) throws {
    let stray = try source.strayRows().reduce(0) { $0 + $1.count }
    self.hop = hop
    places = Dictionary(
      hop.mapping.entityMappings.enumerated().map { ($0.element.name, $0.offset) },
      uniquingKeysWith: { first, _ in first })
    traceHop = TraceHop(number: number, count: count, from: hop.from.name, to: hop.to.name)
    report = MigrationReport(
      entities: hop.mapping.entityMappings.map {
        MigrationReport.EntityReport(
          mapping: $0.name, sourceEntity: $0.sourceName, destinationEntity: $0.destinationName)
      })
    report.strayRows = stray
    pending = .beginHop
    self.source = source
    self.destination = destination
  }

  /// Does what ``pending`` says; a step that throws leaves the run where it was.
  public mutating func step() throws -> [TraceEvent] {
    guard let step = pending else { throw MigrationError.finished }
    let kinds: [TraceEvent.Kind]
    switch step {
    case .beginHop: kinds = [.hopBegan(traceHop)]
    case .beginPass(let pass): kinds = [.passBegan(pass)]
    case .beginEntityMapping(let name, let pass): kinds = [try begin(name, pass)]
    case .object(let index, let name, let pass): kinds = try visit(index, name, pass)
    case .endEntityMapping(let name, let pass):
      kinds =
        (pass == .validate ? try validateTogether(name) : [])
        + [.entityMappingEnded(pass: pass, mapping: name)]
    case .endPass(let pass):
      // Validation looks at what is stored, not at what was meant to be.
      if pass == .createRelationships { try destination.settle() }
      kinds = [.passEnded(pass)]
    case .endHop:
      // What breaks a uniqueness constraint cannot get the index that keeps it.
      if !report.problems.contains(where: \.stopsMigration) { try destination.finish() }
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
    try source.store.checkUnchanged()
  }

  private func successor(of step: MigrationStep) -> MigrationStep? {
    let mappings = hop.mapping.entityMappings
    switch step {
    case .beginHop: return .beginPass(.createInstances)
    case .beginPass(let pass):
      return mappings.first.map { .beginEntityMapping($0.name, pass: pass) } ?? .endPass(pass)
    case .beginEntityMapping(let name, let pass):
      return keys.isEmpty
        ? .endEntityMapping(name, pass: pass) : .object(0, mapping: name, pass: pass)
    case .object(let index, let name, let pass):
      return index + 1 < keys.count
        ? .object(index + 1, mapping: name, pass: pass) : .endEntityMapping(name, pass: pass)
    case .endEntityMapping(let name, let pass):
      guard let place = places[name], place + 1 < mappings.count else { return .endPass(pass) }
      return .beginEntityMapping(mappings[place + 1].name, pass: pass)
    case .endPass(let pass):
      return TracePass(rawValue: pass.rawValue + 1).map { .beginPass($0) } ?? .endHop
    case .endHop: return nil
    }
  }

  private mutating func begin(_ name: String, _ pass: TracePass) throws -> TraceEvent.Kind {
    let mapping = try mapping(named: name)
    if pass == .createInstances {
      keys = try mapping.sourceName.map { try source.keys(of: $0) } ?? []
      let objects = keys.count
      count(name) { $0.source = objects }
    } else {
      keys = associations.created(by: name)
    }
    return .entityMappingBegan(pass: pass, mapping: name, objects: keys.count)
  }

  private mutating func visit(
    _ index: Int, _ name: String, _ pass: TracePass
  ) throws -> [TraceEvent.Kind] {
    let mapping = try mapping(named: name)
    switch pass {
    case .createInstances: return try create(keys[index], mapping)
    case .createRelationships: return try connect(keys[index], mapping)
    case .validate: return try validate(keys[index], mapping)
    }
  }

  private func mapping(named name: String) throws(MigrationError) -> EntityMapping {
    guard let place = places[name] else { throw .finished }
    return hop.mapping.entityMappings[place]
  }

  /// Counts in the report of one entity mapping.
  private mutating func count(
    _ mapping: String, _ body: (inout MigrationReport.EntityReport) -> Void
  ) {
    guard let place = places[mapping] else { return }
    body(&report.entities[place])
  }

  // MARK: Pass 1

  private mutating func create(
    _ key: Int64, _ mapping: EntityMapping
  ) throws -> [TraceEvent.Kind] {
    guard let sourceName = mapping.sourceName,
      let object = try source.object(key, of: sourceName)
    else { return [] }
    let origin = TraceObject(entity: sourceName, key: key)
    guard let destinationName = mapping.destinationName else {
      count(mapping.name) { $0.dropped += 1 }
      return [.objectRemoved(mapping: mapping.name, source: origin)]
    }
    let attributes = try ExpressionEvaluator(source: object, mapping: mapping.name)
      .attributes(of: destinationName, in: hop.to.model, mappings: mapping.attributeMappings)
    let made = try destination.insert(destinationName, attributes: attributes)
    associations.associate(
      .init(root: hop.from.model.rootName(of: sourceName), key: key), with: made.key,
      in: mapping.name)
    count(mapping.name) { $0.created += 1 }
    return [
      .objectCreated(
        mapping: mapping.name, source: origin,
        destination: TraceObject(entity: destinationName, key: made.key))
    ]
  }

  // MARK: Pass 2

  private mutating func connect(
    _ key: Int64, _ mapping: EntityMapping
  ) throws -> [TraceEvent.Kind] {
    guard let destinationName = mapping.destinationName, let sourceName = mapping.sourceName,
      let origin = associations.source(of: key, in: mapping.name)
    else { return [] }
    var count = 0
    for property in mapping.relationshipMappings {
      guard let expression = property.expression,
        let relationship = hop.to.model.relationship(property.name, of: destinationName)
      else { continue }
      let sourceKey = try SourceRelationship(expression, mapping: mapping.name)
      guard let old = hop.from.model.relationship(sourceKey.name, of: sourceName) else {
        throw MigrationError.cannotEvaluate(expression.text, mapping: mapping.name)
      }
      let targets = try source.destinations(of: old, from: origin.key).flatMap { target in
        migrated(target, of: old.property.destinationName, through: sourceKey.mapping)
      }
      guard !targets.isEmpty else { continue }
      try destination.connect(relationship, of: key, to: targets)
      count += targets.count
    }
    return [
      .relationshipsSet(
        mapping: mapping.name, destination: TraceObject(entity: destinationName, key: key),
        count: count)
    ]
  }

  /// What became of a source object: through the named entity mapping, or, where the object is of a
  /// subentity, through the one that took it.
  private func migrated(_ key: Int64, of entity: String, through mapping: String) -> [Int64] {
    let reference = AssociationTable.Reference(
      root: hop.from.model.rootName(of: entity), key: key)
    let direct = associations.destinations(of: reference, in: mapping)
    guard direct.isEmpty else { return direct }
    for other in hop.mapping.entityMappings {
      guard let sourceName = other.sourceName,
        hop.from.model.rootName(of: sourceName) == reference.root
      else { continue }
      let found = associations.destinations(of: reference, in: other.name)
      if !found.isEmpty { return found }
    }
    return []
  }

  // MARK: Pass 3

  private mutating func validate(
    _ key: Int64, _ mapping: EntityMapping
  ) throws -> [TraceEvent.Kind] {
    guard let entity = mapping.destinationName else { return [] }
    let problems = try destination.problems(ofObject: key, entity: entity)
      .map { (property: $0.property, reason: "\($0.reason) (\($0.code))") }
    for (property, reason) in problems {
      let stops = hop.to.model.relationship(property, of: entity) == nil
      note(entity, property, reason, stops: stops, key: key)
    }
    return problems.map {
      .validationFailed(
        object: TraceObject(entity: entity, key: key), property: $0.property, reason: $0.reason)
    }
  }

  /// What only all objects of an entity together can break: its uniqueness constraints.
  private mutating func validateTogether(_ name: String) throws -> [TraceEvent.Kind] {
    guard let entity = try mapping(named: name).destinationName,
      let constraints = hop.to.model[entity]?.uniquenessConstraints
    else { return [] }
    var events: [TraceEvent.Kind] = []
    for constraint in constraints {
      let properties = constraint.joined(separator: ", ")
      for key in try destination.duplicates(of: constraint, entity: entity) {
        let reason = "is not unique (134111)"
        note(entity, properties, reason, stops: true, key: key)
        events.append(
          .validationFailed(
            object: TraceObject(entity: entity, key: key), property: properties, reason: reason))
      }
    }
    return events
  }

  private mutating func note(
    _ entity: String, _ property: String, _ reason: String, stops: Bool, key: Int64
  ) {
    let known = report.problems.firstIndex {
      $0.entity == entity && $0.property == property && $0.reason == reason
    }
    if let known {
      report.problems[known].count += 1
    } else {
      report.problems.append(
        MigrationReport.Problem(
          entity: entity, property: property, reason: reason, stopsMigration: stops, count: 1,
          firstKey: key))
    }
  }
}
