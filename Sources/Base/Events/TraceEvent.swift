/// An event in a store or a migration: a plain value that outlives both.
///
/// The tracer, the stepper, the progress line, the report and the tests all read the same stream of events.
package struct TraceEvent: Sendable, Hashable {
  /// The event's number in its run, counted from 1.
  package var mark: EventNumber
  package var kind: Kind

  package init(mark: EventNumber, kind: Kind) {
    self.mark = mark
    self.kind = kind
  }

  package enum Kind: Sendable, Hashable {
    case hopBegan(TraceHop)
    /// One of several mapping models of a hop begins.
    case partBegan(number: Int, count: Int, mapping: String)
    case passBegan(Pass)
    /// An entity mapping begins; `objects` is the number of objects that it will visit in this pass.
    case entityMappingBegan(pass: Pass, mapping: String, objects: Int)
    /// Pass 1 created a destination object from a source object.
    case objectCreated(mapping: String, source: ObjectRef, destination: ObjectRef)
    /// Pass 1 merged a source object into an existing destination object.
    case objectJoined(mapping: String, source: ObjectRef, destination: ObjectRef)
    /// A policy created a destination object that comes from no source object, or from several.
    case objectInserted(mapping: String, destination: ObjectRef)
    /// A source object has no destination object of an entity mapping.
    case objectRemoved(mapping: String, source: ObjectRef, because: TraceRemoval)
    /// Pass 2 set the relationships of a destination object.
    case relationshipsSet(mapping: String, destination: ObjectRef, count: Int)
    /// A number of objects of an entity mapping were visited together, without an event for each.
    case objectsVisited(pass: Pass, mapping: String, count: Int)
    case entityMappingEnded(pass: Pass, mapping: String)
    case passEnded(Pass)
    /// A statement of a migration in place was run: its purpose, and the number of rows that it changed.
    case statementRan(sql: String, purpose: String, rows: Int)
    /// A statement changed the schema: the definition of the name before and after.
    case schemaChanged(name: String, before: String?, after: String?)
    /// A statement gave a table another name.
    case tableRenamed(name: String, new: String)
    /// A statement begins; only sent on request.
    case sqlBegan(TraceStatement)
    /// A statement has returned its last row, or no more rows are requested.
    case sqlEnded(TraceStatement)
    /// A stage changed objects before or after its migration; the change as its file writes it.
    case stageChanged(change: String, objects: Int)
    /// Pass 3 found an object that the destination model does not allow.
    case validationFailed(object: ObjectRef, property: String, reason: String)
    case hopEnded(TraceHop)
    /// How a relationship of a destination object was set.
    case relationshipSet(TraceLink)
    /// A statement of a policy file was run for an object.
    case policyDecided(TraceDecision)
    /// The source objects of a destination object that has several.
    case objectShared(TraceSources)
    /// Pass 3 validated the objects of an entity.
    case objectsValidated(TraceValidation)
  }
}

extension TraceEvent {
  /// The events of a step: first its statements, with the number of the event that they belong to. So the numbers
  /// do not depend on whether statements are observed.
  ///
  /// Details come last, with the number of the last event.
  package static func numbered(
    _ kinds: [Kind], behind statements: [Kind], from mark: inout EventNumber
  ) -> [TraceEvent] {
    let first = mark
    var details: [Kind] = []
    var events: [TraceEvent] = []
    for kind in kinds {
      guard !kind.isDetail else {
        details.append(kind)
        continue
      }
      mark += 1
      events.append(TraceEvent(mark: mark, kind: kind))
    }
    let statementMark = min(first + 1, mark)
    return statements.map { TraceEvent(mark: statementMark, kind: $0) } + events
      + details.map { TraceEvent(mark: mark, kind: $0) }
  }

  /// Whether it is a statement, which has no number of its own.
  package var isStatement: Bool { kind.statement != nil }

  /// Whether it has a number of its own; statements and details have that of the event they belong to.
  package var isNumbered: Bool { !isStatement && !kind.isDetail }
}

extension TraceEvent.Kind {
  /// Whether it explains another event of its step.
  package var isDetail: Bool {
    switch self {
    case .relationshipSet, .policyDecided, .objectShared, .objectsValidated: true
    default: false
    }
  }
}

extension TraceEvent.Kind {
  /// The statement that begins or has ended.
  package var statement: TraceStatement? {
    switch self {
    case .sqlBegan(let statement), .sqlEnded(let statement): statement
    default: nil
    }
  }
}

/// An event's number in its run, counted from 1: a position to go back to.
package typealias EventNumber = Int

/// One migration from a model version to the next.
package struct TraceHop: Sendable, Hashable {
  package var number: Int
  package var count: Int
  package var from: String
  package var to: String

  package init(number: Int, count: Int, from: String, to: String) {
    self.number = number
    self.count = count
    self.from = from
    self.to = to
  }
}
