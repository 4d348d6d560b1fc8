import StrataBase
import StrataNotebook
import Testing

@Suite struct ComparisonTests {
  private func fits(_ expected: [String], _ actual: [String]) -> Bool {
    RecordedOutput(lines: expected).compare(to: RecordedOutput(lines: actual)) == nil
  }

  @Test func elisionsOfLines() {
    #expect(fits(["a", "...", "d"], ["a", "b", "c", "d"]))
    #expect(fits(["a", "...", "d"], ["a", "d"]))
    #expect(fits(["..."], []))
    #expect(fits(["...", "..."], ["x"]))
    #expect(fits(["...", "a", "b", "..."], ["a", "x", "a", "a", "b"]))
    #expect(!fits(["a", "...", "d"], ["a", "d", "e"]))
    #expect(!fits(["a", "...", "a"], ["a"]))
    #expect(!fits(["...", "a", "b", "...", "b"], ["a", "b"]))
    #expect(!fits([" ..."], ["x"]))
    #expect(!fits(["x"], ["..."]))
  }

  @Test func elisionsInsideLines() {
    #expect(fits(["[..]"], []) == false)
    #expect(fits(["", "[..]", "x"], ["", "", "x"]))
    #expect(fits(["a[..]c"], ["abc"]))
    #expect(fits(["a[..]c"], ["ac"]))
    #expect(fits(["a[..]b[..]b[..]c"], ["abbc"]))
    #expect(!fits(["a[..]a"], ["a"]))
    #expect(!fits(["a[..]b[..]bc"], ["abc"]))
    #expect(!fits(["a[..]"], ["ba"]))
    #expect(!fits(["[..]a"], ["ab"]))
    #expect(!fits(["[.]"], ["x"]))
    #expect(fits(["[[..]]"], ["[x]"]))
    #expect(fits(["...", "n: [..]", "..."], ["a", "n: 1", "b"]))
    #expect(!fits(["...", "n: [..]", "..."], ["a", "m: 1", "b"]))
  }

  @Test func escapedPatternsMatchLiterally() throws {
    #expect(fits(["\\..."], ["..."]))
    #expect(!fits(["\\..."], ["a"]))
    #expect(!fits(["\\..."], ["\\..."]))
    #expect(fits(["\\\\..."], ["\\..."]))
    #expect(fits(["a\\[..]b"], ["a[..]b"]))
    #expect(!fits(["a\\[..]b"], ["axb"]))
    #expect(fits(["a\\[..]b[..]"], ["a[..]bc"]))
    #expect(fits(["\\[.."], ["\\[.."]))
    // Whatever an output holds, its expectation fits it, and nothing but it.
    let lines = [
      "...", "\\...", "\\\\...", "[..]", "\\[..]", "a[..][..]\\[..]", " ...", "[.", "x", "\\",
    ]
    for a in lines {
      for b in lines {
        let isFit = RecordedOutput(text: a).expectation.compare(to: RecordedOutput(text: b)) == nil
        #expect(isFit == (a == b), "\(a) and \(b)")
      }
    }
  }

  @Test func aStatusWithoutOutputMatchesAnyText() {
    func fits(_ expected: StrataBase.ExitStatus, _ actual: RecordedOutput) -> Bool {
      RecordedOutput(status: expected).compare(to: actual) == nil
    }
    #expect(fits(2, RecordedOutput(text: "error", status: 2)))
    #expect(!fits(2, RecordedOutput(text: "error", status: 1)))
    #expect(!fits(0, RecordedOutput(text: "words")))
  }

  @Test func bytesAndStatusCount() throws {
    #expect(!fits(["e\u{301}"], ["\u{E9}"]))
    #expect(RecordedOutput(text: "e\u{301}") != RecordedOutput(text: "\u{E9}"))
    #expect(fits(["a", " "], ["a"]))
    let difference = try #require(
      RecordedOutput(lines: ["a", "..."]).compare(to: RecordedOutput(lines: ["a", "b"], status: 2)))
    #expect(difference.lines == [.kept(expected: "a", actual: "a"), .elided(count: 1)])
    #expect((difference.expectedStatus, difference.actualStatus) == (0, 2))
    #expect(difference.unified() == ["-? 0", "+? 2"])
  }

  @Test func linesOfAText() {
    #expect(RecordedOutput(text: "a\r\nb\r\r\n\n \n").lines == ["a", "b"])
    #expect(RecordedOutput(text: "\n\na\rb").lines == ["", "", "a\rb"])
    #expect(RecordedOutput(lines: ["a\nb", "c\r", ""]).lines == ["a", "b", "c"])
    #expect(RecordedOutput(text: "").lines.isEmpty)
    #expect(RecordedOutput(text: "a\n\nb").text == "a\n\nb\n")
  }

  /// Whether a line fits, by trying everything.
  private func lineFits(_ pattern: Substring, _ line: Substring) -> Bool {
    if pattern.hasPrefix("[..]") {
      return lineFits(pattern.dropFirst(4), line)
        || !line.isEmpty && lineFits(pattern, line.dropFirst())
    }
    guard let first = pattern.first else { return line.isEmpty }
    return line.first == first && lineFits(pattern.dropFirst(), line.dropFirst())
  }

  @Test func linesAgreeWithTryingEverything() {
    var random = SeededRandom(seed: 7)
    func text(_ alphabet: [String], _ length: ClosedRange<Int>) -> String {
      (0..<Int.random(in: length, using: &random))
        .map { _ in alphabet.randomElement(using: &random) ?? "" }.joined()
    }
    var matches = 0
    for _ in 0..<20_000 {
      let pattern = "^" + text(["a", "a", "b", "[..]"], 0...9)
      let line = "^" + text(["a", "a", "b"], 0...12)
      let isFit = lineFits(pattern[...], line[...])
      matches += isFit ? 1 : 0
      if fits([pattern], [line]) != isFit { Issue.record("\(pattern) and \(line): \(isFit)") }
    }
    #expect(matches > 1000)
  }

  /// All expectations of up to three lines against all outputs of up to four, by a matcher that
  /// tries everything.
  @Test func agreesWithTryingEverything() {
    func all(_ alphabet: [String], upTo count: Int) -> [[String]] {
      (0..<count).reduce([[]]) { lists, _ in
        lists + lists.flatMap { list in alphabet.map { list + [$0] } }
      }
    }
    func oracle(_ expected: ArraySlice<String>, _ actual: ArraySlice<String>) -> Bool {
      guard let first = expected.first else { return actual.isEmpty }
      if first == "..." {
        return oracle(expected.dropFirst(), actual)
          || !actual.isEmpty && oracle(expected, actual.dropFirst())
      }
      guard let line = actual.first, lineFits(first[...], line[...]) else { return false }
      return oracle(expected.dropFirst(), actual.dropFirst())
    }
    let outputs = Set(all(["a", "b", "ab"], upTo: 4)).map { RecordedOutput(lines: $0) }
    var matches = 0
    for expected in Set(all(["...", "a", "b", "[..]b", "a[..]"], upTo: 3)) {
      for actual in outputs {
        let pattern = RecordedOutput(lines: expected)
        let fits = oracle(expected[...], actual.lines[...])
        let difference = pattern.compare(to: actual)
        if (difference == nil) != fits {
          Issue.record("\(expected) against \(actual.lines): \(fits) expected")
        }
        let rewritten = pattern.rewritten(for: actual)
        if !oracle(rewritten.lines[...], actual.lines[...]) {
          Issue.record("\(expected) rewritten for \(actual.lines) is \(rewritten.lines)")
        }
        if let difference, !isSound(difference, expected, actual.lines) {
          Issue.record("\(expected) against \(actual.lines) shows \(difference.lines)")
        }
        matches += fits ? 1 : 0
      }
    }
    #expect(matches > 1000)
  }

  /// Whether the difference shows every line of both outputs once, in order.
  private func isSound(
    _ difference: OutputDifference, _ expected: [String], _ actual: [String]
  ) -> Bool {
    var (old, new) = (expected[...], actual[...])
    for line in difference.lines {
      switch line {
      case .kept(let a, let b): if old.popFirst() != a || new.popFirst() != b { return false }
      case .removed(let a): if old.popFirst() != a { return false }
      case .added(let b): if new.popFirst() != b { return false }
      case .elided(let count):
        if old.popFirst() != "..." || new.count < count { return false }
        new = new.dropFirst(count)
      }
    }
    return old.isEmpty && new.isEmpty && difference.lines.contains(where: \.isChange)
  }

  @Test func repeatedPiecesAreFoundInside() {
    for (piece, text) in [
      ("aabaaab", "aabaaabaaab"), ("aabaaab", "aabaaaabaaab"), ("aabaab", "aaabaaab"),
      ("abaababaab", "abaabaababaab"), ("aabaaac", "aabaaabaaac"),
      ("aabaaabaaac", "aabaaabaaabaaac"), ("aabaaaac", "aabaaabaaaac"),
    ] {
      let isInside = text.contains(piece)
      #expect(fits(["[..]" + piece + "[..]"], [text]) == isInside, "\(piece) in \(text)")
      #expect(
        fits(["..."] + piece.map(String.init) + ["..."], text.map(String.init)) == isInside,
        "\(piece) in \(text)")
    }
  }

  /// Quadratic work would take hours.
  @Test(.timeLimit(.minutes(10))) func hostileLinesTakeLinearTime() {
    let run = String(repeating: "a", count: 100_000)
    let pattern = String(repeating: "a[..]", count: 30_000) + "b"
    #expect(!fits([pattern], [run]))
    #expect(fits([pattern], [run + "b"]))
    // A piece that almost occurs everywhere.
    let piece = String(repeating: "a", count: 50_000) + "b"
    #expect(!fits(["[..]" + piece + "[..]"], [run]))
    #expect(fits(["[..]" + piece + "[..]"], [run + "bc"]))
  }

  @Test(.timeLimit(.minutes(10))) func hostileElisionsTakeLinearTime() {
    let lines = [String](repeating: "a", count: 50_000)
    let run = [String](repeating: "a", count: 20_000) + ["b"]
    let alternating = (0..<20_000).flatMap { _ in ["...", "a"] }
    #expect(!fits(["..."] + run + ["..."], lines))
    #expect(fits(["..."] + run + ["..."], lines + ["b", "c"]))
    #expect(!fits(alternating + ["b"], lines))
    #expect(fits(alternating + ["...", "b"], lines + ["b"]))
  }

  @Test func workWithoutEndIsGivenUp() throws {
    let lines = [String](repeating: "a", count: 20_000)
    let run = [String](repeating: "[..]a", count: 10_000) + ["b"]
    let difference = RecordedOutput(lines: ["..."] + run + ["..."])
      .compare(to: RecordedOutput(lines: lines))
    #expect(try #require(difference).isUndecided)
    let decided = RecordedOutput(lines: ["...", "[..]a", "b", "..."])
      .compare(to: RecordedOutput(lines: lines))
    #expect(try #require(decided).isUndecided == false)
    // A piece longer than any line costs nothing.
    let long = "[..]" + String(repeating: "b", count: 100_000) + "[..]"
    let shorter = RecordedOutput(lines: ["...", long, "..."])
      .compare(to: RecordedOutput(lines: lines))
    #expect(try #require(shorter).isUndecided == false)
  }
}
