internal import StrataBase

/// A value with one JSON form, which can stand in the literal of a ``JSONValue``.
package protocol JSONRepresentable {
  var json: JSONValue { get }
}

extension JSONValue: JSONRepresentable {
  package var json: JSONValue { self }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  package init(stringLiteral text: String) { self = .string(text) }

  package init(arrayLiteral elements: any JSONRepresentable...) {
    self = .array(elements.map(\.json))
  }

  package init(dictionaryLiteral pairs: (String, any JSONRepresentable)...) {
    self = .object(Members(pairs))
  }
}

extension Bool: JSONRepresentable {
  package var json: JSONValue { .bool(self) }
}

extension Int: JSONRepresentable {
  package var json: JSONValue { .integer(Int64(self)) }
}

extension Int64: JSONRepresentable {
  package var json: JSONValue { .integer(self) }
}

extension Double: JSONRepresentable {
  package var json: JSONValue { .real(self) }
}

extension String: JSONRepresentable {
  package var json: JSONValue { .string(self) }
}

/// `nil` is `null`.
extension Optional: JSONRepresentable where Wrapped: JSONRepresentable {
  package var json: JSONValue { self?.json ?? .null }
}

extension Array: JSONRepresentable where Element: JSONRepresentable {
  package var json: JSONValue { json(\.json) }
}

extension JSONValue {
  /// An object with those of the members that are not `null`.
  package static func object(withoutNull members: Members) -> Self {
    .object(members.filter { $0 != .null })
  }

  /// An object with these members, sorted by keys.
  package init(_ members: [String: some JSONRepresentable]) {
    let sorted = members.sorted { $0.key.precedesInBytes($1.key) }
    self = .object(Members(sorted.map { ($0.key, $0.value) }))
  }
}

extension Sequence {
  /// An array of the JSON forms of the elements.
  package func json(_ form: (Element) throws -> JSONValue) rethrows -> JSONValue {
    .array(try map(form))
  }
}
