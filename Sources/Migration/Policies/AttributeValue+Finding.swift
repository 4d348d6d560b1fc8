internal import StrataBase
internal import StrataExpressions
internal import StrataObjectModel

extension AttributeValue {
  /// The stored value of an attribute that a value finds: a text stands for the date or the UUID with which it is
  /// compared, as in a predicate.
  func finding(in type: AttributeType) -> AttributeValue {
    switch (self, type) {
    case (.text(let text), .date): TextualValue.date(text).map { .real($0) } ?? self
    case (.text(let text), .uuid): TextualValue.uuid(text).map { .bytes($0) } ?? self
    default: converted(to: type)
    }
  }
}
