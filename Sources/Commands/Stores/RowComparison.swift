internal import StrataDiagnostics
internal import StrataExpressions
internal import StrataObjectModel
internal import StrataRendering
internal import StrataStore
internal import StrataValues

/// What `compare --rows` says of two stores.
struct RowComparison {
  let outcome: Outcome

  /// - Parameters:
  ///   - limit: How many objects of a kind are listed; 0 for all.
  ///   - isRevealing: Whether values that differ are shown.
  init(
    _ first: String, _ second: String, limit: Int, revealing isRevealing: Bool, in session: Session
  ) throws {
    // What one store keeps of its model helps to read the other.
    let models = [first, second].compactMap { try? session.reader(of: $0).model }
    let one = try session.reader(of: first, candidates: models)
    let other = try session.reader(of: second, candidates: models)
    let difference = try StoreDifference(between: one, and: other)
    try one.store.checkUnchanged()
    try other.store.checkUnchanged()
    let same = difference.entities.reduce(0) { $0 + $1.same }
    let uncompared = difference.entities.filter { !$0.notCompared.isEmpty }.map { entity in
      StyledText(
        "not compared: \(entity.entity).\(entity.notCompared.joined(separator: ", ")), which only one of the models has",
        .warning)
    }
    let verdict: StyledText
    if difference.isEmpty {
      verdict =
        StyledText("the same", .good) + StyledText(": \(Words.count(same, "object", "objects"))")
    } else {
      let clauses = [
        (difference.entities.reduce(0) { $0 + $1.changed.count }, "changed"),
        (difference.entities.reduce(0) { $0 + $1.onlyInFirst.count }, "only in \(first)"),
        (difference.entities.reduce(0) { $0 + $1.onlyInSecond.count }, "only in \(second)"),
      ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
      verdict =
        StyledText("not the same", .error)
        + StyledText(
          ": \(clauses.joined(separator: ", ")); \(Words.count(same, "object", "objects")) the same"
        )
    }
    outcome = Outcome(
      .stack(
        [.line(verdict), .lines(uncompared)]
          + difference.entities.filter { !$0.isEmpty }.map {
            Self.view($0, first, second, limit, isRevealing)
          }),
      payload: RowComparisonPayload(
        equal: difference.isEmpty, same: same,
        entities: Dictionary(
          uniqueKeysWithValues: difference.entities.map {
            ($0.entity, RowComparisonPayload.Entity($0, revealing: isRevealing))
          })),
      status: difference.isEmpty ? .done : .no,
      warnings: difference.isExhaustive
        ? []
        : [
          Diagnostic(
            id: "compare.deep", severity: .warning,
            what: "relationships form chains so long that they were not followed to their end",
            mend: "objects at the ends of such chains may differ in what is far away from them")
        ])
  }

  private static func view(
    _ difference: StoreDifference.EntityDifference, _ first: String, _ second: String, _ limit: Int,
    _ isRevealing: Bool
  ) -> View {
    let limit = limit == 0 ? Int.max : limit
    var lines: [StyledText] = []
    func list<Item>(_ items: [Item], _ line: (Item) -> StyledText) {
      lines += items.prefix(limit).map(line)
      if items.count > limit {
        lines.append(
          StyledText(
            "  … \(items.count - limit) more of \(difference.entity): --limit 0 for all", .faint))
      }
    }
    list(difference.changed) { change in
      let key = "\(difference.entity) p\(change.first.key)"
      let other =
        change.first.key == change.second.key ? "" : " (p\(change.second.key) in \(second))"
      return "  " + StyledText(key, .name) + StyledText(other + ": ")
        + StyledText(change.words(revealing: isRevealing))
    }
    list(difference.onlyInFirst) {
      "  " + StyledText("\($0.entity) p\($0.key)", .name) + StyledText(": only in \(first)")
    }
    list(difference.onlyInSecond) {
      "  " + StyledText("\($0.entity) p\($0.key)", .name) + StyledText(": only in \(second)")
    }
    return .lines(lines)
  }
}

extension StoreDifference.Change {
  /// What differs: `title differs`; where values are revealed, `title "x" -> "y"; topics differ`.
  func words(revealing isRevealing: Bool) -> String {
    guard !properties.isEmpty else { return "what it leads to differs" }
    return properties.map { property in
      guard isRevealing, let (first, second) = values[property] else {
        return "\(property) differs"
      }
      return "\(property) \(first.short) -> \(second.short)"
    }.joined(separator: "; ")
  }
}

extension AttributeValue {
  /// The value on one line, cut where it is long.
  var short: String {
    if case .bytes(let bytes) = self { return Words.count(bytes.count, "byte", "bytes") }
    let text = Expression.constant(self).text
    let limit = 40
    return text.count > limit ? text.prefix(limit) + "…" : text
  }
}

/// The JSON shape of `compare --rows`.
struct RowComparisonPayload: Encodable, Sendable {
  struct Change: Encodable, Sendable {
    var first: Int64
    var second: Int64
    var properties: [String]
    /// By attribute, both values; with `--reveal`.
    var values: [String: [JSONValue]]?
  }

  struct Entity: Encodable, Sendable {
    var same: Int
    var changed: [Change]
    var onlyInFirst: [Int64]
    var onlyInSecond: [Int64]
    var notCompared: [String]

    init(_ difference: StoreDifference.EntityDifference, revealing isRevealing: Bool = false) {
      same = difference.same
      changed = difference.changed.map {
        Change(
          first: $0.first.key, second: $0.second.key, properties: $0.properties,
          values: isRevealing
            ? $0.values.mapValues { [ShownValue($0.first).json, ShownValue($0.second).json] } : nil)
      }
      onlyInFirst = difference.onlyInFirst.map(\.key)
      onlyInSecond = difference.onlyInSecond.map(\.key)
      notCompared = difference.notCompared
    }
  }

  var equal: Bool
  var same: Int
  var entities: [String: Entity]
}
