/// What may stand at the cursor of a command line.
///
/// ```swift
/// session.completion(of: "hash sample:T")?.candidates.map(\.text)  // ["sample:Topics"]
/// ```
package struct Completion: Sendable, Hashable {
  /// What comes after a candidate.
  package enum Ending: Sendable, Hashable {
    /// The next word.
    case whole
    /// The next word, or a dot: an entity and its property.
    case mayGoOn
    /// More of the word: a folder.
    case goesOn
  }

  /// A word that fits.
  package struct Candidate: Sendable, Hashable {
    /// The word without quotes.
    package var text: String
    package var ending: Ending

    init(_ text: String, _ ending: Ending = .whole) {
      self.text = text
      self.ending = ending
    }

    /// The part to show in a list: what stands behind the last `/` or `.` that all candidates share.
    package func shown(after shared: Int) -> String { String(text.dropFirst(shared)) }
  }

  /// The bytes of the line that the word being typed takes.
  package var range: Range<Int>
  /// The word being typed, without quotes.
  package var typed: String
  /// Sorted, none twice.
  package var candidates: [Candidate]

  /// The text to put in place of the word; `nil` where the candidates have nothing more in common than
  /// what is there.
  package var replacement: String? {
    guard let first = candidates.first else { return nil }
    if candidates.count == 1 {
      return switch first.ending {
      case .whole: CommandLineLexer.quoted(first.text) + " "
      case .mayGoOn: CommandLineLexer.quoted(first.text)
      case .goesOn: Self.open(first.text)
      }
    }
    let shared = candidates.dropFirst().reduce(first.text) { $0.commonPrefix(with: $1.text) }
    // Letters of another case are corrected too, but nothing that is there is taken away.
    guard shared.count > typed.count || (shared.count == typed.count && shared != typed) else {
      return nil
    }
    // A quote that any of them will need is opened at once.
    let needsQuote = candidates.contains { CommandLineLexer.quoted($0.text).hasPrefix("'") }
    let word = Self.open(shared)
    return needsQuote && word == shared ? "'" + shared : word
  }

  /// How many characters of each candidate a list need not repeat: up to the last `/` or `.` in what
  /// was typed.
  package var sharedCount: Int {
    typed.lastIndex { $0 == "/" || $0 == "." || $0 == "+" }
      .map { typed.distance(from: typed.startIndex, to: $0) + 1 } ?? 0
  }

  /// A word that goes on: where it needs quotes, they stay open.
  private static func open(_ text: String) -> String {
    let quoted = CommandLineLexer.quoted(text)
    return quoted.hasPrefix("'") ? String(quoted.dropLast()) : quoted
  }
}

extension String {
  fileprivate func commonPrefix(with other: String) -> String {
    String(zip(self, other).prefix { $0 == $1 }.map(\.0))
  }
}
