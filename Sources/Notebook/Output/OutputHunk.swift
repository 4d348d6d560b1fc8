/// A part of an ``OutputDifference`` around some changes.
package struct OutputHunk: Sendable, Hashable {
  /// The first line in the expectation, from 1; if the hunk has no line of it, the preceding line.
  package let expectedStart: Int
  package let expectedCount: Int
  /// The first line in the actual output, from 1, including lines that match a `...`.
  package let actualStart: Int
  package let actualCount: Int
  package let lines: [OutputDifference.Line]
  /// The range of the lines in the difference.
  let range: Range<Int>

  /// The heading, as in a unified diff: `@@ -1,3 +1,4 @@`.
  package var heading: String {
    "@@ -\(expectedStart),\(expectedCount) +\(actualStart),\(actualCount) @@"
  }

  /// The heading and the lines, with removed and added lines marked.
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
