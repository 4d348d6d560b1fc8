package import StrataBase

extension TraceEvent {
  /// The event as one line of JSON: its name under `event`, with its details.
  ///
  /// ```
  /// {"mark":7,"event":"objectCreated","mapping":"TopicToTopic","source":"Topic/p1","destination":"Topic/p1"}
  /// ```
  ///
  /// - Parameter isRevealing: Whether values of stores are included; otherwise only their types.
  package func json(revealing isRevealing: Bool = false) -> JSONValue {
    .object([("mark", .integer(Int64(mark)))] + kind.json(isRevealing))
  }
}

extension TraceEvent.Kind {
  private typealias Members = [(key: String, value: JSONValue)]

  fileprivate func json(_ isRevealing: Bool) -> [(key: String, value: JSONValue)] {
    switch self {
    case .hopBegan(let hop): event("hopBegan", hop.json)
    case .hopEnded(let hop): event("hopEnded", hop.json)
    case .partBegan(let number, let count, let mapping):
      event(
        "partBegan",
        [("number", .integer(number)), ("count", .integer(count)), ("mapping", .string(mapping))])
    case .passBegan(let pass): event("passBegan", [("pass", .integer(pass.rawValue))])
    case .passEnded(let pass): event("passEnded", [("pass", .integer(pass.rawValue))])
    case .entityMappingBegan(let pass, let mapping, let objects):
      event("entityMappingBegan", passAndMapping(pass, mapping) + [("objects", .integer(objects))])
    case .entityMappingEnded(let pass, let mapping):
      event("entityMappingEnded", passAndMapping(pass, mapping))
    case .objectCreated(let mapping, let source, let destination):
      event("objectCreated", pair(mapping, source, destination))
    case .objectJoined(let mapping, let source, let destination):
      event("objectJoined", pair(mapping, source, destination))
    case .objectInserted(let mapping, let destination):
      event(
        "objectInserted",
        [("mapping", .string(mapping)), ("destination", .string(destination.description))])
    case .objectRemoved(let mapping, let source, let reason):
      event(
        "objectRemoved",
        [("mapping", .string(mapping)), ("source", .string(source.description))] + reason.json)
    case .relationshipsSet(let mapping, let destination, let count):
      event(
        "relationshipsSet",
        [
          ("mapping", .string(mapping)), ("destination", .string(destination.description)),
          ("count", .integer(count)),
        ])
    case .objectsVisited(let pass, let mapping, let count):
      event("objectsVisited", passAndMapping(pass, mapping) + [("count", .integer(count))])
    case .statementRan(let sql, let purpose, let rows):
      event(
        "statementRan",
        [("sql", .string(sql)), ("purpose", .string(purpose)), ("rows", .integer(rows))])
    case .schemaChanged(let name, let before, let after):
      event(
        "schemaChanged",
        [
          ("name", .string(name)), ("before", .string(orNull: before)),
          ("after", .string(orNull: after)),
        ])
    case .tableRenamed(let name, let new):
      event("tableRenamed", [("name", .string(name)), ("new", .string(new))])
    case .sqlBegan(let statement): event("sqlBegan", statement.beginning(isRevealing))
    case .sqlEnded(let statement): event("sqlEnded", statement.end(isRevealing))
    case .stageChanged(let change, let objects):
      event("stageChanged", [("words", .string(change)), ("objects", .integer(objects))])
    case .validationFailed(let object, let property, let reason):
      event(
        "validationFailed",
        [
          ("object", .string(object.description)), ("side", .string("destination")),
          ("property", .string(property)), ("reason", .string(reason)),
        ])
    case .relationshipSet(let link): event("relationshipSet", link.json)
    case .policyDecided(let decision): event("policyDecided", decision.json(isRevealing))
    case .objectShared(let shared): event("objectShared", shared.json)
    case .objectsValidated(let validation): event("objectsValidated", validation.json)
    }
  }

  private func event(_ name: String, _ members: Members) -> Members {
    [("event", .string(name))] + members
  }

  private func pair(
    _ mapping: String, _ source: ObjectRef, _ destination: ObjectRef
  ) -> Members {
    [
      ("mapping", .string(mapping)), ("source", .string(source.description)),
      ("destination", .string(destination.description)),
    ]
  }

  private func passAndMapping(_ pass: Pass, _ mapping: String) -> Members {
    [("pass", .integer(pass.rawValue)), ("mapping", .string(mapping))]
  }
}

extension TraceRemoval {
  /// The policy, and whether it deleted the object that was created.
  fileprivate var json: [(key: String, value: JSONValue)] {
    switch self {
    case .entityMapping: []
    case .skipped(let policy): [("policy", .string(policy)), ("deleted", .bool(false))]
    case .deleted(let policy): [("policy", .string(policy)), ("deleted", .bool(true))]
    }
  }
}

extension TraceHop {
  fileprivate var json: [(key: String, value: JSONValue)] {
    [
      ("number", .integer(number)), ("count", .integer(count)), ("from", .string(from)),
      ("to", .string(to)),
    ]
  }
}

extension TraceStatement {
  fileprivate typealias Members = [(key: String, value: JSONValue)]

  private var identity: Members {
    [("side", .string(side.rawValue)), ("tag", .string(tag.rawValue)), ("sql", .string(sql))]
      + (entity.map { [("entity", .string($0))] } ?? [])
  }

  /// Keys that are not traced at this level are omitted.
  fileprivate func beginning(_ isRevealing: Bool) -> Members {
    identity + (bindings.isEmpty ? [] : [("bindings", Self.values(bindings, isRevealing))])
      + (plan.isEmpty ? [] : [("plan", .array(plan.map { .string($0) }))])
  }

  /// Keys that are not traced at this level are omitted.
  fileprivate func end(_ isRevealing: Bool) -> Members {
    identity + [("rowCount", .integer(rowCount)), ("seconds", .real(seconds))]
      + (rows.isEmpty
        ? [] : [("rows", .array(rows.map { Self.values($0, isRevealing) }))])
  }

  private static func values(_ values: [TraceValue], _ isRevealing: Bool) -> JSONValue {
    .array(values.map { $0.json(revealing: isRevealing) })
  }
}

extension TraceValue {
  /// The value, or its type.
  package func json(revealing isRevealing: Bool) -> JSONValue { isRevealing ? json : kind }

  fileprivate var json: JSONValue {
    switch self {
    case .null: .null
    case .integer(let number): .integer(number)
    case .real(let number): .real(number)
    case .text(let text): .string(text)
    case .bytes(let count): .object([("bytes", .integer(count))])
    }
  }

  /// The type of a value: `{"type": "text", "bytes": 9}`.
  fileprivate var kind: JSONValue {
    switch self {
    case .null, .bytes: json
    case .integer: .object([("type", .string("integer"))])
    case .real: .object([("type", .string("real"))])
    case .text(let text):
      .object([("type", .string("text")), ("bytes", .integer(text.utf8.count))])
    }
  }
}

extension JSONValue {
  fileprivate static func integer(_ number: Int) -> JSONValue { .integer(Int64(number)) }
}
