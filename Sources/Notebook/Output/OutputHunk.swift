/// A stretch of an ``OutputDifference`` around some changes.
public struct OutputHunk: Sendable, Hashable {
  /// The first line, from 1, in the expectation; where the hunk has no line of it, the line before.
  public let expectedStart: Int
  public let expectedCount: Int
  /// The same in the actual output; lines under a `...` count.
  public let actualStart: Int
  public let actualCount: Int
  public let lines: [OutputDifference.Line]
  /// Where they stand among the lines of the difference.
  let range: Range<Int>

  /// `@@ -1,3 +1,4 @@`
  public var heading: String {
    "@@ -\(expectedStart),\(expectedCount) +\(actualStart),\(actualCount) @@"
  }

  /// The heading and the lines, with what is removed and added marked.
  public var unified: [String] {
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
