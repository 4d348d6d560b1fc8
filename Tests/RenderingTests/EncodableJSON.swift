import StrataRendering

/// A JSON value that Foundation can encode, too.
enum EncodableJSON: Encodable {
  case null
  case bool(Bool)
  case integer(Int64)
  case real(Double)
  case string(String)
  case array([EncodableJSON])
  case object([String: EncodableJSON])

  var json: JSONValue {
    switch self {
    case .null: .null
    case .bool(let value): .bool(value)
    case .integer(let number): .integer(number)
    case .real(let number): .real(number)
    case .string(let text): .string(text)
    case .array(let elements): elements.json(\.json)
    case .object(let members): .object(.init(members.map { ($0.key, $0.value.json) }))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .integer(let number): try container.encode(number)
    case .real(let number): try container.encode(number)
    case .string(let text): try container.encode(text)
    case .array(let elements): try container.encode(elements)
    case .object(let members): try container.encode(members)
    }
  }

  static func random(_ random: inout some RandomNumberGenerator, depth: Int) -> Self {
    switch Int.random(in: 0..<(depth == 0 ? 6 : 10), using: &random) {
    case 0: return .null
    case 1: return .bool(.random(using: &random))
    case 2: return .integer(Int64(bitPattern: random.next()))
    case 3: return .integer(.random(in: -3...3, using: &random))
    case 4:
      let numbers = [
        0, -0.0, 5, 0.1, 1e16, 1e-7, 123_456_789.5, -2.5e300, Double.leastNonzeroMagnitude, 1e15,
      ]
      return .real(numbers.randomElement(using: &random) ?? 0)
    case 5: return .string(text(&random))
    case 6, 7:
      let count = Int.random(in: 0...3, using: &random)
      return .array((0..<count).map { _ in self.random(&random, depth: depth - 1) })
    default:
      let count = Int.random(in: 0...4, using: &random)
      let members = (0..<count).map { _ in
        (text(&random), self.random(&random, depth: depth - 1))
      }
      return .object(Dictionary(members, uniquingKeysWith: { $1 }))
    }
  }

  private static func text(_ random: inout some RandomNumberGenerator) -> String {
    let parts = [
      "a", "b", "B", "/", "\\", "\"", "\n", "\t", "\r", "\u{8}", "\u{C}", "\u{1}", "\u{1F}", "é",
      "名", "🎈",
      "_", "10", "9",
    ]
    let count = Int.random(in: 0...3, using: &random)
    return (0..<count).map { _ in parts.randomElement(using: &random) ?? "" }.joined()
  }
}
