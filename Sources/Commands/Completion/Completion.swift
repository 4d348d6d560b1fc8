/// What may stand at the cursor of a command line.
///
/// ```swift
/// session.completion(of: "hash sample:T")?.candidates.map(\.text)  // ["sample:Topics"]
/// ```
public struct Completion: Sendable, Hashable {
  /// A whole word that fits.
  public struct Candidate: Sendable, Hashable {
    /// The word without quotes.
    public var text: String
    /// Whether the word is whole: a folder may go on.
    public var isWhole: Bool

    init(_ text: String, isWhole: Bool = true) {
      self.text = text
      self.isWhole = isWhole
    }

    /// The part to show in a list: what stands behind the last `/` or `.` that all candidates share.
    public func shown(after shared: Int) -> String { String(text.dropFirst(shared)) }
  }

  /// The bytes of the line that the word being typed takes.
  public var range: Range<Int>
  /// The word being typed, without quotes.
  public var typed: String
  /// Sorted, none twice.
  public var candidates: [Candidate]

  /// The text to put in place of the word; `nil` where the candidates have nothing more in common than
  /// what is there.
  public var replacement: String? {
    guard let first = candidates.first else { return nil }
    if candidates.count == 1 {
      let word = first.isWhole ? CommandLineLexer.quoted(first.text) : Self.open(first.text)
      return first.isWhole ? word + " " : word
    }
    let shared = candidates.dropFirst().reduce(first.text) { $0.commonPrefix(with: $1.text) }
    // Letters of another case are corrected too, but nothing that is there is taken away.
    guard shared.count > typed.count || (shared.count == typed.count && shared != typed) else {
      return nil
    }
    return Self.open(shared)
  }

  /// How many characters of each candidate a list need not repeat: up to the last `/` or `.` in what
  /// was typed.
  public var sharedCount: Int {
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
