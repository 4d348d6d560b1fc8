/// The completions at the cursor of a command line.
///
/// ```swift
/// let session = Session(folder: ".")
/// session.completion(of: "hash sample:T")?.candidates.map(\.text)  // ["sample:Topics", "sample:Topics/Model1", …]
/// ```
package struct Completion: Sendable, Hashable {
  /// What follows a candidate.
  package enum Ending: Sendable, Hashable {
    /// The next word.
    case whole
    /// The next word or a dot: an entity can be followed by a property.
    case mayContinue
    /// More of the word: a folder.
    case continues
  }

  /// A word that matches.
  package struct Candidate: Sendable, Hashable {
    /// The word without quotes.
    package var text: String
    package var ending: Ending

    init(_ text: String, _ ending: Ending = .whole) {
      self.text = text
      self.ending = ending
    }

    /// The part to show in a list: the text after the last `/` or `.` that all candidates share.
    package func shown(after shared: Int) -> String { String(text.dropFirst(shared)) }
  }

  /// The range of the word being typed, in UTF-8 bytes of the line.
  package var range: Range<Int>
  /// The word being typed, without quotes.
  package var typed: String
  /// Sorted, without duplicates.
  package var candidates: [Candidate]

  /// The replacement of the word; `nil` if the candidates have no longer common prefix.
  package var replacement: String? {
    guard let first = candidates.first else { return nil }
    if candidates.count == 1 {
      return switch first.ending {
      case .whole: CommandLineLexer.quoted(first.text) + " "
      case .mayContinue: CommandLineLexer.quoted(first.text)
      case .continues: Self.open(first.text)
      }
    }
    let shared = candidates.dropFirst().reduce(first.text) { $0.commonPrefix(with: $1.text) }
    // The case of letters is corrected, but typed characters are not removed.
    guard shared.count > typed.count || (shared.count == typed.count && shared != typed) else {
      return nil
    }
    // If any candidate needs a quote, the quote is opened now.
    let needsQuote = candidates.contains { CommandLineLexer.quoted($0.text).hasPrefix("'") }
    let word = Self.open(shared)
    return needsQuote && word == shared ? "'" + shared : word
  }

  /// The number of leading characters that a list omits: up to the last `/` or `.` of the typed word.
  package var sharedCount: Int {
    typed.lastIndex { $0 == "/" || $0 == "." || $0 == "+" }
      .map { typed.distance(from: typed.startIndex, to: $0) + 1 } ?? 0
  }

  /// A word that can be continued: if it needs quotes, they stay open.
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
