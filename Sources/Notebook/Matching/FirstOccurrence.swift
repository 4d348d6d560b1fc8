/// Finds the first occurrence of a sequence in another in linear time.
///
/// Source: Knuth, Morris, Pratt, "Fast pattern matching in strings", SIAM J. Comput. 6 (1977).
struct FirstOccurrence<Element: Equatable> {
  private let run: [Element]
  /// For each prefix of the sequence, the length of its longest proper prefix that is also its suffix.
  private let borders: [Int]

  /// - Parameter run: A nonempty sequence.
  init(of run: [Element]) {
    self.run = run
    var borders = [0]
    borders.reserveCapacity(run.count)
    for element in run.dropFirst() {
      var length = borders[borders.count - 1]
      while length > 0, run[length] != element { length = borders[length - 1] }
      borders.append(run[length] == element ? length + 1 : 0)
    }
    self.borders = borders
  }

  func find(in text: [Element], _ range: Range<Int>) -> Range<Int>? {
    guard run.count <= range.count else { return nil }
    var length = 0
    for index in range {
      while length > 0, run[length] != text[index] { length = borders[length - 1] }
      if run[length] == text[index] { length += 1 }
      if length == run.count { return (index + 1 - length)..<(index + 1) }
    }
    return nil
  }
}
