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
    .object(["mark": mark] + kind.members(isRevealing))
  }
}

extension TraceEvent.Kind {
  fileprivate func members(_ isRevealing: Bool) -> JSONValue.Members {
    switch self {
    case .hopBegan(let hop): event("hopBegan", hop.members)
    case .hopEnded(let hop): event("hopEnded", hop.members)
    case .partBegan(let number, let count, let mapping):
      event("partBegan", ["number": number, "count": count, "mapping": mapping])
    case .passBegan(let pass): event("passBegan", ["pass": pass.rawValue])
    case .passEnded(let pass): event("passEnded", ["pass": pass.rawValue])
    case .entityMappingBegan(let pass, let mapping, let objects):
      event(
        "entityMappingBegan", ["pass": pass.rawValue, "mapping": mapping, "objects": objects])
    case .entityMappingEnded(let pass, let mapping):
      event("entityMappingEnded", ["pass": pass.rawValue, "mapping": mapping])
    case .objectCreated(let mapping, let source, let destination):
      event("objectCreated", pair(mapping, source, destination))
    case .objectJoined(let mapping, let source, let destination):
      event("objectJoined", pair(mapping, source, destination))
    case .objectInserted(let mapping, let destination):
      event("objectInserted", ["mapping": mapping, "destination": destination.description])
    case .objectRemoved(let mapping, let source, let reason):
      event(
        "objectRemoved", ["mapping": mapping, "source": source.description] + reason.members)
    case .relationshipsSet(let mapping, let destination, let count):
      event(
        "relationshipsSet",
        ["mapping": mapping, "destination": destination.description, "count": count])
    case .objectsVisited(let pass, let mapping, let count):
      event("objectsVisited", ["pass": pass.rawValue, "mapping": mapping, "count": count])
    case .statementRan(let sql, let purpose, let rows):
      event("statementRan", ["sql": sql, "purpose": purpose, "rows": rows])
    case .schemaChanged(let name, let before, let after):
      event("schemaChanged", ["name": name, "before": before, "after": after])
    case .tableRenamed(let name, let new): event("tableRenamed", ["name": name, "new": new])
    case .sqlBegan(let statement): event("sqlBegan", statement.beginning(isRevealing))
    case .sqlEnded(let statement): event("sqlEnded", statement.end(isRevealing))
    case .stageChanged(let change, let objects):
      event("stageChanged", ["words": change, "objects": objects])
    case .validationFailed(let object, let property, let reason):
      event(
        "validationFailed",
        [
          "object": object.description, "side": "destination", "property": property,
          "reason": reason,
        ])
    case .relationshipSet(let link): event("relationshipSet", link.members)
    case .policyDecided(let decision): event("policyDecided", decision.members(isRevealing))
    case .objectShared(let shared): event("objectShared", shared.members)
    case .objectsValidated(let validation): event("objectsValidated", validation.members)
    }
  }

  private func event(_ name: String, _ members: JSONValue.Members) -> JSONValue.Members {
    ["event": name] + members
  }

  private func pair(
    _ mapping: String, _ source: ObjectRef, _ destination: ObjectRef
  ) -> JSONValue.Members {
    [
      "mapping": mapping, "source": source.description, "destination": destination.description,
    ]
  }
}

extension TraceRemoval {
  /// The policy, and whether it deleted the object that was created.
  fileprivate var members: JSONValue.Members {
    switch self {
    case .entityMapping: [:]
    case .skipped(let policy): ["policy": policy, "deleted": false]
    case .deleted(let policy): ["policy": policy, "deleted": true]
    }
  }
}

extension TraceHop {
  fileprivate var members: JSONValue.Members {
    ["number": number, "count": count, "from": from, "to": to]
  }
}

extension TraceStatement {
  private var identity: JSONValue.Members {
    let statement: JSONValue.Members = ["side": side.rawValue, "tag": tag.rawValue, "sql": sql]
    return entity.map { statement + ["entity": $0] } ?? statement
  }

  /// Keys that are not traced at this level are omitted.
  fileprivate func beginning(_ isRevealing: Bool) -> JSONValue.Members {
    identity + (bindings.isEmpty ? [:] : ["bindings": Self.json(bindings, isRevealing)])
      + (plan.isEmpty ? [:] : ["plan": plan])
  }

  /// Keys that are not traced at this level are omitted.
  fileprivate func end(_ isRevealing: Bool) -> JSONValue.Members {
    identity + ["rowCount": rowCount, "seconds": seconds]
      + (rows.isEmpty ? [:] : ["rows": rows.json { Self.json($0, isRevealing) }])
  }

  private static func json(_ values: [TraceValue], _ isRevealing: Bool) -> JSONValue {
    values.json { $0.json(revealing: isRevealing) }
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
    case .bytes(let count): ["bytes": count]
    }
  }

  /// The type of a value: `{"type": "text", "bytes": 9}`.
  fileprivate var kind: JSONValue {
    switch self {
    case .null, .bytes: json
    case .integer: ["type": "integer"]
    case .real: ["type": "real"]
    case .text(let text): ["type": "text", "bytes": text.utf8.count]
    }
  }
}
