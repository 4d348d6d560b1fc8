package import StrataBase
package import StrataExpressions
package import StrataMapping
package import StrataMigration
package import StrataObjectModel
internal import StrataSQLite
package import StrataStore

/// Inspection of the stores at a stop. It does not change the migration.
extension Stepper {
  /// The reasons why a store cannot be inspected.
  package enum InspectionError: Error, Sendable {
    /// The hop is complete and its store is closed.
    case noStore
    /// In place, the tables are between the two models.
    case betweenModels
  }

  package var location: StepLocation {
    get throws {
      let hop = hops[position.hop]
      let part = passes?.run.currentPart ?? 0
      return StepLocation(
        hop: position.hop + 1, hopCount: hops.count, from: hop.from.name, to: hop.to.name,
        means: isInPlace(position.hop) ? .inPlace : .passes,
        mappingModel: hop.isInferred ? "" : hop.parts[part].name,
        part: hop.parts.count > 1 ? part + 1 : nil, partCount: hop.parts.count, next: try next,
        mark: mark)
    }
  }

  private var next: StepLocation.Next? {
    get throws {
      guard !isAtEnd, let pending = driver?.pending else { return nil }
      switch pending {
      case .beginEntityMapping(let name, let pass):
        return .beginEntityMapping(
          name, pass: pass, kind: passes?.run.currentEntityMapping?.effectiveKind.name ?? "")
      case .objects(let indices, let name, let pass):
        let (source, destination) = try currentObjects()
        return .object(
          indices.lowerBound + 1, of: passes?.run.currentObjectCount ?? 0, mapping: name,
          pass: pass,
          source: source, destination: destination)
      case .endEntityMapping(let name, let pass): return .endEntityMapping(name, pass: pass)
      case .statement(let index):
        guard let statement = inPlace?.run.upcomingStatement else { return .frame }
        return .statement(
          index + 1, of: inPlace?.run.plan.statements.count ?? 0, sql: statement.sql,
          purpose: statement.purpose)
      case .stageChange(let index):
        return .stageChange(
          index + 1, of: inPlace?.run.changeCount ?? 0,
          text: inPlace?.run.upcomingChange ?? "")
      case .validate: return .validate
      case .endHop: return .endHop
      case .beginHop, .beginPart, .beginPass, .endPass, .endPart, .commit: return .frame
      }
    }
  }

  /// The current entity mapping.
  package var entityMapping: EntityMapping? { passes?.run.currentEntityMapping }

  /// The policy file's policy of the current entity mapping; `nil` if it has none, or one in Swift.
  package var policyScript: PolicyScript? {
    guard let entityMapping else { return nil }
    let hop = hops[position.hop]
    let part = hop.parts[passes?.run.currentPart ?? 0].name
    return hop.policyUses.first {
      $0.entityMapping == entityMapping.name && $0.mappingModel == part
    }.flatMap(setup.policies.usedScript)
  }

  /// The policy files' policies of the current hop, each once.
  package var policyScripts: [PolicyScript] {
    var found: [PolicyScript] = []
    for script in hops[position.hop].policyUses.compactMap(setup.policies.usedScript)
    where !found.contains(script) { found.append(script) }
    return found
  }

  /// The current mapping model, or the current part of it.
  package var mapping: MappingModel? {
    let parts = hops[position.hop].parts
    let part = passes?.run.currentPart ?? 0
    return part < parts.count ? parts[part].mapping : nil
  }

  /// The statements of the current hop, if it is in place.
  func statements(ofHop hop: Int) -> [InPlaceStatement]? {
    hop == position.hop ? inPlace?.run.plan.statements : nil
  }

  /// The last events, statements left out.
  package func lastEvents(_ count: Int) -> [TraceEvent] { events.last(count) }

  /// Reads objects of either store without reporting the statements that this takes.
  package func withoutReporting<Result>(_ body: () throws -> Result) rethrows -> Result {
    try log.muted(body)
  }

  // MARK: Objects

  /// The source store of the hop.
  package func sourceObjects() throws -> StoreObjects {
    if let passes { return passes.run.sourceObjects }
    let hop = hops[position.hop]
    return StoreObjects(
      try StoreReader(source(ofHop: position.hop), model: hop.from.model))
  }

  /// The destination store of the hop, in its current state.
  ///
  /// - Throws: ``InspectionError/betweenModels``, ``InspectionError/noStore``.
  package func destinationObjects() throws -> StoreObjects {
    if let passes { return try passes.run.destinationObjects() }
    guard let inPlace else { throw InspectionError.noStore }
    guard !inPlace.run.isBetweenModels else { throw InspectionError.betweenModels }
    do {
      guard let objects = try inPlace.run.storeObjects() else { throw InspectionError.noStore }
      return objects
    } catch is StoreError {
      throw InspectionError.betweenModels
    }
  }

  /// The current objects; none after the last object of an entity mapping.
  package func currentObjects() throws -> (source: ObjectRef?, destination: ObjectRef?) {
    try (passes?.run.upcomingSource()?.traced, passes?.run.upcomingDestination?.traced)
  }

  /// The object created last, if it has a source object.
  package var lastCreated: (source: ObjectRef?, destination: ObjectRef)? {
    for event in events.last(EventLog.limit).reversed() {
      switch event.kind {
      case .objectCreated(_, let source, let destination): return (source, destination)
      case .objectInserted(_, let destination): return (nil, destination)
      case .passBegan, .hopBegan: return nil
      default: continue
      }
    }
    return nil
  }

  /// The value of an expression at the stop, and its kind as far as the models tell: `$source` and `$destination` are
  /// the current objects. A key path without a variable refers to the destination, or to the source if there is none
  /// yet.
  package func value(
    of expression: Expression
  ) throws -> (value: ExpressionValue, kind: ValueKind) {
    try withoutReporting {
      var (expression, kind) = (expression, ValueKind.unknown)
      for side in try sides() {
        let resolved = try side.model.resolved(
          expression, object: side.object, variables: side.variables)
        expression = resolved.expression
        if resolved.kind != .unknown { kind = resolved.kind }
      }
      var context = try evaluationContext
      context.arithmetic = try arithmeticChoice.arithmetic(of: expression)
      return (try context.value(of: expression), kind)
    }
  }

  /// Whether a predicate holds at the stop, see ``value(of:)``.
  package func holds(_ predicate: Predicate) throws -> Bool {
    try withoutReporting {
      let resolved = try sides().reduce(predicate) { predicate, side in
        try side.model.resolved(predicate, object: side.object, variables: side.variables)
      }
      var context = try evaluationContext
      try arithmeticChoice.choose(for: resolved, in: &context)
      return try context.holds(resolved)
    }
  }

  /// What each of the two models knows about the current objects.
  private typealias Side = (model: ObjectModel, object: ValueKind, variables: [String: ValueKind])

  private func sides() throws -> [Side] {
    let (source, destination) = try currentObjects()
    let hop = hops[position.hop]
    func kind(_ object: ObjectRef?) -> ValueKind { object.map { .object($0.entity) } ?? .nothing }
    return [
      (
        hop.from.model, destination == nil ? kind(source) : .unknown,
        ["source": kind(source), "destination": .unknown]
      ),
      (
        hop.to.model, destination == nil ? .unknown : kind(destination),
        ["source": .unknown, "destination": kind(destination)]
      ),
    ]
  }

  private var arithmeticChoice: ArithmeticChoice {
    get throws {
      let (source, destination) = try currentObjects()
      return arithmeticChoice(from: source?.entity, to: destination?.entity)
    }
  }

  /// The choice of arithmetic for expressions about an object of each side.
  func arithmeticChoice(from source: String?, to destination: String?) -> ArithmeticChoice {
    let hop = hops[position.hop]
    var starts: [String: ArithmeticChoice.Start] = [:]
    starts["source"] = source.map { .init(model: hop.from.model, entity: $0) }
    starts["destination"] = destination.map { .init(model: hop.to.model, entity: $0) }
    return ArithmeticChoice(
      object: starts["destination"] ?? starts["source"], variables: starts)
  }

  private var evaluationContext: EvaluationContext {
    get throws {
      let (source, destination) = try currentObjects()
      let from = try source.map { try sourceObjects().object($0.key, of: $0.entity) }
      let to = try destination.map { try destinationObjects().object($0.key, of: $0.entity) }
      var context = EvaluationContext()
      context.object = to
      if context.object == nil { context.object = from }
      context.variables["source"] = from.map { .object($0) } ?? .null
      context.variables["destination"] = to.map { .object($0) } ?? .null
      return context
    }
  }

  // MARK: Tables

  package func associations(limit: Int) throws -> [PassesRun.Associations] {
    try passes?.run.associations(limit: limit) ?? []
  }

  /// The association tables of every part of the hop, by part.
  package func allAssociations(limit: Int) throws -> [[PassesRun.Associations]] {
    try passes?.run.allAssociations(limit: limit) ?? []
  }

  /// The pairs of one object, of the tables that have one.
  package func associations(
    of object: ObjectRef, side: TraceStatement.Side
  ) throws -> [PassesRun.Associations] {
    try passes?.run.associations(of: object, side: side) ?? []
  }

  /// Runs a user's query in either store.
  ///
  /// - Returns: The names of the columns.
  package func query(
    _ side: TraceStatement.Side, _ sql: String, _ body: ([AttributeValue]) -> Bool
  ) throws -> [String] {
    switch side {
    case .source:
      return try withoutReporting { try sourceObjects().query(sql, body) }
    case .destination:
      if let inPlace { return try inPlace.run.query(sql, body) }
      return try withoutReporting { try destinationObjects().query(sql, body) }
    }
  }

  func destinationCount(of entity: String) throws -> Int {
    try withoutReporting { try destinationObjects().reader.count(of: entity) }
  }

  func destinationValue(of name: String, in object: ObjectRef) throws -> WatchedValue {
    try withoutReporting {
      let objects = try destinationObjects()
      // In place, the first statements still find the old model.
      guard objects.model.hasProperty(name, of: object.entity),
        try objects.isThere(object.key, entity: object.entity)
      else { return .none }
      return try objects.object(object.key, of: object.entity).watchedValue(name)
    }
  }
}

extension BrowsedObject {
  /// The value of a property.
  func watchedValue(_ name: String) throws -> WatchedValue {
    switch try value(forKey: name) {
    case .value(let value): value.watched
    case .object(let object): WatchedValue("p\(object.identity.key)")
    case .collection(let elements, _):
      elements.isEmpty
        ? .noObjects
        : WatchedValue(
          Phrase.count(elements.count, "object"),
          identity: elements.compactMap {
            if case .object(let object) = $0 { object.identity.key } else { nil }
          })
    }
  }
}

extension AttributeValue {
  fileprivate var watched: WatchedValue {
    switch self {
    case .null: .none
    case .integer(let number): WatchedValue(String(number), kind: "(\(summary))")
    case .real(let number): WatchedValue(String(number), kind: "(\(summary))")
    case .text(let text): WatchedValue("\"\(text)\"", kind: "(\(summary))")
    case .bytes(let bytes): WatchedValue("\(bytes.count) bytes", identity: [Int64(bytes.hashValue)])
    }
  }
}
