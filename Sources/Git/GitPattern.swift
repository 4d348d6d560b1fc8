/// A pattern for the names of tags or the paths of files.
///
/// `*` is any text, `?` one character, `[a-c]` and `[!a-c]` one of a set. In paths, none of them matches a slash, and
/// `**` is any text with slashes. Everything else is literal, and `\` makes the next character literal. The whole name
/// must match.
///
/// ```swift
/// GitPattern(tags: "v*").matches("v1.2")                      // true
/// GitPattern(tags: "*").matches("ios/2.0")                    // true
/// GitPattern(paths: "Old/*.sqlite").matches("Old/a.sqlite")   // true
/// GitPattern(paths: "*.sqlite").matches("Old/a.sqlite")       // false
/// ```
///
/// Matching takes time in proportion to the length of the pattern times that of the name.
package struct GitPattern: Sendable, Hashable {
  private enum Part: Sendable, Hashable {
    case literal(Unicode.Scalar)
    case anyCharacter
    case set([ClosedRange<Unicode.Scalar>], isInverted: Bool)
    case anyText(crossesSlashes: Bool)
  }

  private var parts: [Part] = []
  /// The character that only `**` and itself match; `nil` if there is none.
  private let separator: Unicode.Scalar?

  /// A pattern for the names of tags.
  package init(tags pattern: String) { self.init(pattern, separator: nil) }

  /// A pattern for the paths of files.
  package init(paths pattern: String) { self.init(pattern, separator: "/") }

  private init(_ pattern: String, separator: Unicode.Scalar?) {
    self.separator = separator
    var rest = pattern.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      switch scalar {
      case "*":
        let crossesSlashes = rest.first == "*"
        if crossesSlashes { rest.removeFirst() }
        parts.append(.anyText(crossesSlashes: crossesSlashes))
      case "?": parts.append(.anyCharacter)
      case "[": parts.append(Self.set(from: &rest))
      case "\\": parts.append(.literal(rest.popFirst() ?? scalar))
      default: parts.append(.literal(scalar))
      }
    }
  }

  /// A set whose opening bracket was read; without a closing one, the bracket is literal.
  private static func set(from rest: inout Substring.UnicodeScalarView) -> Part {
    var inner = rest
    let isInverted = inner.first == "!" || inner.first == "^"
    if isInverted { inner.removeFirst() }
    var ranges: [ClosedRange<Unicode.Scalar>] = []
    while let scalar = inner.popFirst() {
      if scalar == "]", !ranges.isEmpty {
        rest = inner
        return .set(ranges, isInverted: isInverted)
      }
      let ahead = inner.prefix(2)
      if ahead.first == "-", let end = ahead.last, ahead.count == 2, end != "]", scalar <= end {
        inner = inner.dropFirst(2)
        ranges.append(scalar...end)
      } else {
        ranges.append(scalar...scalar)
      }
    }
    return .literal("[")
  }

  /// Follows all ways through the pattern at once.
  package func matches(_ name: String) -> Bool {
    var reached = Set([0])
    extend(&reached)
    for scalar in name.unicodeScalars {
      var next: Set<Int> = []
      for index in reached where index < parts.count {
        switch parts[index] {
        case .anyText(let crossesSlashes):
          if crossesSlashes || scalar != separator { next.insert(index) }
        case let part:
          if matches(part, scalar) { next.insert(index + 1) }
        }
      }
      extend(&next)
      reached = next
    }
    return reached.contains(parts.count)
  }

  /// Adds what is reached by the empty text.
  private func extend(_ reached: inout Set<Int>) {
    for start in reached {
      var index = start
      while index < parts.count, case .anyText = parts[index], reached.insert(index + 1).inserted {
        index += 1
      }
    }
  }

  private func matches(_ part: Part, _ scalar: Unicode.Scalar) -> Bool {
    switch part {
    case .literal(let wanted): wanted == scalar
    case .anyCharacter: scalar != separator
    case .set(let ranges, let isInverted):
      scalar != separator && ranges.contains { $0.contains(scalar) } != isInverted
    case .anyText: false
    }
  }
}
