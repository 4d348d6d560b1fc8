internal import StrataBase
internal import StrataMapping
internal import StrataMigration
internal import StrataObjectModel
internal import StrataRendering

extension Receipt {
  /// The objects by entity mapping, with five counts each.
  func objectTable(_ hop: MigrationPlan.Hop) -> View {
    let rows: [[StyledText]] = objects.map { fate in
      [
        fate.name(in: hop), StyledText(String(fate.source)),
        StyledText(fate.created.map { String($0) } ?? ""), StyledText(String(fate.joined)),
        StyledText(String(fate.skipped)),
        StyledText(String(fate.lost), fate.lost > 0 ? .warning : .plain),
        StyledText(
          fate.keys?.text ?? "", fate.keys.map { $0 == .kept ? .plain : .warning } ?? .plain),
      ]
    }
    return .table(
      columns: [
        .init("entity mapping"), .init("source", .right), .init("created", .right),
        .init("joined", .right), .init("skipped", .right), .init("lost", .right),
        .init("keys"),
      ], rows: rows)
  }

  /// The objects that several entity mappings create.
  func repeatedLines(_ hop: MigrationPlan.Hop) -> [StyledText] {
    objects.filter { $0.repeated > 0 }.map { fate in
      let count = Phrase.count(fate.repeated, "object is", "objects are")
      return StyledText("  ") + fate.name(in: hop)
        + StyledText(
          " \(count) created twice: an earlier entity mapping creates \(fate.destinationEntity ?? "") from \(fate.repeated == 1 ? "it" : "them") too",
          .warning)
    }
  }

  /// The entity mappings that lose objects: all that is known if the migration is refused.
  func lostObjectTable(_ hop: MigrationPlan.Hop) -> View {
    let lossy = objects.filter { $0.lost > 0 }
    guard !lossy.isEmpty else { return .nothing }
    return .table(
      columns: [.init("entity mapping"), .init("source", .right), .init("lost", .right)],
      rows: lossy.map {
        [
          $0.name(in: hop), StyledText(String($0.source)),
          StyledText(String($0.lost), .warning),
        ]
      })
  }

  /// The properties that changed, and the number of the others.
  ///
  /// - Parameter onlyLosses: Whether only losses are shown.
  func propertyView(onlyLosses: Bool = false) -> View {
    let own = properties.filter { !$0.isLostWithObjects }
    let (empty, plain) = (own.filter(\.isEmpty), own.filter(\.isPlain))
    let shown = own.filter { onlyLosses ? $0.isLossy : !$0.isPlain && !$0.isEmpty }
    let table: View =
      shown.isEmpty
      ? .nothing
      : .table(
        columns: [
          .init("property"), .init("before", .right), .init("after", .right), .init("fate"),
        ], rows: shown.map(\.row))
    guard !onlyLosses else { return table }
    let lines = [
      Self.summary("kept as they are", plain), Self.summary("new, without values", empty),
      Self.summary(
        isPart ? "left to other mapping models" : "lost with their objects",
        properties.filter(\.isLostWithObjects)),
    ]
    return .stack([table, .lines(lines.compactMap { $0 })])
  }

  /// `kept as they are: 4 attributes (9 values), 1 relationship (2 links)`
  private static func summary(_ title: String, _ fates: [PropertyFate]) -> StyledText? {
    func part(_ fates: [PropertyFate], _ noun: (String, String), _ unit: (String, String))
      -> String?
    {
      guard !fates.isEmpty else { return nil }
      let values = fates.reduce(0) { $0 + ($1.before ?? 0) }
      return Phrase.count(fates.count, noun.0, noun.1)
        + (values > 0 ? " (\(Phrase.count(values, unit.0, unit.1)))" : "")
    }
    let parts = [
      part(fates.filter { !$0.isRelationship }, ("attribute", "attributes"), ("value", "values")),
      part(
        fates.filter(\.isRelationship), ("relationship", "relationships"), ("link", "links")),
    ].compactMap { $0 }
    guard !parts.isEmpty else { return nil }
    return StyledText("\(title): \(parts.joined(separator: ", "))", .faint)
  }
}

extension Receipt.ObjectFate {
  /// The name of the entity mapping, after that of its part if a hop has several.
  fileprivate func name(in hop: MigrationPlan.Hop) -> StyledText {
    let part = hop.parts.count > 1 ? "\(hop.parts[self.part].name) " : ""
    return StyledText(part, .faint) + StyledText(mapping, .name)
  }
}

extension Receipt.ObjectKeys {
  var text: String {
    switch self {
    case .kept: "kept"
    case .changed: "changed"
    case .entityRenamed: "kept, entity renamed"
    }
  }
}

extension Receipt.PropertyFate {
  /// Whether the property is new and no object has a value.
  fileprivate var isEmpty: Bool { kind == .new && after == 0 && !isLossy }

  fileprivate var row: [StyledText] {
    let names = (destinations.isEmpty ? sources : destinations).map(\.description)
    return [
      StyledText(names.joined(separator: ", "), .name),
      StyledText(before.map { String($0) } ?? ""), StyledText(after.map { String($0) } ?? ""),
      StyledText(text, isLossy || dangling > 0 ? .warning : .plain),
    ]
  }

  /// `renamed from content; 2 lost`
  var text: String {
    let clauses = isRelationship ? linkClauses : valueClauses
    // Nothing is kept of what is lost.
    let isGone = kind == .kept && after == 0 && before != 0
    return ((isGone && !clauses.isEmpty ? [] : [kindText]) + clauses).joined(separator: "; ")
  }

  private var kindText: String {
    switch kind {
    case .kept: "kept"
    case .renamed: "renamed from \(sourceNames)"
    case .converted: conversionText
    case .computed where isSetByStage && policy == nil: "set by a stage"
    case .computed: computationText
    case .lost where before == 0: "removed, without \(isRelationship ? "links" : "values")"
    case .lost where lost.count == 0: "removed"
    case .lost: "lost\(lost.keyList)"
    case .new: "new"
    case .unknown where isSetByStage: "set by a stage"
    case .unknown where isRelationship && !destinations.isEmpty: "set by an expression or a policy"
    case .unknown: "not tracked: \(policy.map { "policy \($0)" } ?? "a policy") may read it"
    }
  }

  /// The names of the source properties, without the entity if it has the same name.
  private var sourceNames: String {
    let entities = Set(destinations.map(\.entity))
    return sources.map { entities == [$0.entity] ? $0.name : $0.description }
      .joined(separator: ", ")
  }

  private var conversionText: String {
    let types = conversion.map { "converted from \($0.from.name) to \($0.to.name)" } ?? "converted"
    let isRenamed = Set(sources.map(\.name)) != Set(destinations.map(\.name))
    return isRenamed ? "renamed from \(sourceNames), \(types)" : types
  }

  private var computationText: String {
    let from = sources.isEmpty ? "" : " from \(sourceNames)"
    return "computed\(policy.map { " by policy \($0)" } ?? "")\(from)"
  }

  private var valueClauses: [String] {
    var clauses: [String] = []
    if truncated.count > 0 { clauses.append("\(truncated.count) truncated\(truncated.keyList)") }
    if rounded.count > 0 { clauses.append("\(rounded.count) rounded\(rounded.keyList)") }
    if unfitting.count > 0 {
      let isTrue = conversion?.to == .boolean
      clauses.append(
        "\(unfitting.count) \(isTrue ? "stored as true" : "out of range")\(unfitting.keyList)")
    }
    // Values that do not fit have been reported already.
    let others = kind == .lost ? 0 : lost.count - unfitting.count
    if others > 0 {
      var known = lost
      known.count = others
      clauses.append("\(others) lost\(known.keyList)")
    }
    if inLostObjects > 0 { clauses.append("\(inLostObjects) of lost objects") }
    if left > 0 { clauses.append("\(left) of objects left to other mapping models") }
    if joined > 0 { clauses.append("\(joined) of joined objects") }
    if repeated > 0 { clauses.append("\(repeated) of objects created twice") }
    if copied > 0 { clauses.append("\(copied) copied to another entity too") }
    if filled > 0 { clauses.append("\(filled) filled with the default") }
    if inNewObjects > 0 { clauses.append("\(inNewObjects) of new objects") }
    return clauses
  }

  private var linkClauses: [String] {
    var clauses: [String] = []
    if isPartial { clauses.append("links to objects of other mapping models are not counted") }
    if inLostObjects > 0 { clauses.append("\(inLostObjects) of lost objects") }
    if joined > 0 { clauses.append("\(joined) of joined objects") }
    if added > 0 { clauses.append("\(Phrase.count(added, "link")) added") }
    if kind != .lost, lost.count > 0 {
      clauses.append(
        "\(Phrase.count(lost.count, "link")) lost"
          + (isChoice ? " (unproven: Core Data may keep others)" : ""))
    }
    if dangling > 0 {
      clauses.append("\(Phrase.count(dangling, "dangling link")) not copied")
    }
    return clauses
      + unordered.map { end in
        // Of two ends, the name tells which one.
        (unordered.count > 1 ? "order of \(end.relationship) lost" : "order lost")
          + " in \(Phrase.count(end.objects.count, "object"))\(end.objects.keyList)"
      }
  }
}

extension Receipt.Affected {
  /// `: p1, p2, p3, …`; empty if no key is known.
  var keyList: String {
    guard !keys.isEmpty else { return "" }
    return ": " + keys.map { "p\($0)" }.joined(separator: ", ") + (count > keys.count ? ", …" : "")
  }
}

extension Receipt.Losses {
  /// `2 objects, 3 values and 1 link lost, 4 values truncated`; `nil` if nothing is lost.
  ///
  /// - Parameter auxiliary: The text before each participle: `would be `.
  func text(_ auxiliary: String = "") -> String? {
    let lost = [
      Phrase.count(objects, "object"), Phrase.count(values, "value"),
      Phrase.count(links, "link"), Phrase.count(orders, "order"),
    ].filter { !$0.hasPrefix("0 ") }
    let clauses = [
      lost.isEmpty ? nil : "\(Phrase.list(lost)) \(auxiliary)lost",
      truncated == 0
        ? nil : "\(Phrase.count(truncated, "value")) \(auxiliary)truncated",
      rounded == 0 ? nil : "\(Phrase.count(rounded, "value")) \(auxiliary)rounded",
    ].compactMap { $0 }
    return clauses.isEmpty ? nil : clauses.joined(separator: ", ")
  }
}
