/// An answer of Strata, whose shapes are in Docs/JSON.md. A missing key is an error.
indirect enum JSON: Decodable {
  case null
  case truth(Bool)
  case whole(Int64)
  case real(Double)
  case text(String)
  case list([JSON])
  case object([String: JSON])

  init(from decoder: any Decoder) throws {
    let box = try decoder.singleValueContainer()
    if box.decodeNil() {
      self = .null
    } else if let truth = try? box.decode(Bool.self) {
      self = .truth(truth)
    } else if let whole = try? box.decode(Int64.self) {
      self = .whole(whole)
    } else if let real = try? box.decode(Double.self) {
      self = .real(real)
    } else if let text = try? box.decode(String.self) {
      self = .text(text)
    } else if let list = try? box.decode([JSON].self) {
      self = .list(list)
    } else {
      self = .object(try box.decode([String: JSON].self))
    }
  }

  subscript(_ key: String) -> JSON {
    get throws {
      guard case .object(let values) = self, let value = values[key] else {
        throw Failure("an answer of Strata has no key \(key)")
      }
      return value
    }
  }

  var list: [JSON] {
    guard case .list(let list) = self else { return [] }
    return list
  }

  var object: [String: JSON] {
    guard case .object(let object) = self else { return [:] }
    return object
  }

  /// A value as Core Data's side writes it, see `Text`; nil for null.
  var text: String? {
    switch self {
    case .null: nil
    case .truth(let truth): truth ? "true" : "false"
    case .whole(let whole): "\(whole)"
    case .real(let real): Text.number(real)
    case .text(let text): Text.value(text)
    case .list(let list):
      list.isEmpty ? nil : "[\(list.compactMap(\.text).joined(separator: " "))]"
    case .object(let object): object["bytes"]?.text.map { "bytes \($0)" } ?? "bytes"
    }
  }
}
