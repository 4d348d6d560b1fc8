internal import StrataBase
package import StrataExpressions
package import StrataMapping
internal import StrataMigration
internal import StrataObjectModel
internal import StrataSQLite
internal import StrataStore

/// The breakpoints that can be hit in the current frame, looked up when a frame begins and not for each
/// object.
struct ActiveBreakpoints {
  /// The breakpoints evaluated before an object, and after it.
  var before: [Candidate] = []
  var behind: [Candidate] = []
  /// The lowest source key at which one of them can be hit, if known, see ``Stepper/leap(atMost:ignoringBreakpoints:)``.
  var firstKey: Int64?
  /// The step before which no leap is tried.
  var nextLeap = 0
  /// The number of objects of the next leap at most, so that it takes no longer than Ctrl-C can wait.
  var leapLimit = 250

  /// At another place, what is known of leaps does not hold.
  mutating func forgetLeaps() { (firstKey, nextLeap) = (nil, 0) }

  struct Candidate {
    var number: Int
    var kind: Breakpoint.Kind
    /// The condition, checked against the models.
    var condition: Predicate?
    /// The variables that the condition uses.
    var variables: Set<String> = []
    /// The context shared by all objects, which caches compiled patterns.
    var context = EvaluationContext()
  }
}

extension Stepper {
  /// Finds the breakpoints that can be hit until the next frame.
  func refreshBreakpoints() {
    active = ActiveBreakpoints()
    adjustDetail()
    guard case .objects(_, let name, let pass) = driver?.pending else {
      for breakpoint in breakpoints where breakpoint.isOfEvents {
        active.behind.append(candidate(breakpoint))
      }
      return
    }
    let mapping = passes?.run.currentEntityMapping
    for breakpoint in breakpoints {
      let applies =
        switch breakpoint.kind {
        case .entityMapping(let wanted): wanted == name && breakpoint.condition != nil
        case .object: true
        case .property(let property):
          mapping.map { breakpoint.kind.concerns($0, of: hops[position.hop]) } == true
            && sets(property.name, in: pass, by: mapping)
        case .policy(let wanted, let call):
          mapping?.policyName != nil && (wanted == nil || wanted == mapping?.policyName)
            && (call == nil || call == pass.calls.object)
        case .warning: pass == .createInstances
        case .pass, .error, .sql: false
        }
      if breakpoint.isOfEvents {
        active.behind.append(candidate(breakpoint))
        if case .warning = breakpoint.kind {} else { continue }
      }
      guard applies else { continue }
      var isBehind = false
      if let condition = breakpoint.condition, let mapping {
        guard let isAsked = isAsked(behind: pass, condition, in: mapping) else { continue }
        isBehind = isAsked
      }
      if isBehind {
        active.behind.append(candidate(breakpoint))
      } else {
        active.before.append(candidate(breakpoint))
      }
    }
  }

  /// A breakpoint on statements needs their events.
  var reportedDetail: TraceDetail {
    let isWaiting = breakpoints.contains { if case .sql = $0.kind { true } else { false } }
    return isWaiting ? max(detail, .statements) : detail
  }

  func adjustDetail() {
    log.detail = keepsStatements ? max(reportedDetail, .statements) : reportedDetail
    log.reportsOwn = reportsOwn || keepsStatements
  }

  private func candidate(_ breakpoint: Breakpoint) -> ActiveBreakpoints.Candidate {
    let mapping = passes?.run.currentEntityMapping
    var candidate = ActiveBreakpoints.Candidate(
      number: breakpoint.number, kind: breakpoint.kind,
      condition: breakpoint.condition.map {
        (try? checked($0, in: mapping, of: position.hop)) ?? $0
      }, variables: breakpoint.condition?.variables ?? [])
    if let condition = candidate.condition {
      arithmeticChoice(from: mapping?.sourceName, to: mapping?.destinationName)
        .choose(for: condition, in: &candidate.context)
    }
    return candidate
  }

  /// A condition with values converted to those of a store.
  ///
  /// - Throws: ``ExpressionError`` if the condition cannot be evaluated for the objects of the entity mapping.
  package func checked(
    _ condition: Predicate, in mapping: EntityMapping?, of hop: Int
  ) throws(ExpressionError) -> Predicate {
    let hop = hops[hop]
    switch condition.variables {
    case ["source"]:
      guard let entity = mapping?.sourceName else { return condition }
      return try hop.from.model.resolved(condition, entities: ["source": entity])
    case ["destination"]:
      guard let entity = mapping?.destinationName else { return condition }
      return try hop.to.model.resolved(condition, entities: ["destination": entity])
    default: return condition
    }
  }

  /// Checks the condition of a breakpoint against the objects of all entity mappings at which it can stop.
  ///
  /// - Throws: ``ExpressionError`` if it can be evaluated for none of them.
  package func check(
    _ condition: Predicate, of kind: Breakpoint.Kind
  ) throws(ExpressionError) {
    var first: ExpressionError?
    for hop in hops {
      for mapping in hop.entityMappings where kind.concerns(mapping, of: hop) {
        for side in Side.allCases {
          do throws(ExpressionError) {
            return try Self.check(condition, on: side, in: mapping, of: hop)
          } catch {
            first = first ?? error
          }
        }
      }
    }
    if let first { throw first }
  }

  /// An object to which the keys without a variable of a condition can belong.
  private enum Side: CaseIterable {
    case source, destination
  }

  /// Checks a condition whose keys without a variable belong to the source object or to the destination object.
  private static func check(
    _ condition: Predicate, on side: Side, in mapping: EntityMapping, of hop: MigrationPlan.Hop
  ) throws(ExpressionError) {
    for (model, name, other, entity) in [
      (hop.from.model, "source", Side.source, mapping.sourceName),
      (hop.to.model, "destination", Side.destination, mapping.destinationName),
    ] {
      let kind = entity.map { ValueKind.object($0) } ?? .unknown
      var variables = Dictionary(first: condition.variables.map { ($0, ValueKind.unknown) })
      variables[name] = kind
      _ = try model.resolved(
        condition, object: side == other ? kind : .unknown, variables: variables)
    }
  }

  /// Whether a condition is asked after an object of a pass, when the created object is known, and not before it; `nil`
  /// if it can be evaluated in neither place.
  private func isAsked(
    behind pass: Pass, _ condition: Predicate, in mapping: EntityMapping
  ) -> Bool? {
    let sides = Side.allCases.filter { side in
      (try? Self.check(condition, on: side, in: mapping, of: hops[position.hop])) != nil
    }
    guard pass == .createInstances else { return sides.contains(.destination) ? false : nil }
    if condition.variables.contains("destination") {
      return sides.contains(.destination) ? true : nil
    }
    return sides.isEmpty ? nil : !sides.contains(.source)
  }

  private func sets(_ property: String, in pass: Pass, by mapping: EntityMapping?) -> Bool {
    guard let mapping else { return false }
    switch pass {
    case .createInstances: return mapping.attributeMappings.contains { $0.name == property }
    case .createRelationships: return mapping.relationshipMappings.contains { $0.name == property }
    case .validate: return false
    }
  }

  // MARK: Before a step

  /// The breakpoints hit before the next step, except at the position where the stepper already stopped.
  func beforeStep(isFirst: Bool) throws -> StepStop.Reason? {
    guard !isFirst, !breakpoints.isEmpty, let pending = driver?.pending else { return nil }
    guard !pending.isObjects else {
      guard !active.before.isEmpty else { return nil }
      return stop(
        at: try active.before.indices.compactMap { index in
          try hitReason(&active.before[index]).map { (active.before[index].number, $0) }
        })
    }
    return stop(
      at: try breakpoints.compactMap { breakpoint in
        try hitReason(breakpoint, pending).map { (breakpoint.number, $0) }
      })
  }

  /// Counts the hits of breakpoints at one place; `nil` if none of them stops there.
  private func stop(at hits: [(number: Int, why: String)]) -> StepStop.Reason? {
    let stopping = hits.compactMap { hit($0.number, $0.why) }
    return stopping.isEmpty ? nil : .hits(stopping, changes: [])
  }

  /// The reason why a breakpoint is hit at the next object; `nil` if it is not.
  private func hitReason(_ candidate: inout ActiveBreakpoints.Candidate) throws -> String? {
    guard let driver = passes else { return nil }
    switch candidate.kind {
    case .object(let object):
      guard let source = try driver.run.upcomingSource(),
        source.traced == object
      else { return nil }
    case .warning:
      let truncations = try withoutReporting { try driver.run.upcomingTruncations() }
      guard !truncations.isEmpty else { return nil }
      return
        "\(truncations.joined(separator: ", ")) \(truncations.count == 1 ? "does" : "do") not fit"
    default: break
    }
    guard let condition = candidate.condition else { return try nextStep(candidate.kind, driver) }
    return try fits(
      condition, &candidate, driver.run.upcomingSource(), driver.run.upcomingDestination)
  }

  /// The reason without a condition.
  private func nextStep(_ kind: Breakpoint.Kind, _ driver: RunDriver<PassesRun>) throws -> String {
    let source = try driver.run.upcomingSource()?.traced.description
    switch kind {
    case .policy:
      let pass: Pass =
        driver.run.upcomingDestination == nil ? .createInstances : .createRelationships
      return policyCall(pass.calls.object, nil, nil) ?? ""
    case .property(let property): return "\(property) is set"
    default: return "\(source ?? "an object") is next"
    }
  }

  /// The reason if objects match a condition; `nil` if they do not.
  private func fits(
    _ condition: Predicate, _ candidate: inout ActiveBreakpoints.Candidate,
    _ source: BrowsedObject?, _ destination: NewObject?
  ) throws -> String? {
    candidate.context.object = destination
    if candidate.context.object == nil { candidate.context.object = source }
    if candidate.variables.contains("source") {
      candidate.context.variables["source"] = source.map { .object($0) } ?? .null
    }
    if candidate.variables.contains("destination") {
      candidate.context.variables["destination"] = destination.map { .object($0) } ?? .null
    }
    let context = candidate.context
    // An object keeps its store open.
    defer { (candidate.context.object, candidate.context.variables["destination"]) = (nil, nil) }
    do {
      return try withoutReporting { try context.holds(condition) }
        ? "matches \(condition.text)" : nil
    } catch let error as any DiagnosticError {
      // The user should see the error, and the migration can continue.
      return "the condition cannot be evaluated here: \(error.diagnostic.what) "
        + "(`break --delete \(candidate.number)` deletes the breakpoint)"
    }
  }

  /// The reason why a breakpoint is hit at a next step that is not an object.
  private func hitReason(_ breakpoint: Breakpoint, _ pending: MigrationStep) throws -> String? {
    switch (breakpoint.kind, pending) {
    case (.pass(let pass), _):
      guard isBegin(of: .pass, at: position),
        case .beginPass(let begun) = landmarks[position.hop][position.step - 1],
        pass == nil || pass == begun
      else { return nil }
      return "pass \(begun.rawValue) begins"
    case (.entityMapping(let name), .beginEntityMapping(let begun, _))
    where begun == name && breakpoint.condition == nil:
      return "\(name) begins"
    case (.sql(let pattern), .statement):
      guard let sql = inPlace?.run.upcomingStatement?.sql, sql.fits(pattern) else { return nil }
      return "the statement matches"
    case (.property(let property), .statement) where breakpoint.condition == nil:
      guard let sql = inPlace?.run.upcomingStatement?.sql,
        namesColumn(of: property.name, entity: property.entity, sql)
      else { return nil }
      return "the statement uses the column of \(property)"
    case (.policy(let name, let call), .beginEntityMapping(_, let pass))
    where breakpoint.condition == nil:
      return policyCall(pass.calls.begin, name, call)
    case (.policy(let name, let call), .endEntityMapping(_, let pass))
    where breakpoint.condition == nil:
      return policyCall(pass.calls.end, name, call)
    case (.warning, .statement(0)), (.warning, .validate):
      // The stepper may have stood before the first statement when the breakpoint was set: then before validation.
      guard inPlace != nil, isBegin(of: .hop, at: position) || pending == .validate,
        !breakpoint.hitPositions.contains(where: { $0.hop == position.hop })
      else { return nil }
      let losses = try losses()
      return losses.isEmpty ? nil : losses.joined(separator: "; ")
    default: return nil
    }
  }

  private func policyCall(
    _ call: Breakpoint.PolicyCall?, _ name: String?, _ wanted: Breakpoint.PolicyCall?
  ) -> String? {
    guard let call, let policy = passes?.run.currentEntityMapping?.policyName,
      name == nil || name == policy, wanted == nil || wanted == call
    else { return nil }
    return "\(policy) is called: \(call.rawValue)"
  }

  private func namesColumn(of name: String, entity: String, _ sql: String) -> Bool {
    let hop = hops[position.hop]
    let columns = [
      (hop.from.model, inPlace?.run.plan.layoutBefore),
      (hop.to.model, inPlace?.run.plan.layoutAfter),
    ].compactMap { model, layout in
      guard let layout else { return String?.none }
      return model.lineageNames(of: entity).lazy.compactMap {
        layout.column(of: name, declaredBy: $0)?.name
      }.first
    }
    return columns.contains { column in
      sql.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.contains { $0 == column }
    }
  }

  /// The losses and truncations of a hop in place, in words.
  private func losses() throws -> [String] {
    let hop = hops[position.hop]
    let reader = try StoreReader(source(ofHop: position.hop), model: hop.from.model)
    return try hop.losses(in: reader).map { counted in
      let loss = counted.finding
      return "\(loss.location) \(loss.reason): \(loss.evidence)"
    }
  }

  // MARK: Behind a step

  /// The source object of the next step, if a breakpoint after the step needs it.
  func objectForConditions() throws -> BrowsedObject? {
    guard active.behind.contains(where: { $0.condition != nil }) else { return nil }
    return try passes?.run.upcomingSource()
  }

  /// The breakpoints hit after a step, and the watched values that it changed.
  func behindStep(
    _ from: StepPosition, _ done: [TraceEvent], _ source: BrowsedObject?
  ) throws -> StepStop.Reason? {
    var hits: [(number: Int, why: String)] = []
    for var candidate in active.behind {
      switch candidate.kind {
      case .error:
        guard let why = done.problem else { continue }
        hits.append((candidate.number, why))
      case .warning:
        guard !hasHit(candidate.number, at: from), let why = done.firstLoss ?? unmapped(done)
        else { continue }
        if let reason = try hitBefore(from, candidate.number, why) { return reason }
      case .sql(let pattern):
        guard passes != nil, !hasHit(candidate.number, at: from),
          let sql = done.lazy.compactMap(\.sql).first(where: { $0.fits(pattern) })
        else { continue }
        if let reason = try hitBefore(from, candidate.number, "it runs \(sql)") { return reason }
      default:
        if case .object(let object) = candidate.kind,
          source?.traced != object
        {
          continue
        }
        guard let condition = candidate.condition,
          let created = done.lazy.compactMap(\.createdObject).first,
          let driver = passes,
          let why = try fits(condition, &candidate, source, driver.run.destinationObject(created))
        else { continue }
        hits.append((candidate.number, "created object: \(why)"))
      }
    }
    let (stopping, changes) = (stop(at: hits), try watches(done))
    return stopping?.and(changes) ?? changes
  }

  /// Whether a breakpoint was hit at a position, which it is to be passed then.
  private func hasHit(_ number: Int, at position: StepPosition) -> Bool {
    breakpoints.contains { $0.number == number && $0.hitPositions.contains(position) }
  }

  /// The objects that no entity mapping reads, known at the end of the hop.
  private func unmapped(_ done: [TraceEvent]) -> String? {
    guard let report, !report.unmapped.isEmpty,
      done.contains(where: { if case .hopEnded = $0.kind { true } else { false } })
    else { return nil }
    let objects = report.unmapped.map { "\($0.count) of \($0.entity)" }.joined(separator: ", ")
    return "no entity mapping reads \(objects), first p\(report.unmapped[0].firstKey)"
  }

  /// Counts a hit before the step for a breakpoint that is detected only after it.
  private func hitBefore(
    _ target: StepPosition, _ number: Int, _ why: String
  ) throws -> StepStop.Reason? {
    let isHere = driver?.pending == nil || target.hop != position.hop
    guard let hit = hit(number, why, at: isHere ? position : target) else { return nil }
    if !isHere { try go(to: target) }
    return .hits([hit], changes: [])
  }

  /// Counts a hit of the breakpoint on errors, if there is one.
  func hitErrorBreakpoint() -> Int? {
    let waiting = breakpoints.first {
      if case .error = $0.kind { true } else { false }
    }
    guard let waiting else { return nil }
    _ = hit(waiting.number, "")
    return waiting.number
  }

  /// Counts a hit; `nil` if it is ignored.
  ///
  /// - Parameter hitPosition: The position of the hit, by default the current one.
  private func hit(
    _ number: Int, _ why: String, at hitPosition: StepPosition? = nil
  ) -> StepStop.Hit? {
    guard let index = breakpoints.firstIndex(where: { $0.number == number }) else { return nil }
    breakpoints[index].hitPositions.append(hitPosition ?? position)
    guard breakpoints[index].hits > breakpoints[index].ignoreCount else { return nil }
    let hit = breakpoints[index]
    if hit.isOnce {
      breakpoints.remove(at: index)
      refreshBreakpoints()
    }
    return StepStop.Hit(breakpoint: hit, why: why)
  }
}

extension Breakpoint {
  /// Whether the events can have changed the value.
  fileprivate var isOfEvents: Bool {
    switch kind {
    case .error, .warning, .sql: true
    default: false
    }
  }
}

extension Pass {
  /// The calls of a policy at the beginning of an entity mapping, for each object, and at the end.
  fileprivate var calls:
    (begin: Breakpoint.PolicyCall?, object: Breakpoint.PolicyCall?, end: Breakpoint.PolicyCall)
  {
    switch self {
    case .createInstances: (.begin, .createDestinationInstances, .endInstanceCreation)
    case .createRelationships: (nil, .createRelationships, .endRelationshipCreation)
    case .validate: (.performCustomValidation, nil, .end)
    }
  }
}

extension TraceEvent {
  fileprivate var sql: String? {
    if case .sqlBegan(let statement) = kind { statement.sql } else { nil }
  }

  /// The object that was created from a source object.
  fileprivate var createdObject: ObjectRef? {
    if case .objectCreated(_, _, let destination) = kind { destination } else { nil }
  }
}

extension [TraceEvent] {
  /// The first of the values that are not valid, and the number of the others.
  fileprivate var problem: String? {
    let problems = compactMap { event -> String? in
      guard case .validationFailed(let object, let property, let reason) = event.kind else {
        return nil
      }
      return "\(object).\(property) \(reason)"
    }
    guard let first = problems.first else { return nil }
    let others = problems.count - 1
    return first + (others > 0 ? ", and \(Phrase.count(others, "other"))" : "")
  }

  fileprivate var firstLoss: String? {
    for event in self {
      if case .objectRemoved(_, let source, _) = event.kind {
        return "\(source) -> no object"
      }
    }
    return nil
  }
}

extension String {
  /// Whether this text contains a pattern: `*` stands for any text; case and quotes around names are
  /// ignored.
  fileprivate func fits(_ pattern: String) -> Bool {
    var rest = lowercased().filter { $0 != "\"" }[...]
    for part in pattern.lowercased().filter({ $0 != "\"" }).split(separator: "*") {
      guard let found = rest.firstRange(of: part) else { return false }
      rest = rest[found.upperBound...]
    }
    return true
  }
}

extension Breakpoint.Kind {
  /// Whether it can stop at the objects of an entity mapping.
  fileprivate func concerns(_ mapping: EntityMapping, of hop: MigrationPlan.Hop) -> Bool {
    switch self {
    case .entityMapping(let name): mapping.name == name
    // An object of a subentity has the property too.
    case .property(let property):
      mapping.destinationName.map { hop.to.model.isKind($0, of: property.entity) } == true
    case .object(let object):
      [mapping.sourceName, mapping.destinationName].contains(object.entity)
    case .policy(let name, _):
      mapping.policyName != nil && (name == nil || mapping.policyName == name)
    case .pass, .sql, .error, .warning: false
    }
  }
}
