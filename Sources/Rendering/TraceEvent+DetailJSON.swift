package import StrataBase

extension ObjectRef {
  /// `{"side": "source", "object": "Recipe/p3"}`
  package func json(_ side: TraceStatement.Side) -> JSONValue {
    ["side": side.rawValue, "object": description]
  }
}

extension [ObjectRef] {
  package func json(_ side: TraceStatement.Side) -> JSONValue { json { $0.json(side) } }
}

extension TraceLink {
  /// The members; an empty answer is an empty list.
  package var members: JSONValue.Members {
    [
      "object": object.json(.destination), "relationship": relationship,
      "reason": reason.rawValue, "expression": expression, "table": table,
      "lookups": lookups.json {
        ["source": $0.source.json(.source), "destinations": $0.destinations.json(.destination)]
      },
      "ignored": ignored.json(.source), "destinations": destinations.json(.destination),
      "added": added.json(.destination), "removed": removed.json(.destination),
      "changes": changes.json {
        [
          "object": $0.object.json(.destination), "relationship": $0.relationship,
          "added": $0.added.json(.destination), "removed": $0.removed.json(.destination),
        ]
      },
    ]
  }
}

extension TraceDecision {
  /// - Parameter isRevealing: Whether values of stores are included; otherwise only their types.
  package func members(_ isRevealing: Bool) -> JSONValue.Members {
    [
      "policy": policy, "call": call, "statement": statement,
      "source": source?.json(.source), "destination": destination?.json(.destination),
      "values": Self.json(values, isRevealing),
    ] + effectMembers(isRevealing)
  }

  private func effectMembers(_ isRevealing: Bool) -> JSONValue.Members {
    switch effect {
    case .skips: ["effect": "skips"]
    case .nothing: ["effect": "nothing"]
    case .joins(let object): ["effect": "joins", "object": object.json(.destination)]
    case .creates: ["effect": "creates"]
    case .sets(let values): ["effect": "sets", "attributes": Self.json(values, isRevealing)]
    case .finds(let object): ["effect": "finds", "object": object.json(.destination)]
    case .inserts(let object): ["effect": "inserts", "object": object.json(.destination)]
    case .keeps(let object): ["effect": "keeps", "object": object.json(.source)]
    case .deletes: ["effect": "deletes"]
    case .isMet(let isMet): ["effect": "requires", "met": isMet]
    }
  }

  private static func json(_ values: [Value], _ isRevealing: Bool) -> JSONValue {
    values.json { ["name": $0.name, "value": $0.value.json(revealing: isRevealing)] }
  }
}

extension TraceValidation {
  package var members: JSONValue.Members {
    [
      "entity": entity, "objects": objects,
      "rules": rules.json {
        [
          "property": $0.property, "rule": $0.rule, "bound": $0.bound,
          "violations": $0.violations,
        ]
      },
    ]
  }
}

extension TraceSources {
  package var members: JSONValue.Members {
    [
      "mapping": mapping, "destination": destination.json(.destination),
      "sources": sources.json(.source),
    ]
  }
}
