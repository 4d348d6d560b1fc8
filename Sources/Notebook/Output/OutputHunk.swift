/// A stretch of an ``OutputDifference`` around some changes.
package struct OutputHunk: Sendable, Hashable {
  /// The first line, from 1, in the expectation; where the hunk has no line of it, the line before.
  package let expectedStart: Int
  package let expectedCount: Int
  /// The same in the actual output; lines under a `...` count.
  package let actualStart: Int
  package let actualCount: Int
  package let lines: [OutputDifference.Line]
  /// Where they stand among the lines of the difference.
  let range: Range<Int>

  /// `@@ -1,3 +1,4 @@`
  package var heading: String {
    "@@ -\(expectedStart),\(expectedCount) +\(actualStart),\(actualCount) @@"
  }

  /// The heading and the lines, with what is removed and added marked.
  package var unified: [String] {
    [heading]
      + lines.map { line in
        switch line {
        case .kept(let expected, _): " " + expected
        case .removed(let text): "-" + text
        case .added(let text): "+" + text
        case .elided: " " + OutputMatcher.elision
        }
      }
  }
}
