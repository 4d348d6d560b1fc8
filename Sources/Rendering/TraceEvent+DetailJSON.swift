package import StrataBase

extension ObjectRef {
  /// `{"side": "source", "object": "Recipe/p3"}`
  package func json(_ side: TraceStatement.Side) -> JSONValue {
    .object([("side", .string(side.rawValue)), ("object", .string(description))])
  }
}

extension TraceLink {
  typealias Members = [(key: String, value: JSONValue)]

  /// The members; an empty answer is an empty list.
  package var json: [(key: String, value: JSONValue)] {
    [
      ("object", object.json(.destination)), ("relationship", .string(relationship)),
      ("reason", .string(reason.rawValue)),
      ("expression", .string(orNull: expression)),
      ("table", .string(orNull: table)),
      (
        "lookups",
        .array(
          lookups.map {
            .object([
              ("source", $0.source.json(.source)),
              ("destinations", $0.destinations.json(.destination)),
            ])
          })
      ), ("ignored", ignored.json(.source)), ("destinations", destinations.json(.destination)),
      ("added", added.json(.destination)), ("removed", removed.json(.destination)),
      (
        "changes",
        .array(
          changes.map {
            .object([
              ("object", $0.object.json(.destination)), ("relationship", .string($0.relationship)),
              ("added", $0.added.json(.destination)), ("removed", $0.removed.json(.destination)),
            ])
          })
      ),
    ]
  }
}

extension TraceDecision {
  /// - Parameter isRevealing: Whether values of stores are included; otherwise only their types.
  package func json(_ isRevealing: Bool) -> [(key: String, value: JSONValue)] {
    let members: TraceLink.Members = [
      ("policy", .string(policy)), ("call", .string(call)), ("statement", .string(statement)),
      ("source", source?.json(.source) ?? .null),
      ("destination", destination?.json(.destination) ?? .null),
      ("values", Self.json(values, isRevealing)),
    ]
    return members + effectJSON(isRevealing)
  }

  private func effectJSON(_ isRevealing: Bool) -> TraceLink.Members {
    func effect(_ name: String, _ members: TraceLink.Members = []) -> TraceLink.Members {
      [("effect", .string(name))] + members
    }
    switch self.effect {
    case .skips: return effect("skips")
    case .nothing: return effect("nothing")
    case .joins(let object): return effect("joins", [("object", object.json(.destination))])
    case .creates: return effect("creates")
    case .sets(let values): return effect("sets", [("attributes", Self.json(values, isRevealing))])
    case .finds(let object): return effect("finds", [("object", object.json(.destination))])
    case .inserts(let object): return effect("inserts", [("object", object.json(.destination))])
    case .keeps(let object): return effect("keeps", [("object", object.json(.source))])
    case .deletes: return effect("deletes")
    case .isMet(let isMet): return effect("requires", [("met", .bool(isMet))])
    }
  }

  private static func json(_ values: [Value], _ isRevealing: Bool) -> JSONValue {
    .array(
      values.map {
        .object([("name", .string($0.name)), ("value", $0.value.json(revealing: isRevealing))])
      })
  }
}

extension TraceValidation {
  package var json: [(key: String, value: JSONValue)] {
    [
      ("entity", .string(entity)), ("objects", .integer(Int64(objects))),
      (
        "rules",
        .array(
          rules.map { rule in
            .object([
              ("property", .string(rule.property)), ("rule", .string(rule.rule)),
              ("bound", .string(orNull: rule.bound)),
              ("violations", .integer(Int64(rule.violations))),
            ])
          })
      ),
    ]
  }
}

extension TraceSources {
  package var json: [(key: String, value: JSONValue)] {
    [
      ("mapping", .string(mapping)), ("destination", destination.json(.destination)),
      ("sources", sources.json(.source)),
    ]
  }
}

extension [ObjectRef] {
  package func json(_ side: TraceStatement.Side) -> JSONValue { .array(map { $0.json(side) }) }
}
