internal import StrataBase

extension ExpressionValue {
  /// Whether two values are equal: numbers by value, texts by code points, objects by identity; nil equals nil.
  func equals(_ other: ExpressionValue) -> Bool {
    if let a = ExpressionNumber(self), let b = ExpressionNumber(other) { return a == b }
    switch (self, other) {
    case (.value(.null), .value(.null)): return true
    case (.value(.text(let a)), .value(.text(let b))): return ExactText(a) == ExactText(b)
    case (.value(.bytes(let a)), .value(.bytes(let b))): return a == b
    case (.object(let a), .object(let b)): return a.identity == b.identity
    // A key that was written instead of an object.
    case (.object(let object), .value(.integer(let key))),
      (.value(.integer(let key)), .object(let object)):
      return object.identity.key == key
    case (.collection(let a, let isOrdered), .collection(let b, let isAlsoOrdered)):
      if isOrdered, isAlsoOrdered {
        return a.count == b.count && zip(a, b).allSatisfy { $0.equals($1) }
      }
      let (isInA, isInB) = (Self.membership(of: a), Self.membership(of: b))
      return a.allSatisfy(isInB) && b.allSatisfy(isInA)
    default: return false
    }
  }

  /// Whether this precedes another value; `nil` if the two are not comparable, as with nil.
  package func isAscending(to other: ExpressionValue) -> Bool? {
    if let a = ExpressionNumber(self), let b = ExpressionNumber(other) {
      return ExpressionNumber.isAscending(a, b)
    }
    switch (self, other) {
    case (.value(.text(let a)), .value(.text(let b))):
      return a.precedesInBytes(b)
    case (.value(.bytes(let a)), .value(.bytes(let b))):
      return a.lexicographicallyPrecedes(b)
    default: return nil
    }
  }

  /// The elements without duplicates.
  static func distinct(_ elements: [ExpressionValue]) -> [ExpressionValue] {
    var seen: Set<Key> = []
    return elements.filter { element in Key(element).map { seen.insert($0).inserted } ?? true }
  }

  /// A fast test of whether a value is among these.
  static func membership(of elements: [ExpressionValue]) -> (ExpressionValue) -> Bool {
    let keys = Set(elements.compactMap(Key.init))
    let others = elements.filter { Key($0) == nil }
    return { value in
      Key(value).map(keys.contains) ?? others.contains { value.equals($0) }
    }
  }

  /// Equal values have equal keys; collections have none.
  private enum Key: Hashable {
    case null
    case integer(Int64)
    case real(Double)
    case text(ExactText)
    case bytes([UInt8])
    case object(ObjectIdentity)

    init?(_ value: ExpressionValue) {
      switch value {
      case .value(.null): self = .null
      case .value(.integer(let number)): self = .integer(number)
      case .value(.real(let number)):
        self = Int64(exactly: number).map(Self.integer) ?? .real(number)
      case .value(.text(let text)): self = .text(ExactText(text))
      case .value(.bytes(let bytes)): self = .bytes(bytes)
      case .object(let object): self = .object(object.identity)
      case .collection: return nil
      }
    }
  }
}
