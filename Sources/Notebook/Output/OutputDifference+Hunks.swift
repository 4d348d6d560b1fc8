extension OutputDifference {
  /// The changes with the lines around them, as in a unified diff; none where only the statuses
  /// differ.
  ///
  /// - Parameter context: how many unchanged lines to show before and after a change. Hunks that
  ///   would touch are one.
  public func hunks(context: Int = 3) -> [OutputHunk] {
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
          lines: Array(lines[range])))
      (done, expected, actual) = (range.upperBound, expected + expectedCount, actual + actualCount)
    }
    return hunks
  }

  /// The difference as lines to print: hunks, then `-? 0` and `+? 1` where the statuses differ.
  ///
  /// A line that fits is shown as it is written in the expectation.
  public func unified(context: Int = 3) -> [String] {
    let changes = hunks(context: context).flatMap { hunk in
      [hunk.heading]
        + hunk.lines.map { line in
          switch line {
          case .kept(let expected, _): " " + expected
          case .removed(let text): "-" + text
          case .added(let text): "+" + text
          case .elided: " " + OutputMatcher.elision
          }
        }
    }
    return changes + (hasSameStatus ? [] : ["-? \(expectedStatus)", "+? \(actualStatus)"])
  }
}
