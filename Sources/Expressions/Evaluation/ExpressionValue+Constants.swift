internal import StrataBase

extension ExpressionValue {
  /// The value of a text constant that is compared with a date, a UUID or an object: that date, the bytes, or the key.
  /// Other values are as they are, and a list is converted element by element.
  ///
  /// Where the model tells the kinds of all values, constants are converted before an evaluation, and this has nothing
  /// to do.
  func converted(from expression: Expression, besides other: ExpressionValue) -> ExpressionValue {
    switch (expression, self) {
    case (.constant(.text(let text)), _):
      return other.firstValue.flatMap { Self.constant(text, comparedWith: $0) } ?? self
    case (.collection(let parts), .collection(let elements, let isOrdered))
    where parts.count == elements.count:
      return .collection(
        zip(parts, elements).map { $1.converted(from: $0, besides: other) }, isOrdered: isOrdered)
    default: return self
    }
  }

  /// The value, or the first one in the collection, that is not nil.
  private var firstValue: ExpressionValue? {
    guard case .collection(let elements, _) = self else { return isNull ? nil : self }
    return elements.lazy.compactMap(\.firstValue).first
  }

  private static func constant(
    _ text: String, comparedWith sample: ExpressionValue
  ) -> ExpressionValue? {
    switch sample {
    case .value(.integer), .value(.real): TextualValue.date(text).map { .value(.real($0)) }
    case .value(.bytes): TextualValue.uuid(text).map { .value(.bytes($0)) }
    case .object: TextualValue.object(text).map { .value(.integer($0.key)) }
    case .value, .collection: nil
    }
  }
}
