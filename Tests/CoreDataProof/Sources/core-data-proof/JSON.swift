/// An answer of Strata, whose shapes are in Docs/JSON.md. A missing key is an error.
indirect enum JSON: Decodable {
  case null
  /// Also numbers and truth values, as Core Data's side writes them: see `Text`.
  case text(String)
  case array([JSON])
  case dictionary([String: JSON])

  init(from decoder: any Decoder) throws {
    let box = try decoder.singleValueContainer()
    self =
      try box.decodeNil()
      ? .null
      : (try? box.decode(Bool.self)).map { .text("\($0)") }
        ?? (try? box.decode(Int64.self)).map { .text("\($0)") }
        ?? (try? box.decode(Double.self)).map { .text(Text.number($0)) }
        ?? (try? box.decode(String.self)).map { .text(Text.value($0)) }
        ?? (try? box.decode([JSON].self)).map(JSON.array)
        ?? .dictionary(box.decode([String: JSON].self))
  }

  subscript(_ key: String) -> JSON {
    get throws {
      if let value = object[key] { return value }
      throw Failure("an answer of Strata has no key \(key)")
    }
  }

  var list: [JSON] { if case .array(let list) = self { list } else { [] } }
  var object: [String: JSON] { if case .dictionary(let object) = self { object } else { [:] } }

  /// A value; nil for null.
  var text: String? {
    switch self {
    case .null: nil
    case .text(let text): text
    case .array(let list):
      list.isEmpty ? nil : "[\(list.compactMap(\.text).joined(separator: " "))]"
    case .dictionary(let object): object["bytes"]?.text.map { "bytes \($0)" } ?? "bytes"
    }
  }
}
