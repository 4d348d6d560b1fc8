/// The fingerprints of a document's answers, stored at its end, so that a replay can distinguish changed
/// wording from changed data.
///
/// ```
/// <!-- strata answers
/// 9f1c2a77:03be51d0 41aa90c2:77d1e0b3
/// -->
/// ```
/// In a script, each line has the prefix `#= `. Each pair contains two fingerprints: that of a command with
/// its recorded output, and that of the data of its answer. A moved command keeps its fingerprint; a command
/// whose recorded output is edited loses it.
struct AnswerMarks {
  /// The fingerprints of the data, by the fingerprint of command and output.
  private var digests: [String: AnswerDigest] = [:]

  static let scriptMark = Array("#= ".utf8)
  static let opening = Array("<!-- strata answers".utf8)
  private static let closing = "-->"
  private static let pairsPerLine = 4

  init() {}

  /// Reads a line of pairs.
  ///
  /// - Returns: Whether the line consists only of such pairs; otherwise nothing is read.
  mutating func read(_ line: ArraySlice<UInt8>) -> Bool {
    let pairs = String(decoding: line, as: UTF8.self).split(separator: " ").map { pair in
      pair.split(separator: ":").map { AnswerDigest($0) }
    }
    guard !pairs.isEmpty, pairs.allSatisfy({ $0.count == 2 && !$0.contains(nil) }) else {
      return false
    }
    for pair in pairs {
      if let key = pair[0], let digest = pair[1] { digests[key.text] = digest }
    }
    return true
  }

  /// The fingerprints of the data of the recorded answers, one for each entry.
  func digests(of entries: [SessionEntry]) -> [AnswerDigest?] {
    Self.keys(of: entries).map { $0.flatMap { digests[$0] } }
  }

  /// A hidden answer to a repeated command is distinguished by its number.
  private static func keys(of entries: [SessionEntry]) -> [String?] {
    var counts: [String: Int] = [:]
    return entries.map { entry in
      guard let output = entry.recorded else { return nil }
      let text = "\(entry.command)\n\(output.status)\n\(output.text)"
      guard entry.isOpen else { return AnswerDigest.digits(text) }
      counts[text, default: 0] += 1
      let count = counts[text] ?? 1
      return AnswerDigest.digits(count == 1 ? text : "\(text)\(count)")
    }
  }

  /// The lines with the fingerprints of entries; empty if no entry has one.
  static func lines(of entries: [SessionEntry], form: SessionForm) -> [String] {
    var seen: Set<String> = []
    let pairs = zip(keys(of: entries), entries).compactMap { key, entry -> String? in
      guard let key, let digest = entry.digest, seen.insert(key).inserted else { return nil }
      return "\(key):\(digest.text)"
    }
    guard !pairs.isEmpty else { return [] }
    let lines = stride(from: 0, to: pairs.count, by: pairsPerLine).map {
      pairs[$0..<min($0 + pairsPerLine, pairs.count)].joined(separator: " ")
    }
    switch form {
    case .script: return lines.map { "#= " + $0 }
    case .markdown: return [String(decoding: opening, as: UTF8.self)] + lines + [closing]
    }
  }

  static func isClosing(_ line: ArraySlice<UInt8>) -> Bool { line.elementsEqual(closing.utf8) }
}
