internal import StrataBase
internal import StrataObjectModel
internal import StrataPages

/// A model, or what changed between two, as a diagram.
struct ModelDiagram {
  private let model: ObjectModel
  private let older: ObjectModel?
  private var changes: [String: EntityDifference] = [:]
  private let entities: [Entity]
  private(set) var diagram: Diagram

  /// Beyond this number of entities, a difference shows those that changed and their neighbors.
  private static let entityLimit = 60

  init(_ model: ObjectModel, named name: String) {
    self.init(model, nil, title: name)
  }

  init(from older: ObjectModel, _ oldName: String, to newer: ObjectModel, _ newName: String) {
    self.init(newer, older, title: "\(oldName) to \(newName)")
  }

  private init(_ model: ObjectModel, _ older: ObjectModel?, title: String) {
    (self.model, self.older) = (model, older)
    if let older {
      let difference = model.difference(from: older).withoutEditorKeys
      changes = Dictionary(
        difference.entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }
    let removed = changes.values.filter { $0.kind == .removed }.compactMap { older?[$0.name] }
      .filter { model[$0.name] == nil }
    var shown = (model.entities + removed).sorted { $0.name.precedesInBytes($1.name) }
    let total = shown.count
    if older != nil, total > Self.entityLimit {
      let changed = Set(changes.keys)
      let near = Set(
        shown.flatMap { entity -> [String] in
          let others = entity.relationships.map(\.destinationName)
          if changed.contains(entity.name) { return others }
          return changed.isDisjoint(with: others) ? [] : [entity.name]
        })
      shown.removeAll { !changed.contains($0.name) && !near.contains($0.name) }
    }
    entities = shown
    let left = total - shown.count
    diagram = Diagram(
      title: title,
      summary: Phrase.count(shown.count, "entity", "entities")
        + (left > 0 ? ", and \(left) unchanged ones that are not shown" : ""))
    diagram.boxes = shown.map(box)
    addLines()
  }

  private func box(of entity: Entity) -> Diagram.Box {
    let change = changes[entity.name]
    let hashes = change?.kind == .removed ? older?.versionHashes() : model.versionHashes()
    let hash = hashes?[entity.name]?.description.filter(\.isHexDigit).prefix(8) ?? ""
    return Diagram.Box(
      name: entity.name, mark: change?.mark ?? "", note: String(hash),
      rows: rows(of: entity, change),
      isDashed: entity.isAbstract || change?.kind == .removed)
  }

  private func rows(of entity: Entity, _ change: EntityDifference?) -> [Diagram.Row] {
    var rows = entity.attributes.map { attribute in
      Diagram.Row(
        "\(attribute.name) \(attribute.type.name)\(attribute.isOptional ? "?" : "")",
        mark: mark(attribute.name, change))
    }
    rows += entity.relationships.map { relationship in
      Diagram.Row(
        "\(relationship.name) → \(relationship.destinationName)\(relationship.isOrdered ? ", ordered" : "")",
        mark: mark(relationship.name, change), isRelationship: true)
    }
    // What only the older model has; a removed entity is one of them.
    for change in change?.changes ?? [] {
      guard case .removed(let text) = change.kind, let name = change.name else { continue }
      rows.append(Diagram.Row("\(name) \(text)", mark: "−"))
    }
    if let old = change?.oldName, old != entity.name {
      rows.append(Diagram.Row("renamed from \(old)", mark: "≠"))
    }
    return rows
  }

  private func mark(_ property: String, _ change: EntityDifference?) -> String {
    guard let change, change.kind != .added, change.kind != .removed else { return "" }
    let own = change.changes.filter { $0.name == property }
    if own.contains(where: { if case .added = $0.kind { true } else { false } }) { return "+" }
    return own.contains { if case .removed = $0.kind { false } else { true } } ? "≠" : ""
  }

  // MARK: Lines

  private mutating func addLines() {
    let places = Dictionary(
      entities.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    func row(_ name: String, of entity: Entity) -> Int? {
      entity.relationships.firstIndex { $0.name == name }.map { $0 + entity.attributes.count }
    }
    for (place, entity) in entities.enumerated() {
      if let parent = entity.superentityName, let above = places[parent] {
        diagram.lines.append(
          .init(
            from: .init(box: place, row: nil, count: .child),
            to: .init(box: above, row: nil, count: .parent),
            label: "\(entity.name) is a \(parent)"))
      }
      for relationship in entity.relationships {
        guard let other = places[relationship.destinationName] else { continue }
        let inverse = relationship.inverseName.flatMap { name in
          entities[other].relationships.first { $0.name == name }
        }
        let id = "\(entity.name).\(relationship.name)"
        let otherID = inverse.map { "\(relationship.destinationName).\($0.name)" }
        // An inverse is the same line.
        if let otherID, otherID.precedesInBytes(id), inverse?.destinationName == entity.name {
          continue
        }
        diagram.lines.append(
          .init(
            from: .init(
              box: place, row: row(relationship.name, of: entity),
              count: inverse.map(Self.count) ?? .unknown),
            to: .init(
              box: other, row: inverse.flatMap { row($0.name, of: entities[other]) },
              count: Self.count(of: relationship)),
            label: id + (otherID.map { ", inverse \($0)" } ?? ", no inverse")))
      }
    }
  }

  private static func count(of relationship: Relationship) -> Diagram.Count {
    relationship.isToMany
      ? relationship.isOptional ? .many : .requiredMany
      : relationship.isOptional ? .optionalOne : .one
  }
}

extension EntityDifference {
  /// `+`, `−` or `≠`.
  var mark: String {
    switch kind {
    case .added: "+"
    case .removed: "−"
    case .renamed, .changed: "≠"
    }
  }
}
