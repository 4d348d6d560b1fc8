internal import StrataBase
internal import StrataExpressions
internal import StrataMapping
internal import StrataObjectModel
internal import StrataPages
internal import StrataRendering

extension Diagram {
  /// A mapping model: source entities, entity mappings with what they do, destination entities.
  init(_ named: TypedMapping) {
    let mappings = named.mapping.entityMappings
    self.init(
      title: named.name,
      summary: Phrase.count(mappings.count, "entity mapping")
        + (named.direction.map { " \($0)" } ?? ""),
      boxes: mappings.map(Box.init), columns: mappings.map { _ in 1 })
    for (index, mapping) in mappings.enumerated() {
      if let source = mapping.sourceName {
        let box = place(of: source, inColumn: 0)
        lines.append(.between(box, index, "\(source) is read by \(mapping.name)"))
      }
      if let destination = mapping.destinationName {
        let box = place(of: destination, inColumn: 2)
        lines.append(.between(index, box, "\(mapping.name) creates \(destination)"))
      }
    }
    addUnmapped(named.source?.model, inColumn: 0)
    addUnmapped(named.destination?.model, inColumn: 2)
  }

  /// The entities that no entity mapping reads or creates.
  private mutating func addUnmapped(_ model: ObjectModel?, inColumn column: Int) {
    for entity in model?.entities ?? [] where !entity.isAbstract {
      let box = place(of: entity.name, inColumn: column)
      guard box == boxes.count - 1,
        !lines.contains(where: { $0.from.box == box || $0.to.box == box })
      else { continue }
      boxes[box].isDashed = true
      boxes[box].note = column == 0 ? "not read" : "not created"
    }
  }

  private mutating func place(of entity: String, inColumn column: Int) -> Int {
    if let known = boxes.indices.first(where: {
      boxes[$0].name == entity && columns?[$0] == column
    }) {
      return known
    }
    boxes.append(Box(name: entity, note: "", rows: [], isDashed: false))
    columns?.append(column)
    return boxes.count - 1
  }
}

extension Diagram.Line {
  fileprivate static func between(_ from: Int, _ to: Int, _ label: String) -> Self {
    .init(
      from: .init(box: from, row: nil, count: .unknown),
      to: .init(box: to, row: nil, count: .target), label: label)
  }
}

extension Diagram.Box {
  /// The longest text of a row.
  private static let textLimit = 60

  /// Its filter and policy, and the attributes that are not copied.
  fileprivate init(_ mapping: EntityMapping) {
    let notes = [
      mapping.filter.map { "where \($0)" }, mapping.customSource.map { "objects \($0.text)" },
      mapping.policyName.map { "policy \($0)" },
    ].compactMap { $0 }
    let values = mapping.attributeMappings.compactMap { attribute -> String? in
      let value = attribute.value(default: nil)
      return attribute.expression == nil || value.text == "copied"
        ? nil : "\(attribute.name) = \(value.text)"
    }
    self.init(
      name: mapping.name, note: mapping.effectiveKind.name,
      rows: (notes + values).map { text in
        var row = Diagram.Row(text)
        guard text.count > Self.textLimit else { return row }
        (row.text, row.whole) = (text.prefix(Self.textLimit - 1) + "…", text)
        return row
      }, isDashed: mapping.destinationName == nil)
  }
}
