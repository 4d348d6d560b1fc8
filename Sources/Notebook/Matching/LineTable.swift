/// Numbers for lines; lines with the same bytes have the same number.
struct LineTable {
  private struct Line: Hashable {
    var bytes: [UInt8]

    func hash(into hasher: inout Hasher) {
      bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    }
  }

  private var numbers: [Line: Int] = [:]
  /// The bytes of each line, by number.
  private(set) var lines: [[UInt8]] = []

  mutating func number(of line: String) -> Int {
    let key = Line(bytes: Array(line.utf8))
    if let number = numbers[key] { return number }
    numbers[key] = lines.count
    lines.append(key.bytes)
    return lines.count - 1
  }
}
