/// A line in which `[..]` stands for any run of bytes, also none.
///
/// Every piece between two `[..]` is taken where it is found first, which is right because taking
/// it later leaves less for the rest. Finding is by Knuth, Morris and Pratt, so a match takes time
/// linear in line and pattern.
struct LinePattern: Hashable {
  private static let elision = Array("[..]".utf8)

  /// What stands before, between and after the elisions; two or more.
  private let pieces: [[UInt8]]
  /// Bytes of all pieces: a shorter line cannot match.
  private let length: Int

  /// `nil` where the line has no elision.
  init?(_ line: String) {
    guard line.utf8.contains(UInt8(ascii: "[")) else { return nil }
    let bytes = Array(line.utf8)
    var pieces: [[UInt8]] = [[]]
    var index = 0
    while index < bytes.count {
      if bytes[index...].starts(with: Self.elision) {
        pieces.append([])
        index += Self.elision.count
      } else {
        pieces[pieces.count - 1].append(bytes[index])
        index += 1
      }
    }
    guard pieces.count > 1 else { return nil }
    self.pieces = pieces
    length = pieces.reduce(0) { $0 + $1.count }
  }

  /// - Parameter steps: grows by the bytes looked at.
  func matches(_ text: [UInt8], steps: inout Int) -> Bool {
    let (first, last) = (pieces[0], pieces[pieces.count - 1])
    steps += 1
    guard length <= text.count else { return false }
    guard Self.agree(text[...], first, steps: &steps),
      Self.agree(text[(text.count - last.count)...], last, steps: &steps)
    else { return false }
    let end = text.count - last.count
    var start = first.count
    for piece in pieces.dropFirst().dropLast() where !piece.isEmpty {
      steps += piece.count
      guard let found = FirstOccurrence(of: piece).find(in: text, start..<end) else {
        steps += end - start
        return false
      }
      steps += found.upperBound - start
      start = found.upperBound
    }
    return true
  }

  /// Whether the text begins with the piece.
  private static func agree(_ text: ArraySlice<UInt8>, _ piece: [UInt8], steps: inout Int) -> Bool {
    for (a, b) in zip(text, piece) {
      steps += 1
      if a != b { return false }
    }
    return true
  }
}
