internal import StrataBase
internal import StrataExpressions

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

  /// The value; `nil` if the attribute is unchanged.
  func value(of found: [AttributeValue]) -> AttributeValue? {
    switch rule {
    case .first: return found[0]
    case .part(let number, let count, let mark):
      guard case .text(let text) = found[0] else { return nil }
      return Self.part(number, of: text, at: mark, count: count).map { .text($0) } ?? .null
    case .joined(let mark):
      let texts = found.compactMap { if case .text(let text) = $0 { text } else { nil } }
      return texts.isEmpty ? .null : .text(texts.joined(separator: mark))
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
