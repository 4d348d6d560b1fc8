/// Counts and lists of names in messages.
package enum Phrase {
  /// `1 row`, `3 rows`.
  ///
  /// - Parameter plural: The singular with an `s` by default.
  package static func count(
    _ number: some BinaryInteger, _ singular: String, _ plural: String? = nil
  ) -> String {
    "\(number) \(number == 1 ? singular : plural ?? singular + "s")"
  }

  /// `Topic`, `Topic and TopicList`, `A, B and C`.
  package static func list(_ names: [String]) -> String {
    guard names.count > 1, let last = names.last else { return names.first ?? "" }
    return names.dropLast().joined(separator: ", ") + " and " + last
  }

  /// The first lines of a list, and `and 3 more` as the last if there are others.
  package static func first(_ limit: Int, of lines: [String]) -> [String] {
    lines.prefix(limit) + (lines.count > limit ? ["and \(lines.count - limit) more"] : [])
  }
}
