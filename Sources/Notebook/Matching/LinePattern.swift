/// A line in which `[..]` matches any number of bytes, including none; `\[..]` is a literal `[..]`.
///
/// Each piece between two `[..]` is matched at its first occurrence, which is correct because a later one
/// leaves less text for the rest. The search is that of Knuth, Morris and Pratt, so matching takes time
/// linear in line and pattern.
struct LinePattern: Hashable {
  private static let elision = Array("[..]".utf8)

  /// The pieces before, between and after the elisions; one piece if there is no elision.
  private let pieces: [[UInt8]]
  /// The total bytes of the pieces: a shorter line cannot match.
  private let length: Int

  init(_ line: String) {
    let bytes = Array(line.utf8)
    var pieces: [[UInt8]] = [[]]
    var index = 0
    while index < bytes.count {
      let last = pieces.count - 1
      if bytes[index] == Self.elision[0], bytes[index...].starts(with: Self.elision) {
        if pieces[last].last == .backslash {
          pieces[last].removeLast()
          pieces[last] += Self.elision
        } else {
          pieces.append([])
        }
        index += Self.elision.count
      } else {
        pieces[last].append(bytes[index])
        index += 1
      }
    }
    self.pieces = pieces
    length = pieces.reduce(0) { $0 + $1.count }
  }

  /// The only matching line, if there is no elision.
  var literal: String? {
    pieces.count == 1 ? String(decoding: pieces[0], as: UTF8.self) : nil
  }

  /// Whether a line can match, by its length, beginning and end.
  static func mayElide(_ line: String) -> Bool { line.utf8.contains(elision[0]) }

  /// The pattern that matches only this line.
  static func escaped(_ line: String) -> String {
    mayElide(line) ? line.replacing("[..]", with: "\\[..]") : line
  }

  /// - Parameter steps: Increased by the number of examined bytes.
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

  /// Whether the text has the piece as a prefix.
  private static func agree(_ text: ArraySlice<UInt8>, _ piece: [UInt8], steps: inout Int) -> Bool {
    for (a, b) in zip(text, piece) {
      steps += 1
      if a != b { return false }
    }
    return true
  }
}
