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

  /// - Parameter entity: An entity that is shown with its neighbors only; `nil` for all.
  init(_ model: ObjectModel, named name: String, around entity: String? = nil) {
    self.init(model, nil, title: entity.map { "\(name).\($0)" } ?? name, around: entity)
  }

  init(from older: ObjectModel, _ oldName: String, to newer: ObjectModel, _ newName: String) {
    self.init(newer, older, title: "\(oldName) to \(newName)")
  }

  private init(
    _ model: ObjectModel, _ older: ObjectModel?, title: String, around entity: String? = nil
  ) {
    (self.model, self.older) = (model, older)
    if let older {
      let difference = model.difference(from: older).withoutEditorKeys
      changes = Dictionary(first: difference.entities.map { ($0.name, $0) })
    }
    let removed = changes.values.filter { $0.kind == .removed }.compactMap { older?[$0.name] }
      .filter { model[$0.name] == nil }
    var shown = (model.entities + removed).sorted { $0.name.precedesInBytes($1.name) }
    let total = shown.count
    if entity != nil || older != nil && total > Self.entityLimit {
      let changed = entity.map { [$0] } ?? Set(changes.keys)
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
      summary: older != nil && changes.isEmpty
        ? "no entity differs"
        : Phrase.count(shown.count, "entity", "entities")
          + (left > 0 ? "; \(left) \(left == 1 ? "is" : "are") not shown" : ""))
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
    let isWhole = older == nil || change?.kind == .added || change?.kind == .removed
    var (rows, folded): ([Diagram.Row], Int) = ([], 0)
    if let old = change?.oldName, old != entity.name {
      rows.append(Diagram.Row("renamed from \(old)", mark: "≠"))
    }
    for row in Self.properties(of: entity) {
      let own = isWhole ? [] : change?.changes.filter { $0.name == row.name } ?? []
      if own.isEmpty, !isWhole {
        folded += 1
        continue
      }
      let isNew = own.contains { if case .added = $0.kind { true } else { false } }
      rows.append(Diagram.Row(row.text, mark: own.isEmpty ? "" : isNew ? "+" : "≠", row.kind))
      rows += isNew ? [] : own.compactMap(Self.detail)
    }
    // What only the older model has.
    let old = (change?.oldName).flatMap { older?[$0] }.map(Self.properties) ?? []
    for change in isWhole ? [] : change?.changes ?? [] {
      switch change.kind {
      case .removed(let text):
        let row = old.first { $0.name == change.name }
        rows.append(
          Diagram.Row(row?.text ?? "\(change.name ?? "") \(text)", mark: "−", row?.kind ?? .note))
      default:
        // Of the entity itself, or of what it inherits.
        let isOwn = Self.properties(of: entity).contains { $0.name == change.name }
        if !isOwn { rows.append(Diagram.Row(change.pictured, mark: "≠")) }
      }
    }
    if folded > 0 { rows.append(Diagram.Row("… \(folded) unchanged")) }
    return rows
  }

  private static func properties(
    of entity: Entity
  ) -> [(name: String, text: String, kind: Diagram.Row.Kind)] {
    entity.attributes.map {
      ($0.name, "\($0.name) \($0.type.name)\($0.isOptional ? "?" : "")", .attribute)
    }
      + entity.relationships.map {
        (
          $0.name, "\($0.name) → \($0.destinationName)\($0.isOrdered ? ", ordered" : "")",
          .relationship($0.name)
        )
      }
  }

  /// What changed in a property that both models have.
  private static func detail(_ change: ModelChange) -> Diagram.Row? {
    if case .removed = change.kind { return nil }
    if case .renamed(let old) = change.kind { return Diagram.Row("  renamed from \(old)") }
    return Diagram.Row("  " + change.pictured)
  }

  // MARK: Lines

  private mutating func addLines() {
    let places = Dictionary(first: entities.enumerated().map { ($1.name, $0) })
    let boxes = diagram.boxes
    func row(_ name: String, of box: Int) -> Int? {
      boxes[box].rows.firstIndex { $0.kind == .relationship(name) }
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
          (entities[other].relationships
            + (older?[relationship.destinationName]?.relationships ?? [])).first { $0.name == name }
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
              box: place, row: row(relationship.name, of: place),
              count: inverse.map(Self.count) ?? .unknown),
            to: .init(
              box: other, row: inverse.flatMap { row($0.name, of: other) },
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

extension ModelChange {
  /// The text without the property, in whose box it stands: `optional -> required`, and whether it is not hashed.
  fileprivate var pictured: String {
    let subject = "\(element.rawValue) \(name ?? ""): "
    return (text.hasPrefix(subject) ? String(text.dropFirst(subject.count)) : text)
      + (movesHash ? "" : " (not hashed)")
  }
}
