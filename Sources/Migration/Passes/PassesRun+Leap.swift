package import StrataBase
internal import StrataExpressions
internal import StrataMapping
internal import StrataObjectModel
internal import StrataSQLite
internal import StrataStore

/// Leaps: the next objects of an entity mapping are migrated together, as SQL. The state afterwards is as if each
/// had been a step.
extension PassesRun {
  /// The source keys of the next objects, ascending; empty if they must be migrated one by one.
  ///
  /// - Parameters:
  ///   - end: The key before which they end.
  ///   - limit: Their number at most.
  package mutating func keysOfLeap(below end: Int64, limit: Int) throws -> [Int64] {
    try quietly { run in
      guard run.canLeap, try run.prepareLeaps() else { return [] }
      let keys = Array(try run.nextSourceKeys(limit).prefix { $0 < end })
      // One source object of each object, in order.
      return zip(keys, keys.dropFirst()).allSatisfy { $0 < $1 } ? keys : []
    }
  }

  /// Migrates the next objects together.
  ///
  /// - Parameters:
  ///   - keys: Their source keys, from ``keysOfLeap(below:limit:)``; more objects must follow.
  ///   - limit: The number of events at most.
  /// - Returns: The events of the last objects, one for each; `nil`, with nothing done, if they must be migrated one
  ///   by one.
  /// - Throws: If one of them cannot be migrated; then the run must go back to a checkpoint.
  package mutating func leap(over keys: [Int64], events limit: Int) throws -> [TraceEvent]? {
    guard case .objects(let indices, let name, let pass) = pending, let last = keys.last,
      let mapping = manager.currentEntityMapping, let source = mapping.sourceName,
      let destination = mapping.destinationName, let executor = leaps?.executor
    else { return nil }
    let ends = keys.suffix(limit)
    let next = indices.lowerBound + keys.count
    setInterruptible(false)
    defer { setInterruptible(true) }
    let events: [TraceEvent.Kind]? = try quietly { run in
      try run.manager.destination.flush()
      switch pass {
      case .createInstances:
        guard executor.canCreate(mapping) else { return nil }
        run.manager.currentReport.created += try executor.create(mapping, keys: keys)
        run.manager.ledger.noteMigrated(keys, of: source, by: run.manager.running.reportIndex)
        try run.moveCursor(to: last)
        let first = run.manager.destination.store.nextKey(of: destination) - Int64(ends.count)
        return zip(ends, first...).map { key, new in
          .objectCreated(
            mapping: name, source: ObjectRef(entity: source, key: key),
            destination: ObjectRef(entity: destination, key: new))
        }
      case .createRelationships:
        let counts = try executor.relate(
          mapping, from: keys[0]...last, countingFrom: ends.first ?? last)
        guard let counts else { return nil }
        let objects = try run.destinations(of: ends, in: mapping)
        (run.created, run.createdStart, run.lastCreated) = ([], next, objects.last)
        return zip(ends, objects).map { key, object in
          .relationshipsSet(mapping: name, destination: object, count: counts[key] ?? 0)
        }
      case .validate: return nil
      }
    }
    guard let events else { return nil }
    manager.endSourceWalk()
    mark += keys.count
    pending = objects(from: next, name, pass)
    try prefetch()
    return events.enumerated().map { offset, kind in
      TraceEvent(mark: mark - events.count + 1 + offset, kind: kind)
    }
  }

  /// Whether Ctrl-C ends statements of both stores.
  private func setInterruptible(_ isInterruptible: Bool) {
    manager.destination.store.isInterruptible = isInterruptible
    manager.source.reader.store.connection.isInterruptible = isInterruptible
  }

  private func destinations(
    of keys: ArraySlice<Int64>, in mapping: EntityMapping
  ) throws -> [ObjectRef] {
    let root = manager.sourceModel.model.rootName(of: mapping.sourceName ?? "")
    return try keys.flatMap {
      try manager.associations.destinations(
        of: ObjectIdentity(rootEntity: root, key: $0), in: mapping.name)
    }
  }

  /// Moves the cursor over the source objects, with the log entry of one that has read each.
  private mutating func moveCursor(to last: Int64) throws {
    upcomingKey = nil
    guard let cursor else { return }
    while !cursor.isRecordFull, let key = cursor.key, key < last { _ = try cursor.next() }
    guard let key = cursor.key, key < last else { return }
    let entity = cursor.shape.entity
    var record = cursor.record
    // It has read the first of them.
    let count = try manager.source.reader.count(of: entity, in: key...last) - 1
    record?.rowCount += count
    cursor.finish()
    try openCursor(over: entity, at: last, resuming: record)
  }

  /// Whether each object of the entity mapping has one event, and nothing but its row, its links and its
  /// associations depends on it.
  private var canLeap: Bool {
    guard case .objects = pending, let mapping = manager.currentEntityMapping else { return false }
    return mapping.policyName == nil && mapping.sourceName != nil && !hasDetails
      && manager.isObserved && manager.deletedEntities.isEmpty
      && manager.destination.existing == nil
  }

  /// - Returns: Whether statements can read the source.
  private mutating func prepareLeaps() throws -> Bool {
    if isAttachedForLeaps == nil {
      isAttachedForLeaps = try manager.destination.store.attach(manager.source.reader.store)
    }
    guard isAttachedForLeaps == true else { return false }
    if leaps?.part != part {
      leaps = (
        part,
        try BulkExecutor(manager, entityMappings, policies: bulkPolicies, isWhole: false)
      )
    }
    return true
  }

  private func nextSourceKeys(_ limit: Int) throws -> [Int64] {
    guard case .objects(let indices, let name, let pass) = pending else { return [] }
    let index = indices.lowerBound
    switch pass {
    case .createInstances:
      if let keys { return Array(keys[index...].prefix(limit)) }
      guard let upcomingKey, let cursor else { return [] }
      return try manager.source.reader.keys(
        of: cursor.shape.entity, from: upcomingKey, limit: limit)
    case .createRelationships:
      guard let first = created(at: index) else { return [] }
      return try manager.associations[name]?.sourceKeys(from: first, limit: limit) ?? []
    case .validate: return []
    }
  }
}
