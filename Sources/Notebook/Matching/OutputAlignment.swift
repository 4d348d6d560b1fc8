/// The alignment of the lines of an output with the lines of an expectation, with the fewest differences.
///
/// It keeps the most lines of the expectation; among such alignments, it adds the fewest lines that neither
/// replace a line nor match a `...`. Matching lines at both ends are removed first; the rest is solved by a
/// table of at most ``cellLimit`` cells.
struct OutputAlignment {
  enum Step: Equatable {
    case kept(element: Int, line: Int)
    case removed(element: Int)
    case added(line: Int)
    case elided(element: Int, lines: Range<Int>)
  }

  static let cellLimit = 4_000_000

  private(set) var steps: [Step] = []
  /// Whether this is the smallest difference, which shows a match if there is one.
  private(set) var isExact = true

  var isMatch: Bool {
    steps.allSatisfy { step in
      switch step {
      case .kept, .elided: true
      case .removed, .added: false
      }
    }
  }

  /// The alignment of a matching output.
  init(_ matcher: OutputMatcher, ends: [Int]) {
    var line = 0
    var ends = ends[...]
    for element in matcher.elements.indices {
      if matcher.elements[element].isElision, let end = ends.popFirst() {
        steps.append(.elided(element: element, lines: line..<end))
        line = end
      } else {
        steps.append(.kept(element: element, line: line))
        line += 1
      }
    }
  }

  /// The alignment of an output that does not match, or for which this is unknown.
  init(_ matcher: inout OutputMatcher, sameStatus: Bool) {
    matcher.allowSteps(2 * Self.cellLimit)
    let (elements, actual) = (matcher.elements, matcher.actual)
    var (top, bottom) = (0, 0)
    let shorter = min(elements.count, actual.count)
    while top < shorter, matcher.fits(top, top) { top += 1 }
    while bottom < shorter - top,
      matcher.fits(elements.count - 1 - bottom, actual.count - 1 - bottom)
    { bottom += 1 }

    let rows = top..<(elements.count - bottom)
    let columns = top..<(actual.count - bottom)
    let table =
      (rows.count + 1) * (columns.count + 1) <= Self.cellLimit
      ? AlignmentTable(&matcher, rows, columns) : nil
    isExact = table != nil
    let middle =
      table?.steps() ?? rows.map { .removed(element: $0) } + columns.map { .added(line: $0) }
    steps = (0..<top).map { .kept(element: $0, line: $0) }
    steps += middle
    steps += (0..<bottom).map {
      .kept(element: rows.upperBound + $0, line: columns.upperBound + $0)
    }
    if !isMatch {
      dropLooseElisions(elements.count, sameStatus: sameStatus)
      groupChanges()
    }
  }

  /// Removes each `...` that is no longer needed; see ``RecordedOutput/rewritten(for:)``.
  private mutating func dropLooseElisions(_ count: Int, sameStatus: Bool) {
    var isKept = [Bool](repeating: false, count: count)
    for step in steps {
      switch step {
      case .kept(let element, _), .elided(let element, _): isKept[element] = true
      case .removed, .added: break
      }
    }
    steps = steps.flatMap { step -> [Step] in
      guard case .elided(let element, let lines) = step else { return [step] }
      let before = element == 0 ? nil : isKept[element - 1]
      let after = element == count - 1 ? nil : isKept[element + 1]
      let stays =
        lines.isEmpty
        ? before ?? true && after ?? true
        : before ?? sameStatus || after ?? sameStatus
      return stays ? [step] : [.removed(element: element)] + lines.map { .added(line: $0) }
    }
  }

  /// Puts the removed lines of each run of changes before the added ones.
  private mutating func groupChanges() {
    var grouped: [Step] = []
    var added: [Step] = []
    for step in steps {
      switch step {
      case .added: added.append(step)
      case .removed: grouped.append(step)
      case .kept, .elided:
        grouped += added
        added = []
        grouped.append(step)
      }
    }
    steps = grouped + added
  }
}
