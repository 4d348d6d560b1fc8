package import StrataBase
package import StrataObjectModel
internal import StrataSQLite

/// The shape of an object's row: its attributes, and the keys of its to-one relationships.
package final class StoreRowShape: Sendable {
  package enum Content: Sendable {
    case attribute(Attribute)
    case toOne(destination: String)
    /// The key of the owner in a to-many relationship without an inverse.
    case owner(entity: String)

    /// The destination entity of a key; `nil` for attributes.
    package var destination: String? {
      switch self {
      case .attribute: nil
      case .toOne(let entity), .owner(let entity): entity
      }
    }
  }

  package let entity: String
  package let rootEntity: String
  package let table: String
  /// The names of the values: key paths of attributes and elements of composites, and relationships.
  package let names: [String]
  package let contents: [Content]
  package let columns: [StoreColumn]
  /// The indexes of binary attributes that may be in external files.
  package let externalIndices: [Int]
  /// The indexes of dates, whose columns hold whole seconds as integers.
  let dateIndices: [Int]
  /// The indexes of columns with an order key.
  let orderedIndices: [Int]
  private let indices: [String: Int]

  /// `nil` for an entity that the layout does not have.
  package init?(_ entity: String, model: ObjectModel, layout: StoreLayout) {
    guard let table = layout.table(of: entity) else { return nil }
    var found: [(name: String, column: StoreColumn, content: Content)] = []
    let lineage = model.lineageNames(of: entity)
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
    rootEntity = table.rootEntity
    self.table = table.name
    names = found.map(\.name)
    columns = found.map(\.column)
    contents = found.map(\.content)
    func indices(where isMeant: (Attribute) -> Bool) -> [Int] {
      found.indices.filter { index in
        if case .attribute(let attribute) = found[index].content {
          isMeant(attribute)
        } else {
          false
        }
      }
    }
    externalIndices = indices(where: \.mayBeExternal)
    dateIndices = indices { $0.type == .date }
    orderedIndices = found.indices.filter { found[$0].column.orderColumn != nil }
    self.indices = Dictionary(first: names.enumerated().map { ($0.element, $0.offset) })
  }

  /// The index of a value in a row.
  package func index(of name: String) -> Int? { indices[name] }

  /// A stored value as expressions read it: a date is a number of seconds with a fraction, also if whole seconds are
  /// stored as an integer.
  package func operand(_ value: AttributeValue, at index: Int) -> AttributeValue {
    guard case .integer(let seconds) = value, dateIndices.contains(index) else { return value }
    return .real(Double(seconds))
  }

  /// Whether an attribute is a composite one, whose elements are in the row.
  func hasElements(of attribute: String) -> Bool {
    names.contains { $0.hasPrefix(attribute + ".") }
  }

  /// The quoted name of a column.
  package func columnName(at index: Int) -> String { columns[index].name.plainOrQuoted }

  /// The columns for a SELECT with an alias.
  func list(_ alias: String) -> String {
    columns.map { "\(alias).\($0.name.quoted)" }.joined(separator: ", ")
  }
}

extension Attribute {
  /// Whether its data may be in an external file.
  package var mayBeExternal: Bool { allowsExternalBinaryStorage && type == .binary }
}

/// The row of an object.
package struct ObjectRow: Sendable, Hashable {
  /// `Z_PK`.
  package var key: Int64
  /// `Z_OPT`: 1 for a new object, incremented by each change.
  package var changeCount: Int64
  /// The values in the order of the shape; binary data without the prefix byte.
  package var values: [AttributeValue]
  /// For each column with an order key (``StoreRowShape``), the order among the owner's objects.
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
