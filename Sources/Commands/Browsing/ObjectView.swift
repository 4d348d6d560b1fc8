internal import StrataBase
internal import StrataExpressions
internal import StrataObjectModel
internal import StrataRendering
internal import StrataStore

/// The objects of one entity as rows of a table, and as JSON.
struct ObjectView {
  /// The answer about an object that the store does not have.
  static func missing(_ object: ObjectRef) -> Outcome {
    Outcome(
      .line("there is no \(object)"), json: ["object": object.description, "found": false],
      status: .no)
  }

  private enum Column {
    case attribute(Attribute)
    case relationship(Declared<Relationship>)
    /// A key path or another expression, with what is known of its values.
    case keyPath(String, Expression, Result, EvaluationContext.Arithmetic)

    var title: String {
      switch self {
      case .attribute(let attribute): attribute.name
      case .relationship(let relationship): relationship.property.name
      case .keyPath(let text, _, _, _): text
      }
    }

    enum Result {
      /// The attribute at the end of a key path.
      case attribute(Attribute)
      case kind(ValueKind)

      func shown(_ value: AttributeValue) -> ShownValue {
        switch self {
        case .attribute(let attribute): ShownValue(value, of: attribute)
        case .kind(let kind): ShownValue(value, of: kind)
        }
      }
    }

    var isNumber: Bool {
      switch self {
      case .attribute(let attribute), .keyPath(_, _, .attribute(let attribute), _):
        attribute.type.isNumber
      case .relationship(let relationship): relationship.property.isToMany
      case .keyPath: false
      }
    }
  }

  private let entity: String
  private let objects: StoreObjects
  /// Stored attributes; the elements of a composite attribute are named by their key paths.
  private let attributes: [Attribute]
  private let relationships: [Declared<Relationship>]
  private let shown: [Column]
  /// Whether the columns are chosen, so that objects of subentities have no others.
  private let isChosen: Bool
  /// In which key paths are evaluated: the time, and the work that is counted, are those of all rows.
  private let context: EvaluationContext

  init(entity: String, objects: StoreObjects) {
    (self.entity, self.objects, isChosen) = (entity, objects, false)
    context = EvaluationContext()
    attributes = Self.attributes(of: entity, in: objects.model)
    relationships = Self.relationships(of: entity, in: objects.model)
    shown = attributes.map(Column.attribute) + relationships.map(Column.relationship)
  }

  /// - Parameters:
  ///   - columns: Attributes, relationships and key paths; all properties if there are none.
  ///   - now: The value of `now()` in seconds since 2001.
  /// - Throws: ``Diagnostic`` with the location in a key path.
  init(entity: String, objects: StoreObjects, columns: [String], now: Double) throws {
    let whole = ObjectView(entity: entity, objects: objects)
    (self.entity, self.objects, isChosen) = (entity, objects, !columns.isEmpty)
    (attributes, relationships) = (whole.attributes, whole.relationships)
    context = EvaluationContext(now: now)
    let choice = ArithmeticChoice(object: .init(model: objects.model, entity: entity))
    shown =
      columns.isEmpty
      ? whole.shown
      : try columns.map { text in
        if let known = whole.shown.first(where: { $0.title == text }) { return known }
        do throws(ExpressionError) {
          let (path, kind) = try objects.model.resolved(
            Expression(parsing: text), object: .object(entity), variables: [:])
          let attribute = objects.model.attribute(at: path, of: entity)
          return .keyPath(
            text, path, attribute.map { .attribute($0) } ?? .kind(kind),
            choice.arithmetic(of: path))
        } catch {
          throw error.located(in: text)
        }
      }
  }

  var columns: [Table.Column] {
    [.init("")] + shown.map { .init($0.title, $0.isNumber ? .right : .left) }
  }

  /// - Parameter isFull: Whether long strings are shown in full.
  func row(_ object: BrowsedObject, isFull: Bool) throws -> [StyledText] {
    let concrete = try object.concreteEntity()
    return [StyledText((concrete == entity ? "" : concrete + " ") + "p\(object.key)", .name)]
      + (try shown.map { try cell(of: $0, object, isFull) })
  }

  private func cell(
    of column: Column, _ object: BrowsedObject, _ isFull: Bool
  ) throws -> StyledText {
    switch column {
    case .attribute(let attribute):
      let value = ShownValue(stored: try object.stored(attribute.name) ?? .null, of: attribute)
      return isFull ? value.text : value.truncatedText
    case .relationship(let relationship):
      let property = relationship.property
      guard !property.isToMany else {
        return StyledText(String(try object.destinations(of: relationship).count))
      }
      guard case .integer(let key)? = try object.stored(property.name) else {
        return StyledText("nil", .faint)
      }
      return StyledText("p\(key)") + (try label(of: key, property.destinationName))
    case .keyPath(_, let path, let result, let arithmetic):
      return try shown(value(of: path, object, arithmetic), of: result, isFull)
    }
  }

  private func value(
    of path: Expression, _ object: BrowsedObject, _ arithmetic: EvaluationContext.Arithmetic
  ) throws -> ExpressionValue {
    var context = context
    context.object = object
    context.arithmetic = arithmetic
    return try context.value(of: path)
  }

  /// The number of values of a key path over a to-many relationship that are shown.
  private static let valueLimit = 10

  private func shown(
    _ value: ExpressionValue, of result: Column.Result, _ isFull: Bool
  ) throws -> StyledText {
    switch value {
    case .value(let value):
      let shown = result.shown(value)
      return isFull ? shown.text : shown.truncatedText
    case .object(let object):
      let (root, key) = (object.identity.rootEntity, object.identity.key)
      return StyledText("p\(key)") + (try label(of: key, concreteEntity(of: key, in: root)))
    case .collection(let values, _):
      let first = try values.prefix(isFull ? .max : Self.valueLimit)
        .map { try shown($0, of: result, isFull).text }
      return StyledText(
        (first + (values.count > first.count ? ["…"] : [])).joined(separator: ", "))
    }
  }

  /// The label of an object: its name or title.
  private func label(of key: Int64, _ entity: String) throws -> StyledText {
    let model = objects.model
    let names = model.allAttributes(of: entity).map(\.property)
      .filter { $0.type == .string && !$0.isTransient }.map(\.name)
    guard let name = ["name", "title", "label"].first(where: names.contains),
      case .text(let text)? = try objects.object(key, of: entity).stored(name)
    else { return "" }
    let limit = 30
    return StyledText(" " + (text.count > limit ? text.prefix(limit) + "…" : text))
  }

  /// The first objects at the other end of a relationship, each with its label.
  func related(_ object: BrowsedObject, by name: String, limit: Int) throws -> [StyledText] {
    guard let relationship = relationships.first(where: { $0.property.name == name }) else {
      return []
    }
    return try object.destinations(of: relationship).prefix(limit).map { key in
      let entity = try concreteEntity(of: key, in: relationship.property.destinationName)
      return StyledText(ObjectRef(entity: entity, key: key).description)
        + (try label(of: key, entity))
    }
  }

  /// The objects of a to-many relationship that one object shows.
  private static let relatedLimit = 5

  /// One object with all its values, and its related objects by name.
  static func whole(
    _ object: ObjectRef, _ objects: StoreObjects, title: String = ""
  ) throws -> Outcome {
    let view = ObjectView(entity: object.entity, objects: objects)
    let found = objects.object(object.key, of: object.entity)
    let cells = try view.row(found, isFull: true)
    let rows = try zip(view.columns, cells).dropFirst().flatMap { column, cell in
      let related = try view.related(found, by: column.title, limit: relatedLimit)
      let isLong = Int(cell.text).map { $0 > related.count } ?? false
      let others = related + (isLong && !related.isEmpty ? [StyledText("…", .faint)] : [])
      let isToOne = others.count == 1 && Int(cell.text) == nil
      let first = [StyledText("  \(column.title)", .faint), isToOne ? others[0] : cell]
      return [first] + (isToOne ? [] : others.map { ["", "  " + $0] })
    }
    let head =
      StyledText(object.description, .name) + StyledText(title.isEmpty ? "" : "  \(title)", .faint)
    return Outcome(
      .stack([.line(head), .table(rows: rows)]), payload: .lines([try view.json(found)]))
  }

  /// All properties of the object, including those of its own subentity, or the chosen ones.
  func json(_ object: BrowsedObject) throws -> JSONValue {
    let concrete = try object.concreteEntity()
    guard concrete == entity || isChosen else {
      return try ObjectView(entity: concrete, objects: objects)
        .json(objects.object(object.key, of: concrete))
    }
    let keys = (["objectID"] + shown.map(\.title)).distinctKeys
    let values = try [uri(concrete, object.key)] + shown.map { try json(of: $0, object) }
    return .object(.init(zip(keys, values).map { ($0, $1) }))
  }

  private func json(of column: Column, _ object: BrowsedObject) throws -> JSONValue {
    switch column {
    case .attribute(let attribute):
      return ShownValue(stored: try object.stored(attribute.name) ?? .null, of: attribute).json
    case .relationship(let relationship):
      let property = relationship.property
      let uris = try object.destinations(of: relationship).map { key in
        uri(try concreteEntity(of: key, in: property.destinationName), key)
      }
      return property.isToMany ? .array(uris) : uris.first ?? .null
    case .keyPath(_, let path, let result, let arithmetic):
      return try json(of: value(of: path, object, arithmetic), result)
    }
  }

  private func json(of value: ExpressionValue, _ result: Column.Result) throws -> JSONValue {
    switch value {
    case .value(let value): result.shown(value).json
    case .object(let object):
      uri(
        try concreteEntity(of: object.identity.key, in: object.identity.rootEntity),
        object.identity.key)
    case .collection(let values, _): .array(try values.map { try json(of: $0, result) })
    }
  }

  private func concreteEntity(of key: Int64, in entity: String) throws -> String {
    try objects.object(key, of: entity).concreteEntity()
  }

  /// The names of the stored properties of an entity, attributes first, with how many values each has.
  static func properties(
    of entity: String, in model: ObjectModel
  ) -> [(name: String, kind: PropertyKind)] {
    attributes(of: entity, in: model).map { ($0.name, .value) }
      + relationships(of: entity, in: model).map {
        ($0.property.name, $0.property.isToMany ? .many : .one)
      }
  }

  private static func attributes(of entity: String, in model: ObjectModel) -> [Attribute] {
    model.allStoredAttributes(of: entity)
  }

  private static func relationships(
    of entity: String, in model: ObjectModel
  ) -> [Declared<Relationship>] {
    model.allRelationships(of: entity).filter { !$0.property.isTransient }
  }

  enum PropertyKind: String {
    case value, one, many
  }

  /// The destinations of a relationship.
  struct Links {
    var relationship: Relationship
    /// The first of them.
    var objects: [ObjectRef]
    var count: Int
  }

  /// The values of the attributes of an object, and the destinations of its relationships, in the order of
  /// ``properties(of:in:)``.
  ///
  /// - Parameter limit: The number of destinations of a relationship.
  func cells(
    _ object: BrowsedObject, limit: Int = .max
  ) throws -> (values: [(Attribute, ShownValue)], links: [Links]) {
    let values = try attributes.map {
      ($0, ShownValue(stored: try object.stored($0.name) ?? .null, of: $0))
    }
    let links = try relationships.map { relationship in
      let keys = try object.destinations(of: relationship)
      let others = try keys.prefix(limit).map { key in
        let entity = try concreteEntity(of: key, in: relationship.property.destinationName)
        return ObjectRef(entity: entity, key: key)
      }
      return Links(relationship: relationship.property, objects: others, count: keys.count)
    }
    return (values, links)
  }

  /// The object with its properties; destinations of relationships are object references.
  func state(_ object: BrowsedObject, _ side: TraceStatement.Side) throws -> JSONValue {
    let cells = try cells(object)
    let relationships = JSONValue.Members(
      cells.links.map { links in
        let isToMany = links.relationship.isToMany
        return (
          links.relationship.name,
          isToMany ? links.objects.json(side) : links.objects.first?.json(side) ?? .null
        )
      })
    return [
      "object": ObjectRef(entity: entity, key: object.key).json(side),
      "attributes": JSONValue.object(.init(cells.values.map { ($0.name, $1.json) })),
      "relationships": JSONValue.object(relationships),
    ]
  }

  private func uri(_ entity: String, _ key: Int64) -> JSONValue {
    .string("x-coredata://\(objects.metadata.uuid)/\(entity)/p\(key)")
  }
}

extension ObjectModel {
  /// The last attribute of a key path.
  func attribute(at expression: Expression, of entity: String) -> Attribute? {
    guard case .keyPath(of: nil, let path) = expression, let last = path.last else { return nil }
    var entity = entity
    for key in path.dropLast() {
      guard let relationship = relationship(key, of: entity) else { return nil }
      entity = relationship.property.destinationName
    }
    return allAttributes(of: entity).map(\.property).first { $0.name == last }
  }
}
