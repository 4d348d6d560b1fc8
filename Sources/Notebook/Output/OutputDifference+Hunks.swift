internal import StrataBase

extension OutputDifference {
  /// The changes with surrounding lines, as in a unified diff; empty if only the statuses differ.
  ///
  /// - Parameter context: The number of unchanged lines to show before and after a change. Adjacent hunks are
  ///   merged.
  package func hunks(context: Int = 3) -> [OutputHunk] {
    var ranges: [Range<Int>] = []
    for index in lines.indices where lines[index].isChange {
      let lower = index - min(index, context)
      let upper = index + 1 + min(lines.count - index - 1, context)
      if let last = ranges.last, last.upperBound >= lower {
        ranges[ranges.count - 1] = last.lowerBound..<upper
      } else {
        ranges.append(lower..<upper)
      }
    }
    var hunks: [OutputHunk] = []
    var (done, expected, actual) = (0, 0, 0)
    for range in ranges {
      expected += lines[done..<range.lowerBound].reduce(0) { $0 + $1.expectedLines }
      actual += lines[done..<range.lowerBound].reduce(0) { $0 + $1.actualLines }
      let expectedCount = lines[range].reduce(0) { $0 + $1.expectedLines }
      let actualCount = lines[range].reduce(0) { $0 + $1.actualLines }
      hunks.append(
        OutputHunk(
          expectedStart: expectedCount == 0 ? expected : expected + 1, expectedCount: expectedCount,
          actualStart: actualCount == 0 ? actual : actual + 1, actualCount: actualCount,
          lines: Array(lines[range]), range: range))
      (done, expected, actual) = (range.upperBound, expected + expectedCount, actual + actualCount)
    }
    return hunks
  }

  /// The difference as lines to print: hunks, then `-? 0` and `+? 1` if the statuses differ.
  ///
  /// A matching line is shown as in the expectation.
  package func unified(context: Int = 3) -> [String] {
    hunks(context: context).flatMap(\.unified) + unifiedStatus
  }

  /// The exit statuses as lines to print; empty if they are equal.
  package var unifiedStatus: [String] {
    hasSameStatus ? [] : ["-? \(expectedStatus)", "+? \(actualStatus)"]
  }

  /// The expectation with some of the changes accepted.
  ///
  /// With all changes, it is ``RecordedOutput/rewritten(for:)``; with none, the old expectation.
  ///
  /// - Parameters:
  ///   - accepted: The indices of the accepted hunks in ``hunks(context:)``.
  ///   - takesStatus: Whether the exit status is that of the actual output.
  package func rewritten(
    accepting accepted: Set<Int>, takesStatus: Bool
  ) -> RecordedOutput {
    let refused = hunks().enumerated().filter { !accepted.contains($0.offset) }
      .map(\.element.range)
    let kept: [String] = lines.enumerated().compactMap { index, line in
      let isAccepted = !refused.contains { $0.contains(index) }
      return switch line {
      case .kept(let expected, _): expected
      case .removed(let text): isAccepted ? nil : text
      case .added(let text): isAccepted ? OutputMatcher.escaped(text) : nil
      case .elided: OutputMatcher.elision
      }
    }
    return RecordedOutput(lines: kept, status: takesStatus ? actualStatus : expectedStatus)
  }
}
