internal import StrataBase
internal import StrataRendering

/// A part of an explanation, rendered as text and as JSON.
enum ExplanationPart: Sendable, JSONRepresentable {
  /// A sentence that holds for every object of the pass.
  case general(String)
  /// What becomes of a source object in pass 1.
  case object(ObjectOutcome)
  case attribute(AttributeOutcome)
  /// The object whose relationships are set, and its source objects.
  case relationships(of: ObjectRef, sources: [ObjectRef], mapping: String)
  /// A detail of an event: a lookup, a decision of a policy, a validation.
  case detail(TraceEvent.Kind)
  /// A policy creates an object that comes from no source object.
  case inserted(ObjectRef)
  case violation(ObjectRef, property: String, reason: String)
  case statement(purpose: String, rows: Int?)
  /// The step fails, and does nothing.
  case failure(Diagnostic)

  struct ObjectOutcome: Sendable {
    enum Effect: String, Sendable {
      case creates, joins, skips
    }

    var effect: Effect
    var mapping: String
    var source: ObjectRef
    /// The created or joined object.
    var destination: ObjectRef?
    /// Why there is none.
    var reason: String?
  }

  struct AttributeOutcome: Sendable {
    enum Origin: String, Sendable {
      case copy, expression, policy
      case defaultValue = "default"
    }

    var object: ObjectRef
    var name: String
    var origin: Origin
    var expression: String?
    /// The key paths of the expression with their values.
    var operands: [(name: String, value: ShownValue)]
    /// The value of the expression where the type of the attribute truncates, rounds or loses it.
    var computed: ShownValue?
    /// The stored value.
    var value: ShownValue
  }
}

extension ExplanationPart {
  // MARK: Text

  /// The lines; attributes that are copied as they are or have default values are summarized by ``lines(of:revealing:)``.
  private func lines(revealing isRevealing: Bool) -> [StyledText] {
    switch self {
    case .general(let text): [StyledText(text)]
    case .object(let outcome): [StyledText(outcome.text)]
    case .attribute(let attribute): [attribute.line(revealing: isRevealing)]
    case .relationships(let object, let sources, let mapping):
      [
        StyledText(
          "Next, \(mapping) sets the relationships of \(object)"
            + (sources.isEmpty
              ? "." : ", which comes from \(Phrase.list(sources.map(\.description)))."))
      ]
    case .detail(let kind):
      kind.detailLines(revealing: isRevealing).enumerated().map {
        StyledText($0.offset == 0 ? "  " : "    ") + $0.element
      }
    case .inserted(let object): [StyledText("  the policy creates \(object)")]
    case .violation(let object, let property, let reason):
      [StyledText("  \(object).\(property) \(reason)")]
    case .statement(let purpose, let rows):
      [
        StyledText(
          "Purpose of this statement: \(purpose)"
            + (rows.map { $0 > 0 ? "; it changes \(Phrase.count($0, "row"))." : "." } ?? ".")
        )
      ]
    case .failure(let diagnostic):
      [
        StyledText("This step fails, and nothing of it is done: \(diagnostic.what)", .error)
      ] + diagnostic.notes.map { StyledText("  \($0)") }
    }
  }

  /// All parts as lines.
  ///
  /// - Parameter isRevealing: Whether they have the values of stores.
  static func lines(
    of parts: [ExplanationPart], revealing isRevealing: Bool = true
  ) -> [StyledText] {
    var lines: [StyledText] = []
    var rest: [(origin: AttributeOutcome.Origin, names: [String])] = [
      (.copy, []), (.defaultValue, []),
    ]
    for part in parts {
      if case .attribute(let attribute) = part, attribute.computed == nil,
        let index = rest.firstIndex(where: { $0.origin == attribute.origin })
      {
        rest[index].names.append(attribute.name)
      } else {
        lines += part.lines(revealing: isRevealing)
      }
    }
    for (origin, names) in rest where !names.isEmpty {
      lines.append(
        StyledText(
          "  \(origin == .copy ? "copied" : "default values"): \(names.joined(separator: ", "))"))
    }
    return isRevealing ? lines : lines.map(\.asKept)
  }

  // MARK: JSON

  var json: JSONValue {
    switch self {
    case .general(let text): ["part": "general", "text": text]
    case .object(let outcome):
      [
        "part": "object", "effect": outcome.effect.rawValue, "mapping": outcome.mapping,
        "source": outcome.source.json(.source),
        "destination": outcome.destination?.json(.destination), "reason": outcome.reason,
      ]
    case .attribute(let attribute): .object(["part": "attribute"] + attribute.members)
    case .relationships(let object, let sources, let mapping):
      [
        "part": "relationships", "object": object.json(.destination), "mapping": mapping,
        "sources": sources.json(.source),
      ]
    case .detail(.relationshipSet(let link)): .object(["part": "relationship"] + link.members)
    case .detail(.policyDecided(let decision)): .object(["part": "policy"] + decision.members(true))
    case .detail(.objectShared(let shared)): .object(["part": "sources"] + shared.members)
    case .detail(.objectsValidated(let validation)):
      .object(["part": "validation"] + validation.members)
    case .detail(let kind): ["part": "detail", "text": kind.text ?? ""]
    case .inserted(let object): ["part": "inserted", "object": object.json(.destination)]
    case .violation(let object, let property, let reason):
      [
        "part": "violation", "object": object.json(.destination), "property": property,
        "reason": reason,
      ]
    case .statement(let purpose, let rows): ["part": "statement", "purpose": purpose, "rows": rows]
    case .failure(let diagnostic):
      ["part": "failure", "id": diagnostic.id, "what": diagnostic.what]
    }
  }
}

extension ExplanationPart.ObjectOutcome {
  fileprivate var text: String {
    let object = destination?.description ?? ""
    return switch effect {
    case .creates:
      "Next, \(mapping) creates \(object) from \(source) and records the pair in its association table."
    case .joins:
      "Next, \(mapping) joins \(source) to the existing \(object) and records the pair in its association table; it creates no object."
    case .skips: "Next, \(mapping) creates no object from \(source): \(reason ?? "")."
    }
  }
}

extension ExplanationPart.AttributeOutcome {
  fileprivate var members: JSONValue.Members {
    [
      "object": object.json(.destination), "name": name, "origin": origin.rawValue,
      "expression": expression,
      "operands": operands.json { ["name": $0.name, "value": $0.value.json] },
    ] + (computed.map { ["computed": $0.json] } ?? [:]) + ["value": value.json]
  }

  fileprivate func line(revealing isRevealing: Bool) -> StyledText {
    var text = StyledText("  \(name) = ")
    guard isRevealing else {
      return text + (origin == .policy ? "set by the policy" : StyledText(expression ?? ""))
    }
    if let expression, origin == .expression || computed != nil {
      text += StyledText(expression) + " = "
    }
    text += computed.map { $0.text + ", stored as " } ?? StyledText("")
    text += value.text
    if origin == .policy { text += ", set by the policy" }
    guard !operands.isEmpty else { return text }
    text += " ("
    for (index, operand) in operands.enumerated() {
      text += StyledText("\(index > 0 ? ", " : "")\(operand.name) = ") + operand.value.text
    }
    return text + ")"
  }
}
