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
    /// More words in the same quotes: a condition.
    case phrase
  }

  /// A word that matches.
  package struct Candidate: Sendable, Hashable {
    /// The word without quotes.
    package var text: String
    package var ending: Ending
    /// What it does, if it is a command or an option.
    package var summary: String?
    /// The number of leading characters that a list omits, since they say where the name stands: a folder, a model.
    fileprivate var placeCount: Int

    /// - Parameter place: The beginning of the text that is not part of the name.
    init(
      _ text: String, _ ending: Ending = .whole, after place: String = "", summary: String? = nil
    ) {
      self.summary = summary
      self.text = text
      self.ending = ending
      placeCount = place.count
    }

    /// The candidate after another beginning.
    func after(_ beginning: String) -> Self {
      var candidate = self
      candidate.text = beginning + text
      candidate.placeCount += beginning.count
      return candidate
    }

    /// The whole name, for a list.
    package var name: String { String(text.dropFirst(placeCount)) }
  }

  /// The range of the word being typed, in UTF-8 bytes of the line.
  package var range: Range<Int>
  /// The word being typed, without quotes.
  package var typed: String
  /// Sorted, without duplicates.
  package var candidates: [Candidate]
  /// The word as it is typed, and the quote that is open at its end.
  var raw: String
  var quote: CommandLineLexer.OpenQuote?

  /// The replacement of the word; `nil` if the candidates have no longer common prefix.
  package var replacement: String? {
    guard let first = candidates.first else { return nil }
    if candidates.count == 1 {
      return switch first.ending {
      case .whole: word(first.text) + " "
      case .mayContinue: word(first.text)
      case .continues: word(first.text, isOpen: true)
      case .phrase: word(first.text + " ", isOpen: true)
      }
    }
    let shared = candidates.dropFirst().reduce(first.text) { $0.commonPrefix(with: $1.text) }
    // The case of letters is corrected, but typed characters are not removed.
    guard shared.count > typed.count || (shared.count == typed.count && shared != typed) else {
      return nil
    }
    // If all candidates need a quote, it is opened now.
    let needsQuote = candidates.allSatisfy { CommandLineLexer.quoted($0.text) != $0.text }
    return word(shared, isOpen: true, needsQuote: needsQuote)
  }

  /// A text that replaces the typed word; what is typed already, and its quote, stays.
  ///
  /// - Parameter isOpen: Whether the word can be continued: its quote stays open.
  private func word(_ text: String, isOpen: Bool = false, needsQuote: Bool = false) -> String {
    let rest =
      text.utf8.starts(with: typed.utf8)
      ? String(decoding: text.utf8.dropFirst(typed.utf8.count), as: UTF8.self) : nil
    if let quote,
      let word = rest.flatMap(quote.escaped).map({ raw + $0 })
        ?? quote.escaped(text).map({ quote.opening + $0 })
    {
      return word + (isOpen ? "" : quote.closing)
    }
    if quote == nil, !needsQuote, let rest, rest.isEmpty || CommandLineLexer.quoted(rest) == rest,
      !raw.isEmpty || !rest.isEmpty, !raw.hasSuffix("\\")
    {
      return raw + rest
    }
    let quoted = CommandLineLexer.quoted(text)
    if isOpen, quoted != text { return String(quoted.dropLast()) }
    return needsQuote && quoted == text ? "'" + text : quoted
  }
}

extension String {
  fileprivate func commonPrefix(with other: String) -> String {
    var prefix = String.UnicodeScalarView()
    for (own, other) in zip(unicodeScalars, other.unicodeScalars) {
      guard own == other else { break }
      prefix.append(own)
    }
    return String(prefix)
  }
}
