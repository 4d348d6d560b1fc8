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
    /// Whether it is an expectation that is met.
    public let isMetExpectation: Bool
    /// Whether the answer would be another on a faster machine, or at another time: it is never recorded.
    public let dependsOnTime: Bool
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

  /// The fingerprints to keep in the document, by index of the entry, when it takes some outputs.
  ///
  /// An answer's fingerprint belongs to the output that it fits. Where an answer is refused, or taken in
  /// part, the document still expects another one, whose fingerprint is not that of this answer.
  ///
  /// - Parameter taken: The outputs that the document takes, by the same index.
  public func digests(taking taken: [Int: RecordedOutput]) -> [Int: AnswerDigest] {
    Dictionary(
      uniqueKeysWithValues: results.enumerated().compactMap { index, result in
        guard let digest = result.digest,
          let expected = taken[index] ?? result.entry.recorded,
          expected.compare(to: result.actual) == nil
        else { return nil }
        return (index, digest)
      })
  }

  /// The same answers compared with another recording of the same commands.
  public func compared(with document: SessionDocument) -> ReplayReport {
    precondition(document.entries.count == results.count, "another document")
    var answers = results.map(\.answer)[...]
    return SessionReplay.run(document) { _ in answers.removeFirst() }
  }

  private func count(_ isWanted: (Verdict) -> Bool) -> Int {
    results.reduce(0) { $0 + (isWanted($1.verdict) ? 1 : 0) }
  }
}

extension ReplayReport.Result {
  fileprivate var answer: SessionAnswer {
    var answer = SessionAnswer(actual, digest: digest)
    answer.isFailure = isFailure
    answer.isMetExpectation = isMetExpectation
    answer.dependsOnTime = dependsOnTime
    return answer
  }
}
