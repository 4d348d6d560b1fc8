package import StrataBase

/// How an output differs from the recorded one, line by line.
///
/// ```swift
/// let difference = RecordedOutput(text: "12").compare(to: RecordedOutput(text: "13", status: 1))!
/// difference.lines      // [.removed("12"), .added("13")]
/// difference.unified()  // ["@@ -1,1 +1,1 @@", "-12", "+13", "-? 0", "+? 1"]
/// ```
///
/// All the lines of both outputs are here, in order; ``hunks(context:)`` picks those worth showing.
package struct OutputDifference: Sendable, Hashable {
  package enum Line: Sendable, Hashable {
    /// A line that fits; the two differ where the expectation has `[..]`.
    case kept(expected: String, actual: String)
    case removed(String)
    case added(String)
    /// A `...` of the expectation, and the number of lines it stands for.
    case elided(count: Int)
  }

  package let lines: [Line]
  package let expectedStatus: ExitStatus
  package let actualStatus: ExitStatus
  /// Whether the expectation might fit after all: the work was given up, see
  /// ``RecordedOutput/compare(to:)``.
  package let isUndecided: Bool

  package var hasSameStatus: Bool { expectedStatus == actualStatus }

  init(lines: [Line], expectedStatus: ExitStatus, actualStatus: ExitStatus, isUndecided: Bool) {
    self.lines = lines
    self.expectedStatus = expectedStatus
    self.actualStatus = actualStatus
    self.isUndecided = isUndecided
  }
}

extension OutputDifference.Line {
  /// Whether the line is a difference.
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
