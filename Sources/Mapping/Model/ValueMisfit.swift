package import StrataBase
package import StrataExpressions
package import StrataObjectModel

/// What an expression returns and what an attribute requires, in words.
package typealias ValueMisfit = (gives: String, wants: String)

extension ObjectModel {
  /// Why an attribute does not take what an expression of a mapping model can return; `nil` if it takes it, as far as
  /// the models tell: a number is no date, although both are stored as numbers.
  ///
  /// - Parameter entity: The entity of `$source`; `nil` for an entity mapping without a source.
  package func misfit(
    of expression: Expression, from entity: String?, in type: AttributeType
  ) -> ValueMisfit? {
    let variables = ["source": entity.map { ValueKind.object($0) } ?? .nothing]
    return expression.outcomes.lazy.compactMap { outcome in
      let kind = try? self.kind(of: outcome, variables: variables)
      return self.misfit(of: outcome, kind: kind ?? .unknown, from: entity, in: type)
    }.first
  }

  /// The same for an expression without branches, and the kind of its value.
  func misfit(
    of outcome: Expression, kind: ValueKind, from entity: String?, in type: AttributeType
  ) -> ValueMisfit? {
    let wanted = ValueKind(type)
    if kind.isMany { return ("a collection", wanted.description) }
    guard kind.isAssignable(to: wanted) else { return (kind.description, wanted.description) }
    if let old = copiedType(by: outcome, from: entity) {
      return type.takes(old) ? nil : ValueKind.difference(between: old, and: type)
    }
    // A text is no NSURL.
    return type == .uri && outcome.isNewText ? (kind.description, type.name) : nil
  }

  /// The type of the attribute that an expression copies, if it does nothing else.
  private func copiedType(by expression: Expression, from entity: String?) -> AttributeType? {
    guard case .keyPath(of: .variable("source"), let keys) = expression, let entity else {
      return nil
    }
    return storedType(of: keys.joined(separator: "."), in: entity)
  }
}

extension Expression {
  /// Whether it is a text, or makes one from another.
  fileprivate var isNewText: Bool {
    switch self {
    case .constant(.text), .function("uppercase:", _, _), .function("lowercase:", _, _),
      .function("canonical:", _, _), .function("stringByAppendingString:", _, _):
      true
    case .function("castObject:toType:", _, let arguments):
      arguments.last == .constant(.text("NSString"))
    default: false
    }
  }
}
