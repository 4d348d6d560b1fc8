import Foundation
import StrataBase
import StrataObjectModel
import StrataStepping
import StrataStore

/// The rows of the destination at a stop, by table and key.
struct Tables: Equatable {
  struct Cell: Hashable, CustomStringConvertible {
    var table: String
    var key: Int64
    var column: String

    var description: String { "\(table).\(column) of \(key)" }
  }

  struct Value: Equatable {
    var value: AttributeValue

    var text: String {
      switch value {
      case .null: "NULL"
      case .integer(let number): String(number)
      case .real(let number): Int64(exactly: number).map { String($0) } ?? String(number)
      case .text(let text): text
      case .bytes(let bytes): "\(bytes.count) bytes"
      }
    }
  }

  typealias Row = [String: Value]

  private var rows: [String: [Int64: Row]] = [:]
  private var joins: [String: Set<String>] = [:]

  init(_ stepper: Stepper) throws {
    var names: [String] = []
    do {
      _ = try stepper.query(.destination, "SELECT name FROM sqlite_master WHERE type = 'table'") {
        if case .text(let name) = $0[0] { names.append(name) }
        return true
      }
    } catch is Stepper.InspectionError {
      return
    }
    for name in names
    where name.hasPrefix("Z") && !["Z_METADATA", "Z_MODELCACHE", "Z_PRIMARYKEY"].contains(name) {
      var found: [[AttributeValue]] = []
      let columns = try stepper.query(.destination, "SELECT * FROM \"\(name)\"") {
        found.append($0)
        return true
      }
      if let place = columns.firstIndex(of: "Z_PK") {
        rows[name] = [:]
        for values in found {
          guard case .integer(let key) = values[place] else { continue }
          rows[name]?[key] = Dictionary(
            uniqueKeysWithValues: zip(columns, values.map { Value(value: $0) }))
        }
      } else {
        // The two keys of a join table; an order may follow.
        joins[name] = Set(
          found.map { values in
            zip(columns, values).filter { !$0.0.hasPrefix("Z_FOK") }.compactMap {
              if case .integer(let key) = $0.1 { key } else { nil }
            }.sorted().map { String($0) }.joined(separator: " ")
          })
      }
    }
  }

  subscript(cell: Cell) -> Value? { rows[cell.table]?[cell.key]?[cell.column] }

  func rows(of table: String) -> [Row] { rows[table].map { Array($0.values) } ?? [] }

  func newRows(since before: Tables) -> [(table: String, key: Int64)] {
    rows.flatMap { table, found in
      found.keys.filter { before.rows[table]?[$0] == nil }.map { (table, $0) }
    }
  }

  /// The cells of earlier rows that have other values now.
  func changes(since before: Tables) -> [Cell] {
    rows.flatMap { table, found in
      found.flatMap { key, row in
        guard let old = before.rows[table]?[key] else { return [Cell]() }
        return row.keys.filter { old[$0] != row[$0] }.map {
          Cell(table: table, key: key, column: $0)
        }
      }
    }
  }

  func newJoins(since before: Tables) -> Set<String> {
    joins.reduce(into: []) { $0.formUnion($1.value.subtracting(before.joins[$1.key] ?? [])) }
  }

  /// The text of a value of the explanation, as the column would have it.
  static func text(ofJSON value: Any, _ found: Value) -> String {
    switch (value, found.value) {
    case (is NSNull, _): return "NULL"
    case (let text as String, .integer), (let text as String, .real):
      // A date.
      let format = ISO8601DateFormatter()
      let parsed = format.date(from: text) ?? Self.fractional.date(from: text)
      guard let parsed, case let seconds = parsed.timeIntervalSinceReferenceDate else {
        return text
      }
      let stored = Double(found.text) ?? .nan
      return abs(stored - seconds) < 0.01 ? found.text : text
    case (let text as String, .bytes): return UUID(uuidString: text) == nil ? text : found.text
    case (let text as String, _): return text
    case (let number as NSNumber, .integer): return String(number.int64Value)
    case (let number as NSNumber, .real(let real)):
      // JSON has a decimal number, which may round in the last digit.
      let isSame = abs(number.doubleValue - real) <= 1e-12 * abs(real)
      return isSame ? found.text : "\(number)"
    // Binary data, by its number of bytes; an external value has one more.
    case (is [String: Any], .bytes): return found.text
    default: return "\(value)"
    }
  }

  private static var fractional: ISO8601DateFormatter {
    let format = ISO8601DateFormatter()
    format.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
    return format
  }
}

/// The tables and columns of a model's names, as Core Data names them.
struct Names {
  private let model: ObjectModel

  init(_ model: ObjectModel) { self.model = model }

  static func column(_ name: String) -> String {
    "Z" + name.uppercased().replacingOccurrences(of: ".", with: "_")
  }

  static func key(_ reference: String) -> String? {
    reference.range(of: "/p", options: .backwards).map { String(reference[$0.upperBound...]) }
  }

  func table(of entity: String) -> String {
    var name = entity
    while let parent = model[name]?.superentityName { name = parent }
    return "Z" + name.uppercased()
  }

  /// Whether its table has objects of no other entity.
  func isAlone(_ entity: String) -> Bool {
    model[entity]?.superentityName == nil
      && !model.entities.contains { $0.superentityName == entity }
  }

  func row(_ reference: String) -> String {
    let entity = reference.split(separator: "/").first.map(String.init) ?? ""
    return "\(table(of: entity)) \(Self.key(reference) ?? "")"
  }

  func cell(_ name: String, of reference: String) -> Tables.Cell? {
    guard let entity = reference.split(separator: "/").first.map(String.init),
      let key = Self.key(reference).flatMap({ Int64($0) })
    else { return nil }
    return Tables.Cell(table: table(of: entity), key: key, column: Self.column(name))
  }

  /// The changed cell of a to-one relationship.
  func note(
    _ change: [String: Any], on object: String, _ cells: inout [Tables.Cell: String]
  ) {
    let name = change["relationship"] as? String ?? ""
    let entity = object.split(separator: "/").first.map(String.init) ?? ""
    guard let relationship = model.relationship(name, of: entity), !relationship.property.isToMany,
      let cell = cell(name, of: object)
    else { return }
    let (added, removed) = (change.references("added"), change.references("removed"))
    guard !added.isEmpty || !removed.isEmpty else { return }
    cells[cell] = added.first.flatMap(Self.key) ?? "NULL"
  }

  /// The pairs of keys that a part adds to a join table.
  func joined(_ part: [String: Any]) -> [String] {
    let own = part.reference("object").flatMap(Self.key) ?? ""
    return part.references("added").compactMap(Self.key).map { other in
      [own, other].compactMap { Int64($0) }.sorted().map { String($0) }.joined(separator: " ")
    }
  }

  /// Whether the column belongs to a property with an own name: an attribute or a to-one relationship.
  func isNamed(_ cell: Tables.Cell) -> Bool {
    model.entities.contains { entity in
      table(of: entity.name) == cell.table
        && (entity.attributes.map(\.name)
          + entity.relationships.filter { !$0.isToMany }.map(\.name))
          .contains { Self.column($0) == cell.column }
    }
  }
}
