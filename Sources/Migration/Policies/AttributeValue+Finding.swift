internal import StrataBase
internal import StrataExpressions
internal import StrataObjectModel

extension AttributeValue {
  /// The stored value of an attribute that a value finds: a text stands for the date or the UUID with which it is
  /// compared, as in a predicate. A number that the attribute cannot have stays as it is, and finds nothing.
  func finding(in type: AttributeType) -> AttributeValue {
    switch (self, type) {
    case (.text(let text), .date): TextualValue.date(text).map { .real($0) } ?? self
    case (.text(let text), .uuid): TextualValue.uuid(text).map { .bytes($0) } ?? self
    default: type.fit(of: self).loss(in: type) == nil ? converted(to: type) : self
    }
  }
}
