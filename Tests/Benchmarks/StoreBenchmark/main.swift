// Fills a store with a million objects of twelve attributes, or reads them: what `Scripts/benchmark`
// measures against `fill_store.c` and against Python.

import Foundation
import StrataBase
import StrataObjectModel
import StrataSQLite
import StrataStore

// As the program does.
SQLiteLibrary.stopCountingMemory()

/// The model: one entity, every kind of column that is not a blob, and one that is.
let types: [(String, AttributeType)] = [
  ("active", .boolean), ("age", .integer16), ("amount", .integer64), ("born", .date),
  ("city", .string), ("code", .string), ("height", .float), ("ident", .uuid), ("mail", .string),
  ("price", .decimal), ("score", .double), ("size", .integer32),
]

/// As `fill_store.c` makes them.
func value(_ type: AttributeType, _ name: String, _ number: Int) -> AttributeValue {
  switch type {
  case .boolean: .integer(Int64(number & 1))
  case .integer16, .integer32, .integer64: .integer(Int64(number * 37 % 1000))
  case .string: .text("\(name) number \(number)")
  case .uuid: .bytes((0..<16).map { UInt8(truncatingIfNeeded: number + $0) })
  default: .real(Double(number) * 1.25)
  }
}

/// The values of this many rows are used again and again.
let poolSize = 1000

func fill(_ path: String, _ count: Int, _ model: ObjectModel) throws {
  var store = try NewStore(
    path: path, model: model, uuid: "AAAAAAAA-0000-4000-8000-000000000001")
  guard let shape = store.shape(of: "Person") else { return }
  let pool = (0..<poolSize).map { number in
    ObjectRow(
      key: 0,
      values: zip(shape.names, shape.contents).map { name, content in
        guard case .attribute(let attribute) = content else { return .null }
        return value(attribute.type, name, number)
      })
  }
  for number in 0..<count {
    var row = pool[number % poolSize]
    row.key = Int64(number + 1)
    try store.insert(row, of: "Person")
  }
  try store.finish()
}

func read(_ path: String, _ model: ObjectModel) throws {
  let reader = try StoreReader(SQLiteStore(reading: path), model: model)
  var count = 0
  var sum: Int64 = 0
  let index = reader.shape(of: "Person")?.index(of: "age") ?? 0
  try reader.forEachRow(of: "Person") { row in
    count += 1
    if case .integer(let age) = row.values[index] { sum += age }
  }
  print(count, sum)
}

var person = Entity(name: "Person")
person.attributes = types.map { Attribute(name: $0.0, type: $0.1, isOptional: true) }
let model = try ObjectModel(ModelDocument(entities: [person]))
switch CommandLine.arguments.dropFirst().first {
case "fill": try fill(CommandLine.arguments[2], Int(CommandLine.arguments[3]) ?? 0, model)
case "read": try read(CommandLine.arguments[2], model)
default: print("usage: store-benchmark fill PATH COUNT | read PATH")
}
