/// A stretch of an ``OutputDifference`` around some changes.
public struct OutputHunk: Sendable, Hashable {
  /// The first line, from 1, in the expectation; where the hunk has no line of it, the line before.
  public let expectedStart: Int
  public let expectedCount: Int
  /// The same in the actual output; lines under a `...` count.
  public let actualStart: Int
  public let actualCount: Int
  public let lines: [OutputDifference.Line]

  /// `@@ -1,3 +1,4 @@`
  public var heading: String {
    "@@ -\(expectedStart),\(expectedCount) +\(actualStart),\(actualCount) @@"
  }
}
