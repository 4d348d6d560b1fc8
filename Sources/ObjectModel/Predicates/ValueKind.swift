package import StrataBase
internal import StrataExpressions

/// The kind of value that an expression returns, as far as it follows from the model.
package indirect enum ValueKind: Hashable, Sendable {
  case nothing, number, date, text, bytes, uuid
  /// An object of this entity or a subentity.
  case object(String)
  case many(ValueKind)
  /// Unknown before evaluation, such as a variable or the result of a function.
  case unknown

  package init(_ type: AttributeType) {
    self =
      switch type {
      case .integer16, .integer32, .integer64, .decimal, .double, .float, .boolean: .number
      case .string, .uri: .text
      case .date: .date
      case .uuid: .uuid
      case .binary, .transformable: .bytes
      case .undefined, .objectID, .composite: .unknown
      }
  }

  package init(_ value: AttributeValue) {
    self =
      switch value {
      case .null: .nothing
      case .integer, .real: .number
      case .text: .text
      case .bytes: .bytes
      }
  }

  /// What an attribute gives and another one requires, for messages: their kinds, or where these are equal, their types.
  package static func difference(
    between old: AttributeType, and new: AttributeType
  ) -> (gives: String, wants: String) {
    let (gives, wants) = (ValueKind(old).description, ValueKind(new).description)
    return gives == wants ? (old.name, new.name) : (gives, wants)
  }

  /// The name of the kind in messages.
  package var description: String {
    switch self {
    case .nothing: "nothing"
    case .number: "a number"
    case .date: "a date"
    case .text: "text"
    case .bytes: "bytes"
    case .uuid: "a UUID"
    case .object(let entity): "an object of \(entity)"
    case .many(.many): "a collection of collections"
    case .many: "a collection"
    case .unknown: "unknown"
    }
  }

  /// The kind of the elements of a collection, including nested collections; otherwise the kind itself.
  package var element: ValueKind {
    if case .many(let kind) = self { kind.element } else { self }
  }

  /// The number of to-many steps that lead to the elements; 0 for one value.
  package var depth: Int {
    if case .many(let kind) = self { kind.depth + 1 } else { 0 }
  }

  /// A collection of such values, of collections of them, and so on.
  func collected(_ depth: Int) -> ValueKind {
    (0..<depth).reduce(self) { kind, _ in .many(kind) }
  }

  /// The kind after texts were converted to another one.
  func replacingText(by kind: ValueKind) -> ValueKind {
    element == .text ? kind.collected(depth) : self
  }

  package var isObject: Bool {
    if case .object = self { true } else { false }
  }

  package var isMany: Bool {
    if case .many = self { true } else { false }
  }

  /// Whether an attribute of another kind takes such values, where they are known: a date is no number there.
  package func isAssignable(to wanted: ValueKind) -> Bool {
    switch (self, wanted) {
    case (.unknown, _), (_, .unknown), (.nothing, _): true
    default: self == wanted
    }
  }

  /// Whether values of the two kinds can be equal.
  package func isComparable(to other: ValueKind) -> Bool {
    switch (self, other) {
    case (.unknown, _), (_, .unknown), (.nothing, _), (_, .nothing): true
    case (.number, .date), (.date, .number), (.uuid, .bytes), (.bytes, .uuid): true
    case (.object, .object): true
    default: self == other
    }
  }
}
