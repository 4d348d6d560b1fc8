package import StrataBase

/// The value of an expression.
package enum ExpressionValue {
  /// A number, a text, bytes, or nil. Dates are seconds since 2001-01-01 00:00:00 UTC.
  case value(AttributeValue)
  case object(any EvaluatedObject)
  /// A set, or an array if the order matters.
  case collection([ExpressionValue], isOrdered: Bool)

  package static var null: Self { .value(.null) }

  package var isNull: Bool {
    if case .value(.null) = self { true } else { false }
  }
}

/// An object that predicates query: of a store, or of a migration.
package protocol EvaluatedObject {
  /// The identity of the object.
  var identity: ObjectIdentity { get }

  /// The value of a property, by the rules of key-value coding.
  ///
  /// - Throws: ``ExpressionError/Problem/unknownKey(_:of:near:)``; where a store must be asked, its error.
  func value(forKey key: String) throws -> ExpressionValue
}

/// An object with methods that ``FUNCTION`` can call.
package protocol CallableObject: EvaluatedObject {
  /// - Throws: ``ExpressionError`` for a method that it does not have.
  func call(_ selector: String, _ arguments: [ExpressionValue]) throws -> ExpressionValue
}

/// The identity of an object: the root entity, whose table it is in, and its key there.
package struct ObjectIdentity: Sendable, Hashable {
  package var rootEntity: String
  package var key: Int64

  package init(rootEntity: String, key: Int64) {
    self.rootEntity = rootEntity
    self.key = key
  }
}

extension ExpressionValue {
  /// The elements of a collection, nested collections flattened; any other value is its only element.
  var flattened: [ExpressionValue] {
    guard case .collection(let elements, _) = self else { return [self] }
    return elements.flatMap(\.flattened)
  }

  /// The kind of value, for messages.
  var kind: String {
    switch self {
    case .value(.null): "nothing"
    case .value(.integer), .value(.real): "a number"
    case .value(.text): "text"
    case .value(.bytes): "bytes"
    case .object: "an object"
    case .collection: "a collection"
    }
  }
}
