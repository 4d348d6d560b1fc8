package import StrataBase

/// The difference between an output and the recorded one, line by line.
///
/// ```swift
/// let difference = RecordedOutput(text: "12").compare(to: RecordedOutput(text: "13", status: 1))!
/// difference.lines      // [.removed("12"), .added("13")]
/// difference.unified()  // ["@@ -1,1 +1,1 @@", "-12", "+13", "-? 0", "+? 1"]
/// ```
///
/// It contains all lines of both outputs, in order; ``hunks(context:)`` selects the changes.
package struct OutputDifference: Sendable, Hashable {
  package enum Line: Sendable, Hashable {
    /// A matching line; the two texts differ if the expectation has `[..]`.
    case kept(expected: String, actual: String)
    case removed(String)
    case added(String)
    /// A `...` of the expectation, and the number of lines that it matches.
    case elided(count: Int)
  }

  package let lines: [Line]
  package let expectedStatus: ExitStatus
  package let actualStatus: ExitStatus
  /// Whether the expectation may still match: the limit of steps was exceeded, see
  /// ``RecordedOutput/compare(to:)``.
  package let isUndecided: Bool

  package var hasSameStatus: Bool { expectedStatus == actualStatus }

  init(lines: [Line], expectedStatus: ExitStatus, actualStatus: ExitStatus, isUndecided: Bool) {
    self.lines = lines
    self.expectedStatus = expectedStatus
    self.actualStatus = actualStatus
    self.isUndecided = isUndecided
  }

  /// The difference of an answer from a hidden one with other data.
  init(hidden: RecordedOutput?, now: RecordedOutput) {
    self.init(
      lines: (hidden?.lines ?? []).map(Line.removed) + now.lines.map(Line.added),
      expectedStatus: hidden?.status ?? now.status, actualStatus: now.status, isUndecided: false)
  }
}

extension OutputDifference.Line {
  /// Whether the line was added or removed.
  package var isChange: Bool {
    switch self {
    case .removed, .added: true
    case .kept, .elided: false
    }
  }

  var expectedLines: Int {
    switch self {
    case .kept, .removed, .elided: 1
    case .added: 0
    }
  }

  var actualLines: Int {
    switch self {
    case .kept, .added: 1
    case .removed: 0
    case .elided(let count): count
    }
  }
}
