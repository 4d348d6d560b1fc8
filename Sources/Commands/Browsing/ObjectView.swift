internal import StrataBase
internal import StrataObjectModel
internal import StrataRendering
internal import StrataStore

/// The objects of one entity as rows of a table, and as JSON.
struct ObjectView {
  private let entity: String
  private let objects: StoreObjects
  /// Stored attributes; the elements of a composite attribute are named by their key paths.
  private let attributes: [Attribute]
  private let relationships: [Declared<Relationship>]

  init(entity: String, objects: StoreObjects) {
    let model = objects.model
    self.entity = entity
    self.objects = objects
    attributes = Self.attributes(of: entity, in: model)
    relationships = Self.relationships(of: entity, in: model)
  }

  var columns: [Table.Column] {
    let numbers = attributes.map { attribute in
      Table.Column(attribute.name, attribute.type.isNumber ? .right : .left)
    }
    return [.init("")] + numbers
      + relationships.map { .init($0.property.name, $0.property.isToMany ? .right : .left) }
  }

  /// - Parameter isFull: Whether long strings are shown in full.
  func row(_ object: BrowsedObject, isFull: Bool) throws -> [StyledText] {
    let concrete = try object.concreteEntity()
    var row = [
      StyledText((concrete == entity ? "" : concrete + " ") + "p\(object.key)", .name)
    ]
    for attribute in attributes {
      let value = ShownValue(try object.stored(attribute.name) ?? .null, of: attribute)
      row.append(isFull ? value.text : value.truncatedText)
    }
    for relationship in relationships {
      let property = relationship.property
      guard !property.isToMany else {
        row.append(StyledText(String(try object.destinations(of: relationship).count)))
        continue
      }
      guard case .integer(let key)? = try object.stored(property.name) else {
        row.append(StyledText("nil", .faint))
        continue
      }
      row.append(StyledText("p\(key)") + (try label(of: key, property.destinationName)))
    }
    return row
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

  /// All properties of the object, including those of its own subentity.
  func json(_ object: BrowsedObject) throws -> JSONValue {
    let concrete = try object.concreteEntity()
    guard concrete == entity else {
      return try ObjectView(entity: concrete, objects: objects)
        .json(objects.object(object.key, of: concrete))
    }
    var members: [(key: String, value: JSONValue)] = [
      ("objectID", uri(concrete, object.key))
    ]
    for attribute in attributes {
      members.append(
        (
          attribute.name,
          ShownValue(try object.stored(attribute.name) ?? .null, of: attribute).json
        ))
    }
    for relationship in relationships {
      let property = relationship.property
      let uris = try object.destinations(of: relationship).map { key in
        uri(
          try objects.object(key, of: property.destinationName).concreteEntity(), key)
      }
      members.append((property.name, property.isToMany ? .array(uris) : uris.first ?? .null))
    }
    return .object(members)
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
      ($0, ShownValue(try object.stored($0.name) ?? .null, of: $0))
    }
    let links = try relationships.map { relationship in
      let keys = try object.destinations(of: relationship)
      let others = try keys.prefix(limit).map { key in
        let other = objects.object(key, of: relationship.property.destinationName)
        return ObjectRef(entity: try other.concreteEntity(), key: key)
      }
      return Links(relationship: relationship.property, objects: others, count: keys.count)
    }
    return (values, links)
  }

  /// The object with its properties; destinations of relationships are object references.
  func state(_ object: BrowsedObject, _ side: TraceStatement.Side) throws -> JSONValue {
    let cells = try cells(object)
    return .object([
      ("object", ObjectRef(entity: entity, key: object.key).json(side)),
      ("attributes", .object(cells.values.map { ($0.name, $1.json) })),
      (
        "relationships",
        .object(
          cells.links.map { links in
            (
              links.relationship.name,
              links.relationship.isToMany
                ? links.objects.json(side) : links.objects.first?.json(side) ?? .null
            )
          })
      ),
    ])
  }

  private func uri(_ entity: String, _ key: Int64) -> JSONValue {
    .string("x-coredata://\(objects.metadata.uuid)/\(entity)/p\(key)")
  }
}
