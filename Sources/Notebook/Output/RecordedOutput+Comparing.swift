internal import StrataBase

extension RecordedOutput {
  /// How `actual` differs from this expectation; `nil` where it fits.
  ///
  /// ```swift
  /// let expected = RecordedOutput(lines: ["Topic", "...", "hash <[..]>"])
  /// expected.compare(to: RecordedOutput(lines: ["Topic", "title", "hash <cb75>"]))  // nil
  /// ```
  ///
  /// Lines are compared byte for byte, so `é` in one code point is not `é` in two. A line of this
  /// output that is `...` stands for any lines of the other, also none; `[..]` inside a line for
  /// any bytes, also none; behind a backslash both stand for themselves. In the other output neither
  /// means anything. The statuses must be equal. An expectation of a status other than 0, without a
  /// line, fits whatever is said along with that status.
  ///
  /// Nothing backtracks: each run of lines between two `...`, and each run of bytes between two
  /// `[..]`, is taken where it is found first. Without `[..]` the time is linear in the two
  /// outputs. A run of lines with `[..]` in the middle is looked for place by place, and for this
  /// at most 16 steps a byte of both outputs (and a million) are spent; a step looks at a byte or
  /// compares two whole lines by number. Beyond, the outputs count as different and the difference
  /// `isUndecided`.
  ///
  /// The difference itself is the smallest one where it fits a table of four million cells; larger
  /// ones show all that lies between the first and the last difference as removed and added.
  package func compare(to actual: RecordedOutput) -> OutputDifference? {
    // A status that is not 0, alone: whatever is said along with it.
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

  /// The expectation to keep when `actual` is to be the recorded output from now on.
  ///
  /// ```swift
  /// RecordedOutput(lines: ["12 topics", "..."])
  ///   .rewritten(for: RecordedOutput(lines: ["13 topics", "First", "Second"])).lines
  /// // ["13 topics", "..."]
  /// ```
  ///
  /// Where this expectation fits, it is kept as it is. Else the lines that still fit are kept as
  /// they are written, with their `[..]`, and the others replaced. A `...` is kept where it stands
  /// for lines and a line beside it still fits, or it is the first or last of the expectation and
  /// the status is unchanged; and, standing for no line, where both its neighbours still fit. The
  /// result always fits `actual`.
  package func rewritten(for actual: RecordedOutput) -> RecordedOutput {
    guard let difference = compare(to: actual) else { return self }
    return difference.rewritten(
      accepting: Set(difference.hunks().indices), takesStatus: true)
  }

  /// The expectation that this output, and no other, fits.
  ///
  /// ```swift
  /// RecordedOutput(lines: ["...", "[..]"]).expectation.lines  // ["\\...", "\\[..]"]
  /// ```
  package var expectation: RecordedOutput {
    RecordedOutput(lines: lines.map(OutputMatcher.escaped), status: status)
  }
}
