package import StrataBase
package import StrataObjectModel
internal import StrataSQLite

/// What the row of an object holds: its attributes, and the keys of what its to-one relationships lead
/// to.
package final class StoreRowShape: Sendable {
  package enum Content: Sendable {
    case attribute(Attribute)
    case toOne(destination: String)
    /// The key of the object that has this one in a to-many relationship without an inverse.
    case owner(entity: String)

    /// The root-most entity that a key may be of; `nil` for attributes.
    package var destination: String? {
      switch self {
      case .attribute: nil
      case .toOne(let entity), .owner(let entity): entity
      }
    }
  }

  package let entity: String
  package let table: String
  /// Names as values are asked for: key paths of attributes and of elements of composites, relationships.
  package let names: [String]
  package let contents: [Content]
  package let columns: [StoreColumn]
  /// The places of binary attributes that may stand in a file of their own.
  package let externalPlaces: [Int]
  /// The places of columns that have an order key.
  let orderedPlaces: [Int]
  private let places: [String: Int]

  /// `nil` for an entity that the layout does not have.
  package init?(_ entity: String, model: ObjectModel, layout: StoreLayout) {
    guard let table = layout.table(of: entity) else { return nil }
    var found: [(name: String, column: StoreColumn, content: Content)] = []
    let lineage = [entity] + model.ancestorNames(of: entity)
    for owner in lineage {
      for attribute in model[owner]?.attributes ?? [] {
        for leaf in model.storedAttributes(of: attribute) {
          if let column = layout.column(of: leaf.name, declaredBy: owner) {
            found.append((leaf.name, column, .attribute(leaf)))
          }
        }
      }
      for relationship in model[owner]?.relationships ?? [] where !relationship.isToMany {
        if let column = layout.column(of: relationship.name, declaredBy: owner) {
          found.append(
            (relationship.name, column, .toOne(destination: relationship.destinationName)))
        }
      }
    }
    for (relationship, column) in layout.ownerColumns(of: lineage) {
      found.append((relationship.description, column, .owner(entity: relationship.entity)))
    }
    self.entity = entity
    self.table = table.name
    names = found.map(\.name)
    columns = found.map(\.column)
    contents = found.map(\.content)
    externalPlaces = found.indices.filter { place in
      guard case .attribute(let attribute) = found[place].content else { return false }
      return attribute.mayBeExternal
    }
    orderedPlaces = found.indices.filter { found[$0].column.orderColumn != nil }
    places = Dictionary(
      names.enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: { a, _ in a })
  }

  /// Where the value of this name stands in a row.
  package func place(of name: String) -> Int? { places[name] }

  /// Whether an attribute is a composite one, whose elements are in the row.
  func hasElements(of attribute: String) -> Bool {
    names.contains { $0.hasPrefix(attribute + ".") }
  }

  /// The name of a column, as SQL needs it.
  package func columnName(at place: Int) -> String { columns[place].name.plainOrQuoted }

  /// The columns for a SELECT, those of an alias.
  func list(_ alias: String) -> String {
    columns.map { "\(alias).\($0.name.quoted)" }.joined(separator: ", ")
  }
}

extension Attribute {
  /// Whether its data may stand in a file of its own.
  package var mayBeExternal: Bool { allowsExternalBinaryStorage && type == .binary }
}

/// One object as its row has it.
package struct ObjectRow: Sendable, Hashable {
  /// `Z_PK`.
  package var key: Int64
  /// `Z_OPT`: 1 for a new object, one more with each change.
  package var changeCount: Int64
  /// In the order of the shape; binary data without the byte that tells where it is.
  package var values: [AttributeValue]
  /// For each column with an order key (``StoreRowShape``), the place among the owner's objects.
  package var orderKeys: [AttributeValue]

  package init(
    key: Int64, changeCount: Int64 = 1, values: [AttributeValue], orderKeys: [AttributeValue] = []
  ) {
    self.key = key
    self.changeCount = changeCount
    self.values = values
    self.orderKeys = orderKeys
  }
}
