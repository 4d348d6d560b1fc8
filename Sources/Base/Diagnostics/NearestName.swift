/// The name that a user probably meant, for "did you mean" questions.
package enum NearestName {
  /// The candidate with the smallest edit distance to `name`, if it is small enough to be a typing error.
  ///
  /// Small enough: at most a third of the letters differ, and at least one edit is always allowed. Letter case
  /// counts as half an edit, so `topic` finds `Topic` before `tonic`. A name of which at least three letters were
  /// typed counts as one edit, however long it is. Ties go to the candidate that comes first in byte order.
  ///
  /// ```swift
  /// NearestName.of("contnet", in: ["content", "title"])  // "content"
  /// NearestName.of("zebra", in: ["content", "title"])    // nil
  /// ```
  package static func of(_ name: String, in candidates: some Sequence<String>) -> String? {
    let wanted = letters(of: name)
    let isBeginning = wanted.count { $0.scalar.properties.isAlphabetic } >= 3
    var best: (name: String, cost: Int)?
    for candidate in candidates where candidate != name {
      let letters = letters(of: candidate)
      let limit = max(2, 2 * max(wanted.count, letters.count) / 3)
      let cost =
        isBeginning && letters.starts(with: wanted)
        ? 2 : distance(wanted, letters, within: min(limit, best?.cost ?? limit))
      guard cost <= limit else { continue }
      if let known = best, (known.cost, known.name) <= (cost, candidate) { continue }
      best = (candidate, cost)
    }
    return best?.name
  }

  /// The question with the name, quoted if necessary: `did you mean 'Moody 2'?`
  package static func question(_ name: String) -> String {
    "did you mean \(name.contains(" ") ? "'\(name)'" : name)?"
  }

  /// The similarity of two names: 1 for equal names, 0 for nothing in common.
  ///
  /// ```swift
  /// NearestName.likeness("colour", "color")  // 0.83
  /// ```
  package static func likeness(_ a: String, _ b: String) -> Double {
    let letters = [a, b].map(letters)
    let length = max(letters[0].count, letters[1].count)
    guard length > 0 else { return 1 }
    return 1 - Double(distance(letters[0], letters[1])) / Double(2 * length)
  }

  /// Longer names are truncated, so that a hostile name costs no time.
  private static let longest = 200

  /// A letter and its lower case; of the one that has two letters for it (U+0130), itself.
  private struct Letter: Equatable {
    let scalar: Unicode.Scalar
    let lowercase: Unicode.Scalar
  }

  private static func letters(of name: String) -> [Letter] {
    name.unicodeScalars.prefix(longest).map { scalar in
      let mapping = scalar.properties.lowercaseMapping.unicodeScalars
      return Letter(
        scalar: scalar, lowercase: mapping.count == 1 ? mapping[mapping.startIndex] : scalar)
    }
  }

  /// Edit distance in half edits, a swap of neighbours counting as one edit.
  ///
  /// - Returns: Any number above the limit if the distance is above it.
  private static func distance(_ a: [Letter], _ b: [Letter], within limit: Int = .max) -> Int {
    guard 2 * abs(a.count - b.count) <= limit else { return limit + 1 }
    var beforeLast: [Int] = []
    var last = (0...b.count).map { $0 * 2 }
    var lowestOfLast = 0
    for i in a.indices {
      var row = [(i + 1) * 2]
      row.reserveCapacity(b.count + 1)
      var lowest = row[0]
      for j in b.indices {
        var cost = min(last[j] + replacement(a[i], b[j]), last[j + 1] + 2, row[j] + 2)
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
          cost = min(cost, beforeLast[j - 1] + 2)
        }
        row.append(cost)
        lowest = min(lowest, cost)
      }
      // Each later row continues from one of the last two.
      guard min(lowest, lowestOfLast) <= limit else { return limit + 1 }
      (beforeLast, last, lowestOfLast) = (last, row, lowest)
    }
    return last[b.count]
  }

  private static func replacement(_ a: Letter, _ b: Letter) -> Int {
    if a.scalar == b.scalar { return 0 }
    return a.lowercase == b.lowercase ? 1 : 2
  }
}
