import StrataNotebook
import Testing

@Suite struct DifferenceTests {
  private func unified(
    _ expected: [String], _ actual: [String], context: Int = 3
  ) throws -> [String] {
    try #require(RecordedOutput(lines: expected).compare(to: RecordedOutput(lines: actual)))
      .unified(context: context)
  }

  @Test func aChangedLine() throws {
    #expect(
      try unified(["a", "b", "c"], ["a", "x", "c"])
        == ["@@ -1,3 +1,3 @@", " a", "-b", "+x", " c"])
  }

  @Test func runsOfChangesAreGrouped() throws {
    #expect(
      try unified(["a", "b", "c"], ["x", "y", "c", "z"])
        == ["@@ -1,3 +1,4 @@", "-a", "-b", "+x", "+y", " c", "+z"])
  }

  @Test func theLongestCommonPartIsKept() throws {
    #expect(
      try unified(["a", "b", "c", "d"], ["b", "c", "d", "e"])
        == ["@@ -1,4 +1,4 @@", "-a", " b", " c", " d", "+e"])
    #expect(
      try unified(["a1", "a2", "b"], ["b", "x", "y"])
        == ["@@ -1,3 +1,3 @@", "-a1", "-a2", " b", "+x", "+y"])
  }

  @Test func patternsAndElisionsStayAsTheyAreWritten() throws {
    #expect(
      try unified(["n: [..]", "...", "z"], ["n: 1", "p", "q", "y"])
        == ["@@ -1,3 +1,4 @@", " n: [..]", " ...", "-z", "+y"])
  }

  @Test func farChangesAreHunksOfTheirOwn() throws {
    let lines = (1...20).map(String.init)
    var changed = lines
    changed[1] = "two"
    changed.remove(at: 15)
    #expect(
      try unified(lines, changed, context: 1)
        == ["@@ -1,3 +1,3 @@", " 1", "-2", "+two", " 3", "@@ -15,3 +15,2 @@", " 15", "-16", " 17"])
  }

  @Test func hunksThatTouchAreOne() throws {
    #expect(
      try unified(["1", "2", "3", "4", "5", "6", "7"], ["1", "3", "4", "6", "7"], context: 1)
        == ["@@ -1,6 +1,4 @@", " 1", "-2", " 3", " 4", "-5", " 6"])
  }

  @Test func linesUnderAnElisionCount() throws {
    let difference = try #require(
      RecordedOutput(lines: ["a", "...", "m", "n", "o"])
        .compare(to: RecordedOutput(lines: ["a", "1", "2", "3", "m", "n", "o", "p"])))
    let hunk = try #require(difference.hunks(context: 1).first)
    #expect(hunk.heading == "@@ -5,1 +7,2 @@")
    #expect(hunk.lines == [.kept(expected: "o", actual: "o"), .added("p")])
  }

  @Test func anEmptySideNamesTheLineBefore() throws {
    #expect(try unified([], ["a"]) == ["@@ -0,0 +1,1 @@", "+a"])
    #expect(try unified(["a", "b"], ["a"], context: 0) == ["@@ -2,1 +1,0 @@", "-b"])
  }

  @Test func aDifferenceTooLargeForTheTableShowsAll() throws {
    let old = (0..<3000).map { "old \($0)" }
    let new = (0..<3000).map { "new \($0)" }
    let difference = try #require(
      RecordedOutput(lines: ["a"] + old + ["z"])
        .compare(to: RecordedOutput(lines: ["a"] + new + ["z"])))
    #expect(difference.lines.count == 6002)
    #expect(difference.lines.first == .kept(expected: "a", actual: "a"))
    #expect(difference.lines.last == .kept(expected: "z", actual: "z"))
    #expect(difference.lines[1...3000].elementsEqual(old.map { .removed($0) }))
    #expect(!difference.isUndecided)
  }
}
