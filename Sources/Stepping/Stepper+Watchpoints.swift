internal import StrataBase
internal import StrataMapping
internal import StrataMigration
internal import StrataObjectModel
internal import StrataStore

/// What a watchpoint has seen last.
enum WatchedState: Equatable {
  case value(WatchedValue)
  /// By object; empty ones are missing.
  case values([ObjectRef: WatchedValue])

  fileprivate var summary: WatchedValue {
    switch self {
    case .value(let value): value
    case .values(let values): WatchedValue(Phrase.count(values.count, "value"))
    }
  }
}

extension Stepper {
  /// The stop at changed values; `nil` if none has changed.
  ///
  /// - Parameter done: The events of the step.
  func watches(_ done: [TraceEvent]) throws -> StepStop.Reason? {
    var changes: [StepStop.Change] = []
    for index in watchpoints.indices {
      let watchpoint = watchpoints[index]
      let before = watched[watchpoint.number] ?? .value(.none)
      let now = try state(of: watchpoint, after: before, done)
      guard before != now else { continue }
      watched[watchpoint.number] = now
      // The new store of the next hop is another one.
      guard !done.contains(where: { if case .hopBegan = $0.kind { true } else { false } }) else {
        continue
      }
      watchpoints[index].hitPositions.append(position)
      changes.append(Self.change(of: watchpoints[index], from: before, to: now))
    }
    return changes.isEmpty ? nil : .hits([], changes: changes)
  }

  /// The first object that has changed stands for all of them.
  private static func change(
    of watchpoint: Watchpoint, from before: WatchedState, to now: WatchedState
  ) -> StepStop.Change {
    guard case .values(let property) = watchpoint.subject, case .values(let old) = before,
      case .values(let new) = now
    else {
      return StepStop.Change(watchpoint: watchpoint, before: before.summary, now: now.summary)
    }
    let changed = Set(old.keys).union(new.keys).filter { old[$0] != new[$0] }
    var shown = watchpoint
    let first = changed.min { ($0.key, $0.entity) < ($1.key, $1.entity) }
    if let first { shown.subject = .property(first, name: property.name) }
    return StepStop.Change(
      watchpoint: shown, before: first.flatMap { old[$0] } ?? .none,
      now: first.flatMap { new[$0] } ?? .none, otherCount: changed.count - 1)
  }

  /// The last value of a watchpoint.
  package func shownValue(of watchpoint: Watchpoint) -> WatchedValue {
    watched[watchpoint.number]?.summary ?? .none
  }

  /// - Parameters:
  ///   - before: The last state.
  ///   - done: The events since then.
  func state(
    of watchpoint: Watchpoint, after before: WatchedState = .values([:]),
    _ done: [TraceEvent]? = nil
  ) throws -> WatchedState {
    do {
      switch watchpoint.subject {
      case .count(let entity):
        return .value(WatchedValue(String(try destinationCount(of: entity))))
      case .property(let object, let name):
        return .value(try destinationValue(of: name, in: object))
      case .values(let property): return .values(try values(of: property, after: before, done))
      }
    } catch is InspectionError {
      // In place, no model can read tables that are being replaced: what has changed is seen behind them.
      if case .values = watchpoint.subject { return before }
      if case .value = before { return before }
      return .value(WatchedValue("unknown"))
    }
  }

  /// Whether a step of the second pass can change a relationship of an object that its events do not name: from its
  /// other end, or since an object can be at one end only.
  private func canLinkOthers(_ property: PropertyID, in model: ObjectModel) -> Bool {
    guard let relationship = model.relationship(property.name, of: property.entity)?.property,
      let mapping = passes?.run.currentEntityMapping, mapping.policyName == nil
    else { return model.relationship(property.name, of: property.entity) != nil && isInSecondPass }
    guard isInSecondPass else { return false }
    let names = Set(mapping.relationshipMappings.map(\.name))
    let inverse = relationship.inverseName.flatMap {
      model.relationship($0, of: relationship.destinationName)?.property
    }
    guard names.contains(property.name) else {
      return inverse.map { names.contains($0.name) } ?? false
    }
    return relationship.isToMany || inverse?.isToMany == false
      || inverse.map { names.contains($0.name) } ?? false
  }

  private var isInSecondPass: Bool {
    guard let pass = (try? location)?.pass else { return true }
    return pass != .createInstances
  }

  /// The values of a property: only those of the objects that the events name are read, if these tell all.
  private func values(
    of property: PropertyID, after before: WatchedState, _ done: [TraceEvent]?
  ) throws -> [ObjectRef: WatchedValue] {
    var values: [ObjectRef: WatchedValue] = [:]
    let objects = try withoutReporting { try destinationObjects() }
    guard objects.model.hasProperty(property.name, of: property.entity) else { return values }
    // A statement changes any object.
    guard passes != nil, !canLinkOthers(property, in: objects.model),
      case .values(let known) = before,
      let touched = done?.touchedObjects
    else {
      try withoutReporting {
        try objects.forEach(StoreQuery(entity: property.entity)) { object in
          let value = try object.watchedValue(property.name)
          if !value.isEmpty { values[object.traced] = value }
          return true
        }
      }
      return values
    }
    values = known
    for object in touched where objects.model.isKind(object.entity, of: property.entity) {
      let value = try destinationValue(of: property.name, in: object)
      values[object] = value.isEmpty ? nil : value
    }
    return values
  }
}

extension [TraceEvent] {
  /// The destination objects that a step can have changed; `nil` if its events do not name all of them.
  fileprivate var touchedObjects: [ObjectRef]? {
    var objects: [ObjectRef] = []
    for event in self {
      switch event.kind {
      case .objectCreated(_, _, let object), .objectJoined(_, _, let object),
        .objectInserted(_, let object), .relationshipsSet(_, let object, _):
        objects.append(object)
      case .objectRemoved, .sqlBegan, .sqlEnded, .validationFailed: continue
      case _ where event.kind.isDetail: continue
      default: return nil
      }
    }
    return objects
  }
}
