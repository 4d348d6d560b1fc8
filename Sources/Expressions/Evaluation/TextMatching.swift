internal import Foundation
internal import StrataBase

/// Compares texts as `[c]`, `[d]`, LIKE and MATCHES want it.
enum TextMatching {
  /// The text as far as it counts. Canonically equivalent texts, which are different otherwise, give the
  /// same one.
  static func folded(_ text: String, case ignoresCase: Bool, diacritics ignoresDiacritics: Bool)
    -> String
  {
    guard ignoresCase || ignoresDiacritics else { return text }
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return ignoresCase ? text.lowercased() : text }
    var options: String.CompareOptions = []
    if ignoresCase { options.insert(.caseInsensitive) }
    if ignoresDiacritics { options.insert(.diacriticInsensitive) }
    return text.folding(options: options, locale: nil).precomposedStringWithCanonicalMapping
  }

  /// Whether a text holds a part, which no empty text is.
  ///
  /// Never more than twice as many steps as both have bytes, by the algorithm of Knuth, Morris and Pratt.
  static func contains(_ text: String, _ part: String) -> Bool {
    let part = Array(part.utf8)
    guard !part.isEmpty, part.count <= text.utf8.count else { return false }
    // By number of bytes, how many of the first ones are also the last ones.
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

  /// Whether a pattern with `?` for one character and `*` for any number is the whole text. A backslash
  /// takes the meaning from what follows it.
  ///
  /// Never more than text times pattern steps: after a star, only the last one is tried again.
  ///
  /// - Parameter count: Hears of steps, some thousand at a time; what it throws ends the search.
  static func isLike<Failure>(
    _ text: String, _ pattern: String, counting count: (Int) throws(Failure) -> Void
  ) throws(Failure) -> Bool {
    let letters = Array(text.unicodeScalars)
    let parts = wildcards(in: pattern)
    var (place, part) = (0, 0)
    var star: (part: Int, place: Int)?
    var steps = 0
    while place < letters.count {
      steps += 1
      if steps == PatternCache.interval {
        try count(steps)
        steps = 0
      }
      if part < parts.count, parts[part] == .any {
        star = (part, place)
        part += 1
      } else if part < parts.count, parts[part].fits(letters[place]) {
        place += 1
        part += 1
      } else if let last = star {
        star = (last.part, last.place + 1)
        (place, part) = (last.place + 1, last.part + 1)
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

/// Regular expressions as text.
package enum RegularExpressionText {
  /// Whether MATCHES can take it.
  package static func isValid(_ pattern: String) -> Bool {
    pattern.utf8.count <= 10_000 && (try? NSRegularExpression(pattern: pattern)) != nil
  }
}

/// The patterns of an evaluation: regular expressions, each compiled once, and those of LIKE.
final class PatternCache {
  private struct Key: Hashable {
    var pattern: ExactText
    var ignoresCase: Bool
  }

  private var compiled: [Key: NSRegularExpression] = [:]

  private let visits: VisitCounter
  /// Steps that have been taken so far, as far as they are counted: by ``interval``.
  private(set) var steps = 0

  /// Steps after which ICU reports progress: it counts where it may have to come back to, and not time.
  fileprivate static let interval = 10_000

  init(_ visits: VisitCounter) {
    self.visits = visits
  }

  /// Whether a regular expression is the whole text.
  ///
  /// - Throws: ``ExpressionError``, and ``BudgetSpent`` where the command must end.
  func matches(_ text: String, _ pattern: String, ignoresCase: Bool) throws -> Bool {
    let expression = try expression(pattern, ignoresCase: ignoresCase)
    let limit = visits.patternLimit ?? .max
    var taken = 0
    var isMatch = false
    var hasFailed = false
    var stopped: BudgetSpent?
    let range = NSRange(location: 0, length: text.utf16.count)
    expression.enumerateMatches(in: text, options: [.reportProgress, .anchored], range: range) {
      match, flags, stop in
      if match != nil { isMatch = true }
      if flags.contains(.progress) { taken += Self.interval }
      // ICU's own limit, of its stack.
      hasFailed = hasFailed || flags.contains(.internalError) || taken > limit
      do throws(BudgetSpent) {
        if flags.contains(.progress) { try self.visits.noteSteps(Self.interval) }
      } catch {
        stopped = error
      }
      if isMatch || hasFailed || stopped != nil || Interruption.isRequested { stop.pointee = true }
    }
    steps += taken
    if let stopped { throw stopped }
    guard !hasFailed || isMatch else { throw ExpressionError(.patternTooSlow(pattern)) }
    return isMatch
  }

  /// Whether a text is like a pattern: see ``TextMatching/isLike(_:_:counting:)``.
  ///
  /// - Throws: ``ExpressionError``, and ``BudgetSpent`` where the command must end.
  func isLike(_ text: String, _ pattern: String) throws -> Bool {
    let limit = visits.patternLimit ?? .max
    var taken = 0
    defer { steps += taken }
    return try TextMatching.isLike(text, pattern) { count in
      taken += count
      guard taken <= limit else { throw ExpressionError(.patternTooSlow(pattern)) }
      try visits.noteSteps(count)
      try Interruption.check()
    }
  }

  private func expression(
    _ pattern: String, ignoresCase: Bool
  ) throws(ExpressionError) -> NSRegularExpression {
    let key = Key(pattern: ExactText(pattern), ignoresCase: ignoresCase)
    if let known = compiled[key] { return known }
    // Alone first: a stray parenthesis must not be mended by those around it.
    guard RegularExpressionText.isValid(pattern),
      let expression = try? NSRegularExpression(
        pattern: "\\A(?:\(pattern))\\z", options: ignoresCase ? .caseInsensitive : [])
    else { throw ExpressionError.ofValue(.badPattern(pattern)) }
    compiled[key] = expression
    return expression
  }
}
