internal import StrataBase
internal import StrataExpressions
internal import StrataObjectModel

/// The value that a policy statement assigns to an attribute, computed from its expressions.
struct PolicyValue {
  enum Rule: Hashable {
    case first
    /// One of several parts of a string, from 0; the last is the rest.
    case part(Int, of: Int, at: String)
    /// The strings, joined with a separator.
    case joined(with: String)
  }

  let attribute: String
  let expressions: [Expression]
  let rule: Rule

  /// Whether the attribute has only this value; otherwise it may keep its own.
  var isAlwaysSet: Bool {
    if case .part = rule { false } else { true }
  }

  /// The value; `nil` if the attribute is unchanged, since there is nothing to split.
  ///
  /// - Throws: ``ExpressionError`` for a value to split or join that is not a string: it would be lost.
  func value(of found: [AttributeValue]) throws(ExpressionError) -> AttributeValue? {
    switch rule {
    case .first: return found[0]
    case .part(let number, let count, let mark):
      guard let text = try Self.text(found[0], of: "split") else { return nil }
      return Self.part(number, of: text, at: mark, count: count).map { .text($0) } ?? .null
    case .joined(let mark):
      var texts: [String] = []
      for value in found {
        if let text = try Self.text(value, of: "join") { texts.append(text) }
      }
      return texts.isEmpty ? .null : .text(texts.joined(separator: mark))
    }
  }

  /// The string that a statement reads; `nil` for a missing value.
  private static func text(
    _ value: AttributeValue, of statement: String
  ) throws(ExpressionError) -> String? {
    switch value {
    case .text(let text): return text
    case .null: return nil
    default:
      throw ExpressionError(
        .wrongOperand(
          operator: statement, wanted: "strings", found: ValueKind(value).description))
    }
  }

  private static func part(
    _ number: Int, of text: String, at mark: String, count: Int
  ) -> String? {
    guard !mark.isEmpty, count > 1, !text.isEmpty else {
      return number == 0 && !text.isEmpty ? text : nil
    }
    let (rest, mark) = (text.utf8, mark.utf8)
    guard let first = mark.first else { return nil }
    var (start, searchStart, passed) = (rest.startIndex, rest.startIndex, 0)
    while passed + 1 < count, let found = rest[searchStart...].firstIndex(of: first) {
      guard rest[found...].starts(with: mark) else {
        searchStart = rest.index(after: found)
        continue
      }
      if passed == number { return String(text[start..<found]) }
      passed += 1
      start = rest.index(found, offsetBy: mark.count)
      searchStart = start
    }
    return passed == number ? String(text[start...]) : nil
  }
}

extension PolicyScript.Verb {
  /// The assigned attribute values, all computed from the same expressions; empty for other statements.
  var values: [PolicyValue] {
    switch self {
    case .set(let name, let expression):
      [PolicyValue(attribute: name, expressions: [expression], rule: .first)]
    case .split(let expression, let mark, let names):
      names.enumerated().map { number, name in
        PolicyValue(
          attribute: name, expressions: [expression],
          rule: .part(number, of: names.count, at: mark))
      }
    case .join(let expressions, let mark, let name):
      [PolicyValue(attribute: name, expressions: expressions, rule: .joined(with: mark))]
    case .skip, .oneDestination, .relate, .keepFirst, .require, .make, .delete: []
    }
  }
}
