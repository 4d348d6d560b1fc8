internal import StrataBase
internal import StrataExpressions
internal import StrataMapping
internal import StrataMigration
internal import StrataObjectModel
internal import StrataRendering
internal import StrataStore

/// The result of `compare --rows` for two stores.
///
/// The properties of the second store are compared with the properties of the first that they continue.
struct RowComparison {
  private let (first, second): (String, String)
  /// The differences without entities and properties that cannot be compared.
  private let entities: [StoreDifference.EntityDifference]
  /// The entities that are not compared, or whose properties are not, with the reason.
  private let uncompared: [UncomparedObjects]
  /// The changes of properties between the models; `nil` if both stores have the same model.
  private let receipt: Receipt?
  private let hop: MigrationPlan.Hop?
  /// The maximum number of objects listed per kind; 0 for all.
  private let limit: Int
  /// Whether different values are shown.
  private let isRevealing: Bool

  /// - Parameters:
  ///     - named: The model of each store, if the user names it.
  ///     - limit: The maximum number of objects listed per kind; 0 for all.
  ///     - mapping: The mapping model from the first to the second store; by default one is inferred.
  ///     - policies: The policies for the mapping model.
  ///     - isRevealing: Whether different values are shown.
  init(
    _ stores: (first: String, second: String), named: [String?], limit: Int, mapping: String?,
    policies: PolicyRegistry,
    revealing isRevealing: Bool, in session: Session
  ) throws {
    let (first, second) = stores
    // The model cached in one store helps to read the other.
    let models = zip([first, second], named).compactMap {
      try? session.reader(of: $0, model: $1).model
    }
    let one = try session.reader(of: first, model: named[0], candidates: models)
    let other = try session.reader(of: second, model: named[1], candidates: models)
    (self.first, self.second, self.limit) = (first, second, limit)
    self.isRevealing = isRevealing
    hop = try Self.hop(
      from: NamedModel(name: first, model: one.model),
      to: NamedModel(name: second, model: other.model),
      by: mapping, in: session)
    let difference = try StoreDifference(
      between: one, and: other, as: hop?.correspondence(policies) ?? .byName)
    uncompared = hop?.uncompared(policies) ?? []
    entities = Self.comparable(difference.entities, without: uncompared, hop)
    receipt = try Self.receipt(hop, one, other, policies)
    try one.store.checkUnchanged()
    try other.store.checkUnchanged()
  }

  /// The hop from one model to the other; `nil` if they are equal or no mapping model fits.
  private static func hop(
    from source: NamedModel, to target: NamedModel, by mapping: String?, in session: Session
  ) throws -> MigrationPlan.Hop? {
    guard let mapping else {
      guard source.model.versionHashes() != target.model.versionHashes(),
        let inferred = Inference(from: source.model, to: target.model).mapping
      else { return nil }
      return MigrationPlan.Hop(
        from: source, to: target,
        parts: [NamedMappingModel(name: "inferred", mapping: inferred)], isInferred: true,
        reason: "")
    }
    return MigrationPlan.Hop(
      from: source, to: target,
      parts: [try session.mapping(mapping).forChoice(from: source, to: target)], reason: "")
  }

  private static func receipt(
    _ hop: MigrationPlan.Hop?, _ one: borrowing StoreReader, _ other: borrowing StoreReader,
    _ policies: PolicyRegistry
  ) throws -> Receipt? {
    guard let hop else { return nil }
    return try Receipt(of: hop, from: one, to: other, policies: policies)
  }

  /// Removes the objects that continue no object, and objects that are merged into others.
  private static func comparable(
    _ entities: [StoreDifference.EntityDifference], without uncompared: [UncomparedObjects],
    _ hop: MigrationPlan.Hop?
  ) -> [StoreDifference.EntityDifference] {
    func names(_ kind: UncomparedObjects.Kind) -> Set<String> {
      Set(uncompared.filter { $0.kind == kind }.map(\.entity))
    }
    let created = names(.created).subtracting(hop?.from.model.entityNames ?? [])
    let (joining, joined, additional) = (names(.joining), names(.joined), names(.additional))
    return entities.compactMap { difference in
      var difference = difference
      guard !joining.contains(difference.entity), !created.contains(difference.entity) else {
        return nil
      }
      if joined.contains(difference.entity) { difference.onlyInFirst = [] }
      if additional.contains(difference.entity) { difference.onlyInSecond = [] }
      return difference
    }
  }

  // MARK: Output

  var outcome: Outcome {
    Outcome(
      .stack(
        [.line(verdict), .lines(notCompared), receipt?.propertyView() ?? .nothing]
          + entities.filter { !$0.isEmpty }.map {
            Self.view($0, first, second, limit, isRevealing)
          }),
      json: json, status: isSame ? .done : .no)
  }

  /// Computed properties are not among the reasons why something is not compared, but in the receipt.
  private var json: JSONValue {
    let entities = entities.map { ($0.entity, $0.json(revealing: isRevealing)) }
    return .object(withoutNull: [
      "equal": isSame, "same": same, "mapping": hop?.parts.first?.name,
      "properties": receipt?.properties.map(\.json),
      "entities": JSONValue(Dictionary(first: entities)),
      "notCompared": JSONValue(
        Dictionary(uncompared.map { ($0.entity, $0.reason) }) { "\($0); \($1)" }),
    ])
  }

  private var same: Int { entities.reduce(0) { $0 + $1.same } }

  private var losses: Receipt.Losses { receipt?.losses ?? .init() }

  private var isSame: Bool { entities.allSatisfy(\.isEmpty) && losses.isEmpty }

  /// The properties that cannot be compared.
  private var notCompared: [StyledText] {
    let wholes = uncompared.map {
      StyledText("not compared: \($0.entity): \($0.reason)", .warning)
    }
    // The other properties are in the receipt.
    guard receipt == nil else { return wholes }
    return wholes
      + entities.filter { !$0.notCompared.isEmpty }.map { entity in
        StyledText(
          "not compared: \(entity.entity).\(entity.notCompared.joined(separator: ", ")), which only one of the models has",
          .warning)
      }
  }

  /// The number of properties that have values in only one of the stores.
  private var uncomparedCount: Int {
    guard let receipt else { return entities.reduce(0) { $0 + $1.notCompared.count } }
    return uncompared.count
      + receipt.properties.count {
        [.new, .computed, .unknown].contains($0.kind) && ($0.before ?? 0) + ($0.after ?? 0) > 0
      }
  }

  private var verdict: StyledText {
    let objects = Phrase.count(same, "object")
    guard isSame else {
      let clauses = [
        (entities.reduce(0) { $0 + $1.changed.count }, "changed"),
        (entities.reduce(0) { $0 + $1.onlyInFirst.count }, "only in \(first)"),
        (entities.reduce(0) { $0 + $1.onlyInSecond.count }, "only in \(second)"),
      ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
      return StyledText("different", .error)
        + StyledText(
          ": \((clauses + [losses.text()].compactMap { $0 }).joined(separator: ", ")); \(objects) equal"
            + (uncomparedCount > 0 ? " as far as compared" : ""))
    }
    guard uncomparedCount > 0 else {
      return StyledText("equal", .good) + StyledText(": \(objects)")
    }
    return StyledText("equal as far as compared", .good)
      + StyledText(": \(objects); ")
      + StyledText(
        "\(Phrase.count(uncomparedCount, "property", "properties")) not compared", .warning)
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
        + StyledText(change.text(revealing: isRevealing))
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
  /// The differences: `title differs`; with revealed values, `title "x" -> "y"; topics differ`.
  func text(revealing isRevealing: Bool) -> String {
    guard !properties.isEmpty else { return "related objects differ" }
    return properties.map { property in
      guard isRevealing, let (first, second) = values[property] else {
        return "\(property) differs"
      }
      return "\(property) \(first.short) -> \(second.short)"
    }.joined(separator: "; ")
  }
}

extension AttributeValue {
  /// The value on one line, truncated if it is long.
  var short: String {
    if case .bytes(let bytes) = self { return Phrase.count(bytes.count, "byte") }
    let text = Expression.constant(self).text
    let limit = 40
    return text.count > limit ? text.prefix(limit) + "…" : text
  }
}

extension StoreDifference.EntityDifference {
  fileprivate func json(revealing isRevealing: Bool) -> JSONValue {
    [
      "same": same, "changed": changed.json { $0.json(revealing: isRevealing) },
      "onlyInFirst": onlyInFirst.map(\.key), "onlyInSecond": onlyInSecond.map(\.key),
      "notCompared": notCompared,
    ]
  }
}

extension StoreDifference.Change {
  /// Both values by attribute only if values are revealed.
  fileprivate func json(revealing isRevealing: Bool) -> JSONValue {
    func json(_ value: AttributeValue) -> JSONValue { ShownValue(value).json }
    let values = isRevealing ? values.mapValues { [json($0.first), json($0.second)] } : nil
    return .object(withoutNull: [
      "first": first.key, "second": second.key, "properties": properties,
      "values": values.map { JSONValue($0) },
    ])
  }
}
