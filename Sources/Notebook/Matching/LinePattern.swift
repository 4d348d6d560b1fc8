/// A line in which `[..]` stands for any run of bytes, also none; `\[..]` for `[..]` itself.
///
/// Every piece between two `[..]` is taken where it is found first, which is right because taking
/// it later leaves less for the rest. Finding is by Knuth, Morris and Pratt, so a match takes time
/// linear in line and pattern.
struct LinePattern: Hashable {
  private static let elision = Array("[..]".utf8)

  /// What stands before, between and after the elisions; one where there is none.
  private let pieces: [[UInt8]]
  /// Bytes of all pieces: a shorter line cannot match.
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

  /// The only line that fits, where there is no elision.
  var literal: String? {
    pieces.count == 1 ? String(decoding: pieces[0], as: UTF8.self) : nil
  }

  /// Whether a line is worth a closer look.
  static func mayElide(_ line: String) -> Bool { line.utf8.contains(elision[0]) }

  /// The pattern that a line alone fits.
  static func escaped(_ line: String) -> String {
    mayElide(line) ? line.replacing("[..]", with: "\\[..]") : line
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
