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

  static func contains(_ text: String, _ part: String) -> Bool {
    let (text, part) = (Array(text.utf8), Array(part.utf8))
    guard !part.isEmpty else { return false }
    guard part.count <= text.count else { return false }
    return text.firstRange(of: part) != nil
  }

  /// Whether a pattern with `?` for one character and `*` for any number is the whole text. A backslash
  /// takes the meaning from what follows it.
  ///
  /// Never more than text times pattern steps: after a star, only the last one is tried again.
  static func isLike(_ text: String, _ pattern: String) -> Bool {
    let letters = Array(text.unicodeScalars)
    let parts = wildcards(in: pattern)
    var (place, part) = (0, 0)
    var star: (part: Int, place: Int)?
    while place < letters.count {
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
public enum RegularExpressionText {
  /// Whether MATCHES can take it.
  public static func isValid(_ pattern: String) -> Bool {
    pattern.utf8.count <= 10_000 && (try? NSRegularExpression(pattern: pattern)) != nil
  }
}

/// The regular expressions of an evaluation, each compiled once.
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
  private static let interval = 10_000

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
