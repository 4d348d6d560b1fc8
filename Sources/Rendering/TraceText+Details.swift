package import StrataBase

extension TraceEvent.Kind {
  /// The lines of a detail, without indentation; empty for other events.
  ///
  /// - Parameter isRevealing: Whether saved answers contain values of stores; otherwise their types.
  package func detailLines(revealing isRevealing: Bool = false) -> [StyledText] {
    switch self {
    case .relationshipSet(let link): link.lines.map { StyledText($0) }
    case .policyDecided(let decision): [decision.line(isRevealing)]
    case .objectShared(let shared):
      [
        StyledText(
          "\(shared.destination) comes from \(Phrase.list(shared.sources.map(\.description)))")
      ]
    case .objectsValidated(let validation): validation.lines.map { StyledText($0) }
    default: []
    }
  }
}

extension TraceLink {
  /// The lookup, the result if it differs, and what the inverse changed.
  package var lines: [String] {
    var line = "\(relationship): \(lookup)"
    if !ignored.isEmpty {
      line += "; \(Self.list(ignored)) \(ignored.count == 1 ? "is" : "are") not kept"
    }
    let found = lookups.flatMap(\.destinations)
    if reason == .policy {
      line += destinations.isEmpty ? " sets no object" : " sets \(Self.list(destinations))"
    } else if Set(found) != Set(destinations) {
      line +=
        destinations.isEmpty ? "; it has no objects" : "; it now has \(Self.list(destinations))"
    }
    return [line] + changes.flatMap(\.lines)
  }

  private var lookup: String {
    let expression = expression ?? "its expression"
    switch reason {
    case .policy: return "the policy"
    case .otherEnd: return "set together with its inverse"
    case .mapping, .kept: break
    }
    let sources = lookups.map(\.source)
    let all =
      ignored.isEmpty
      ? sources : (sources + ignored).sorted { ($0.entity, $0.key) < ($1.entity, $1.key) }
    let what = "\(expression) \(all.count == 1 ? "is" : "are") \(Self.list(all))"
    guard !lookups.isEmpty else {
      guard ignored.isEmpty else { return what }
      return table == nil && !destinations.isEmpty
        ? "\(expression) returns \(Self.list(destinations))" : "\(expression) has no objects"
    }
    func them(_ one: String, _ several: String) -> String {
      ignored.isEmpty ? sources.count == 1 ? one : several : Self.list(sources)
    }
    let found = lookups.flatMap(\.destinations)
    let name = table.map { "the table of \($0)" } ?? "the association tables"
    guard !found.isEmpty else {
      return
        "\(what); \(name) \(table == nil ? "have" : "has") no destination object for \(them("it", "them"))"
    }
    let lost = lookups.filter(\.destinations.isEmpty).map(\.source)
    return "\(what); \(name) \(table == nil ? "say" : "says") \(them("it", "they")) became "
      + Self.list(found)
      + (lost.isEmpty ? "" : ", and \(Self.list(lost)) no object")
  }

  /// `Recipe/p2, p3`: an entity is named where it changes.
  static func list(_ objects: [ObjectRef]) -> String {
    var last: String?
    return objects.map { object in
      defer { last = object.entity }
      return object.entity == last ? "p\(object.key)" : object.description
    }.joined(separator: ", ")
  }
}

extension TraceLink.Change {
  fileprivate var lines: [String] {
    let property = "\(object).\(relationship)"
    return (added.isEmpty ? [] : ["the inverse adds \(TraceLink.list(added)) to \(property)"])
      + (removed.isEmpty
        ? [] : ["the inverse removes \(TraceLink.list(removed)) from \(property)"])
  }
}

extension TraceDecision {
  /// The statement, what it does, and the values that decided.
  fileprivate func line(_ isRevealing: Bool) -> StyledText {
    func list(_ values: [Value]) -> StyledText {
      var text = StyledText("")
      for (index, value) in values.enumerated() {
        text +=
          StyledText("\(index > 0 ? ", " : "")\(value.name) = ") + value.value.text(isRevealing)
      }
      return text
    }
    var text = StyledText("policy \(policy): \(statement): ")
    switch effect {
    case .skips: text += "skips \(name)"
    case .nothing: text += "does not apply to \(name)"
    case .joins(let object): text += "joins the existing \(object)"
    case .creates: text += "no earlier object has the value: creates one"
    case .sets(let values):
      text += values.isEmpty ? "sets nothing" : "sets "
      text += list(values)
    case .finds(let object): text += "finds \(object)"
    case .inserts(let object): text += "creates \(object)"
    case .keeps(let object): text += "keeps \(object)"
    case .deletes: text += "deletes \(name)"
    case .isMet(let isMet): text += isMet ? "\(name) satisfies it" : "\(name) violates it"
    }
    guard !values.isEmpty else { return text }
    return text + " (" + list(values) + ")"
  }

  private var name: String { (destination ?? source).map(\.description) ?? "any object" }
}

extension TraceValidation {
  /// The rules that hold, and those that are violated.
  package var lines: [String] {
    let broken = rules.filter { $0.violations > 0 }
    let passed = rules.filter { $0.violations == 0 && !$0.isImplied }
    let head =
      "\(Phrase.count(objects, "object")) of \(entity) validated: "
      + (broken.isEmpty ? "all are valid" : "some are invalid")
    return [head]
      + (passed.isEmpty ? [] : ["satisfied: \(passed.map(\.text).joined(separator: ", "))"])
      + broken.map { "violated: \($0.text) (\(Phrase.count($0.violations, "object")))" }
  }
}

extension TraceValidation.Rule {
  /// Whether every property of its kind has the rule.
  fileprivate var isImplied: Bool { ["type", "objectsExist"].contains(rule) }

  fileprivate var text: String {
    let words =
      switch rule {
      case "objectsExist": "objects exist"
      case "minimumCount": "at least"
      case "maximumCount": "at most"
      case "minimumLength": "minimum length"
      case "maximumLength": "maximum length"
      default: rule
      }
    return "\(property) \(words)\(bound.map { " \($0)" } ?? "")"
  }
}
