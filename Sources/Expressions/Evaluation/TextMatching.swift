internal import StrataBase

/// Compares texts for `[c]`, `[d]`, LIKE and MATCHES.
enum TextMatching {
  /// The folded text. Canonically equivalent texts, which are different otherwise, are folded to the same text.
  static func folded(_ text: String, case ignoresCase: Bool, diacritics ignoresDiacritics: Bool)
    -> String
  {
    guard ignoresCase || ignoresDiacritics else { return text }
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return ignoresCase ? text.lowercased() : text }
    return text.folded(case: ignoresCase, diacritics: ignoresDiacritics)
  }

  /// Whether a text contains another, which must not be empty.
  ///
  /// At most twice as many steps as bytes, by the Knuth-Morris-Pratt algorithm.
  static func contains(_ text: String, _ part: String) -> Bool {
    let part = Array(part.utf8)
    guard !part.isEmpty, part.count <= text.utf8.count else { return false }
    // For each number of bytes, the length of the longest proper prefix that is also a suffix.
    var overlaps = [0]
    overlaps.reserveCapacity(part.count)
    var length = 0
    func extended(by byte: UInt8) -> Int {
      while length > 0, part[length] != byte { length = overlaps[length - 1] }
      return part[length] == byte ? length + 1 : 0
    }
    for byte in part.dropFirst() {
      length = extended(by: byte)
      overlaps.append(length)
    }
    length = 0
    for byte in text.utf8 {
      length = extended(by: byte)
      if length == part.count { return true }
    }
    return false
  }

  /// Whether a pattern matches the whole text: `?` is one character, `*` any number of them. A backslash escapes
  /// the next character.
  ///
  /// At most text length times pattern length steps: only the last star is retried.
  ///
  /// - Parameter count: Is called every few thousand steps; an error ends the search.
  static func isLike<Failure>(
    _ text: String, _ pattern: String, counting count: (Int) throws(Failure) -> Void
  ) throws(Failure) -> Bool {
    let letters = Array(text.unicodeScalars)
    let parts = wildcards(in: pattern)
    var (index, part) = (0, 0)
    var star: (part: Int, index: Int)?
    var steps = 0
    while index < letters.count {
      steps += 1
      if steps == PatternCache.interval {
        try count(steps)
        steps = 0
      }
      if part < parts.count, parts[part] == .any {
        star = (part, index)
        part += 1
      } else if part < parts.count, parts[part].fits(letters[index]) {
        index += 1
        part += 1
      } else if let last = star {
        star = (last.part, last.index + 1)
        (index, part) = (last.index + 1, last.part + 1)
      } else {
        return false
      }
    }
    return parts[part...].allSatisfy { $0 == .any }
  }

  private enum Wildcard: Equatable {
    case any, one
    case letter(Unicode.Scalar)

    func fits(_ letter: Unicode.Scalar) -> Bool {
      switch self {
      case .any, .one: true
      case .letter(let own): own == letter
      }
    }
  }

  private static func wildcards(in pattern: String) -> [Wildcard] {
    var wildcards: [Wildcard] = []
    var isEscaped = false
    for scalar in pattern.unicodeScalars {
      switch scalar {
      case _ where isEscaped:
        wildcards.append(.letter(scalar))
        isEscaped = false
      case "\\": isEscaped = true
      case "*": wildcards.append(.any)
      case "?": wildcards.append(.one)
      default: wildcards.append(.letter(scalar))
      }
    }
    return wildcards
  }
}

/// Text of regular expressions.
package enum RegularExpressionText {
  /// Whether it is a valid pattern for MATCHES.
  package static func isValid(_ pattern: String) -> Bool {
    pattern.utf8.count <= 10_000 && RegularExpression(pattern) != nil
  }
}

/// The patterns of an evaluation: regular expressions, each compiled once, and LIKE patterns.
final class PatternCache {
  private struct Key: Hashable {
    var pattern: ExactText
    var ignoresCase: Bool
  }

  private var compiled: [Key: RegularExpression] = [:]

  private let visits: VisitCounter
  /// The steps so far, counted in units of ``interval``.
  private(set) var steps = 0

  /// Steps after which ICU reports progress: it counts backtracking points, not time.
  fileprivate static let interval = 10_000

  init(_ visits: VisitCounter) {
    self.visits = visits
  }

  /// Whether a regular expression matches the whole text.
  ///
  /// - Throws: ``ExpressionError``, and ``BudgetSpent`` if the command must end.
  func matches(_ text: String, _ pattern: String, ignoresCase: Bool) throws -> Bool {
    let expression = try expression(pattern, ignoresCase: ignoresCase)
    let limit = visits.patternLimit ?? .max
    var stepCount = 0
    var stopped: BudgetSpent?
    let isMatch = expression.matches(text) {
      stepCount += Self.interval
      do throws(BudgetSpent) {
        try visits.noteSteps(Self.interval)
      } catch {
        stopped = error
      }
      return stopped == nil && stepCount <= limit && !Interruption.isRequested
    }
    steps += stepCount
    if let stopped { throw stopped }
    try Interruption.check()
    guard let isMatch else { throw ExpressionError(.patternTooSlow(pattern)) }
    return isMatch
  }

  /// Whether a text matches a LIKE pattern: see ``TextMatching/isLike(_:_:counting:)``.
  ///
  /// - Throws: ``ExpressionError``, and ``BudgetSpent`` if the command must end.
  func isLike(_ text: String, _ pattern: String) throws -> Bool {
    let limit = visits.patternLimit ?? .max
    var stepCount = 0
    defer { steps += stepCount }
    return try TextMatching.isLike(text, pattern) { count in
      stepCount += count
      guard stepCount <= limit else { throw ExpressionError(.patternTooSlow(pattern)) }
      try visits.noteSteps(count)
      try Interruption.check()
    }
  }

  private func expression(
    _ pattern: String, ignoresCase: Bool
  ) throws(ExpressionError) -> RegularExpression {
    let key = Key(pattern: ExactText(pattern), ignoresCase: ignoresCase)
    if let known = compiled[key] { return known }
    // First without the added parentheses: they must not balance a stray one.
    guard RegularExpressionText.isValid(pattern),
      let expression = RegularExpression("\\A(?:\(pattern))\\z", ignoresCase: ignoresCase)
    else { throw ExpressionError.ofValue(.badPattern(pattern)) }
    compiled[key] = expression
    return expression
  }
}
