internal import StrataObjectModel
internal import StrataValues

/// Which columns an object's own values are read from: its attributes and to-one relationships.
struct StoreRowShape {
  enum Content {
    case attribute
    case toOne(destination: String)
  }

  let entity: String
  let table: String
  /// Names as values are asked for: those of attributes (of a composite, its elements) and relationships.
  let names: [String]
  let columns: [String]
  let contents: [Content]
  private let places: [String: Int]

  /// `nil` for an entity that the layout does not have.
  init?(_ entity: String, model: ObjectModel, layout: StoreLayout) {
    guard let table = layout.table(of: entity) else { return nil }
    var names: [String] = []
    var columns: [String] = []
    var contents: [Content] = []
    for owner in [entity] + model.ancestorNames(of: entity) {
      for attribute in model[owner]?.attributes ?? [] {
        for name in model.storedNames(of: attribute) {
          guard let column = layout.column(of: name, declaredBy: owner) else { continue }
          names.append(name)
          columns.append(column.name)
          contents.append(.attribute)
        }
      }
      for relationship in model[owner]?.relationships ?? [] where !relationship.isToMany {
        guard let column = layout.column(of: relationship.name, declaredBy: owner) else { continue }
        names.append(relationship.name)
        columns.append(column.name)
        contents.append(.toOne(destination: relationship.destinationName))
      }
    }
    self.entity = entity
    self.table = table.name
    self.names = names
    self.columns = columns
    self.contents = contents
    places = Dictionary(
      names.enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: { a, _ in a })
  }

  func place(of name: String) -> Int? { places[name] }

  /// The columns for a SELECT, those of an alias.
  func list(_ alias: String) -> String {
    columns.map { "\(alias).\($0.quoted)" }.joined(separator: ", ")
  }
}
