internal import StrataBase

/// Matches the lines of an output against an expectation; the rules are at ``RecordedOutput/compare(to:)``.
struct OutputMatcher {
  /// The line that matches any number of lines.
  static let elision = "..."

  /// A line of the expectation.
  enum Element {
    case elision
    case line(Int)
    case pattern(LinePattern)

    var isElision: Bool {
      if case .elision = self { true } else { false }
    }
  }

  enum Verdict: Equatable {
    /// `ends`: for each `...`, the line after those that it matches.
    case fits(ends: [Int])
    case differs
    /// The limit of steps was exceeded.
    case undecided
  }

  let elements: [Element]
  /// The lines of the actual output, by number in the table.
  let actual: [Int]
  private let table: LineTable
  private let bytes: Int
  private var steps = 0
  private var stepLimit = 0

  init(expected: [String], actual: [String]) {
    var table = LineTable()
    self.actual = actual.map { table.number(of: $0) }
    elements = expected.map { line in
      if line.hasSameBytes(as: Self.elision) { return .elision }
      let line = Self.isEscapedElision(line) ? String(line.dropFirst()) : line
      guard LinePattern.mayElide(line) else { return .line(table.number(of: line)) }
      let pattern = LinePattern(line)
      return pattern.literal.map { .line(table.number(of: $0)) } ?? .pattern(pattern)
    }
    self.table = table
    bytes = [expected, actual].joined().reduce(0) { $0 + $1.utf8.count + 1 }
  }

  /// Whether a line of an expectation is an escaped `...`: one or more backslashes, of which one is removed,
  /// and `...`.
  private static func isEscapedElision(_ line: String) -> Bool {
    line.utf8.first == .backslash && line.utf8.drop { $0 == .backslash }.elementsEqual(elision.utf8)
  }

  /// The line of an expectation that matches only this line.
  static func escaped(_ line: String) -> String {
    line.utf8.drop { $0 == .backslash }.elementsEqual(elision.utf8)
      ? "\\" + line : LinePattern.escaped(line)
  }

  /// Whether the limit of steps is exceeded.
  var isExhausted: Bool { steps > stepLimit }

  /// Resets the step count; the limit is 16 for each byte plus a constant.
  mutating func allowSteps(_ more: Int) {
    steps = 0
    stepLimit = 16 * bytes + more
  }

  /// Whether the line matches the element, which is not `...`.
  mutating func fits(_ element: Int, _ line: Int) -> Bool {
    switch elements[element] {
    case .elision: return false
    case .line(let number): return actual[line] == number
    case .pattern(let pattern): return pattern.matches(table.lines[actual[line]], steps: &steps)
    }
  }

  mutating func verdict() -> Verdict {
    allowSteps(1_000_000)
    let runs = elements.indices.split(omittingEmptySubsequences: false) { elements[$0].isElision }
    let (first, last) = (runs[0], runs[runs.count - 1])
    guard runs.count > 1 else {
      return first.count == actual.count && fits(first, at: 0) ? .fits(ends: []) : .differs
    }
    guard first.count + last.count <= actual.count else { return .differs }
    let end = actual.count - last.count
    guard fits(first, at: 0), fits(last, at: end) else { return .differs }
    var start = first.count
    var ends: [Int] = []
    for run in runs.dropFirst().dropLast() {
      switch find(run, in: start..<end) {
      case .found(let index):
        ends.append(index)
        start = index + run.count
      case .absent: return .differs
      case .undecided: return .undecided
      }
    }
    return .fits(ends: ends + [end])
  }

  private enum Search {
    /// The first line of the run.
    case found(Int)
    case absent, undecided
  }

  /// Finds the first index in the range at which the run of elements matches.
  private mutating func find(_ run: Range<Int>, in range: Range<Int>) -> Search {
    guard !run.isEmpty else { return .found(range.lowerBound) }
    guard run.count <= range.count else { return .absent }
    if let numbers = numbers(of: run) {
      let found = FirstOccurrence(of: numbers).find(in: actual, range)
      return found.map { .found($0.lowerBound) } ?? .absent
    }
    for index in range.lowerBound...(range.upperBound - run.count) {
      if fits(run, at: index) { return .found(index) }
      if isExhausted { return .undecided }
    }
    return .absent
  }

  /// The numbers of a run of plain lines; `nil` if a line has `[..]`.
  private func numbers(of run: Range<Int>) -> [Int]? {
    var numbers: [Int] = []
    for element in run {
      guard case .line(let number) = elements[element] else { return nil }
      numbers.append(number)
    }
    return numbers
  }

  private mutating func fits(_ run: Range<Int>, at start: Int) -> Bool {
    for (offset, element) in run.enumerated() {
      steps += 1
      if !fits(element, start + offset) { return false }
    }
    return true
  }
}
