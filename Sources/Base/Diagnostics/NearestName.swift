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
    let wanted = Array(name.unicodeScalars.prefix(longest))
    var best: (name: String, cost: Int)?
    for candidate in candidates where candidate != name {
      let letters = Array(candidate.unicodeScalars.prefix(longest))
      let isBeginning =
        wanted.count { $0.properties.isAlphabetic } >= 3 && letters.starts(with: wanted)
      let cost = isBeginning ? 2 : distance(wanted, letters)
      guard cost <= max(2, 2 * max(wanted.count, letters.count) / 3) else { continue }
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
    let letters = [a, b].map { Array($0.unicodeScalars.prefix(longest)) }
    let length = max(letters[0].count, letters[1].count)
    guard length > 0 else { return 1 }
    return 1 - Double(distance(letters[0], letters[1])) / Double(2 * length)
  }

  /// Longer names are truncated, so that a hostile name costs no time.
  private static let longest = 200

  /// Edit distance in half edits, a swap of neighbours counting as one edit.
  private static func distance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
    var beforeLast: [Int] = []
    var last = (0...b.count).map { $0 * 2 }
    for i in a.indices {
      var row = [(i + 1) * 2]
      for j in b.indices {
        var cost = min(last[j] + replacement(a[i], b[j]), last[j + 1] + 2, row[j] + 2)
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
          cost = min(cost, beforeLast[j - 1] + 2)
        }
        row.append(cost)
      }
      (beforeLast, last) = (last, row)
    }
    return last[b.count]
  }

  private static func replacement(_ a: Unicode.Scalar, _ b: Unicode.Scalar) -> Int {
    if a == b { return 0 }
    return a.properties.lowercaseMapping == b.properties.lowercaseMapping ? 1 : 2
  }
}
