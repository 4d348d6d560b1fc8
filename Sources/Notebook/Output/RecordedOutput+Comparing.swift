internal import StrataBase

extension RecordedOutput {
  /// The difference between `actual` and this expectation; `nil` if it matches.
  ///
  /// ```swift
  /// let expected = RecordedOutput(lines: ["Topic", "...", "hash <[..]>"])
  /// expected.compare(to: RecordedOutput(lines: ["Topic", "title", "hash <cb75>"]))  // nil
  /// ```
  ///
  /// Lines are compared byte for byte, so `é` in one code point is not `é` in two. A line `...` of this
  /// output matches any lines of the other, including none; `[..]` in a line matches any bytes, including
  /// none; after a backslash both are literal. In the other output neither has a meaning. The statuses must
  /// be equal. An expectation of a status other than 0 without lines matches any output with that status.
  ///
  /// There is no backtracking: each run of lines between two `...`, and each run of bytes between two `[..]`,
  /// is matched at its first occurrence. Without `[..]`, the time is linear in the two outputs. A run of
  /// lines with `[..]` in the middle is searched index by index, with at most 16 steps per byte of both
  /// outputs plus a million; a step examines a byte or compares two whole lines by number. Beyond that limit,
  /// the outputs count as different and the difference is `isUndecided`.
  ///
  /// The difference is the smallest one if it fits a table of four million cells; larger ones show all lines
  /// between the first and the last difference as removed and added.
  package func compare(to actual: RecordedOutput) -> OutputDifference? {
    // A status other than 0 without lines matches any output with that status.
    if lines.isEmpty, status != .done, status == actual.status { return nil }
    var matcher = OutputMatcher(expected: lines, actual: actual.lines)
    let verdict = matcher.verdict()
    let alignment =
      if case .fits(let ends) = verdict {
        OutputAlignment(matcher, ends: ends)
      } else {
        OutputAlignment(&matcher, sameStatus: status == actual.status)
      }
    if alignment.isMatch, status == actual.status { return nil }
    return OutputDifference(
      lines: alignment.steps.map { step in
        switch step {
        case .kept(let element, let line):
          .kept(expected: lines[element], actual: actual.lines[line])
        case .removed(let element): .removed(lines[element])
        case .added(let line): .added(actual.lines[line])
        case .elided(_, let range): .elided(count: range.count)
        }
      },
      expectedStatus: status, actualStatus: actual.status,
      isUndecided: verdict == .undecided && !alignment.isExact)
  }

  /// The new expectation if `actual` becomes the recorded output.
  ///
  /// ```swift
  /// RecordedOutput(lines: ["12 topics", "..."])
  ///   .rewritten(for: RecordedOutput(lines: ["13 topics", "First", "Second"])).lines
  /// // ["13 topics", "..."]
  /// ```
  ///
  /// An expectation that matches is unchanged. Otherwise, lines that still match are kept, with their `[..]`,
  /// and the others are replaced. A `...` is kept if it matches lines and an adjacent line still matches, or
  /// if it is the first or last line of the expectation and the status is unchanged; a `...` that matches no
  /// line is kept if both adjacent lines still match. The result always matches `actual`.
  package func rewritten(for actual: RecordedOutput) -> RecordedOutput {
    guard let difference = compare(to: actual) else { return self }
    return difference.rewritten(
      accepting: Set(difference.hunks().indices), takesStatus: true)
  }

  /// The expectation that matches only this output.
  ///
  /// ```swift
  /// RecordedOutput(lines: ["...", "[..]"]).expectation.lines  // ["\\...", "\\[..]"]
  /// ```
  package var expectation: RecordedOutput {
    RecordedOutput(lines: lines.map(OutputMatcher.escaped), status: status)
  }
}
