/// What a replay found, command by command.
///
/// ```swift
/// report.isSame            // false
/// report.differing         // 1
/// for result in report.results {
///   if case .differs(let difference, _) = result.verdict { print(difference.unified()) }
/// }
/// ```
public struct ReplayReport: Sendable, Hashable {
  public enum Verdict: Sendable, Hashable {
    /// The output fits the recorded one.
    case same
    /// The output differs; where the document keeps fingerprints, it is known in what.
    case differs(OutputDifference, Change?)
    /// There is nothing to compare with.
    case notRecorded
  }

  /// In what an output differs.
  public enum Change: String, Sendable, Hashable, Codable {
    /// The data behind it are the same: it is only told in other words.
    case wording
    /// The data behind it differ.
    case answer
  }

  /// One command's answer and what became of it.
  public struct Result: Sendable, Hashable {
    public let entry: SessionEntry
    public let actual: RecordedOutput
    public let digest: AnswerDigest?
    /// Whether the answer is wrong whatever was recorded.
    public let isFailure: Bool
    public let verdict: Verdict
  }

  /// In the order of the document's entries, as many as these.
  public let results: [Result]

  /// How many fit.
  public var same: Int { count { $0 == .same } }
  /// How many differ, in words alone too.
  public var differing: Int { count { if case .differs = $0 { true } else { false } } }
  /// How many had nothing recorded.
  public var notRecorded: Int { count { $0 == .notRecorded } }
  /// Whether none differs; commands that were not recorded don't count.
  public var isSame: Bool { differing == 0 }

  /// Every answer by index of the entry, for ``SessionDocument/recording(_:)``.
  public var outputs: [Int: RecordedOutput] {
    Dictionary(uniqueKeysWithValues: results.enumerated().map { ($0.offset, $0.element.actual) })
  }

  /// Every fingerprint by index of the entry.
  public var digests: [Int: AnswerDigest] {
    Dictionary(
      uniqueKeysWithValues: results.enumerated().compactMap { index, result in
        result.digest.map { (index, $0) }
      })
  }

  private func count(_ isWanted: (Verdict) -> Bool) -> Int {
    results.reduce(0) { $0 + (isWanted($1.verdict) ? 1 : 0) }
  }
}
