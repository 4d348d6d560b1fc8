/// The effect of the completion key on a line.
package struct LineCompletion: Sendable, Hashable {
  /// The number of Unicode scalars before the cursor to replace.
  package var replacedCount: Int
  /// The replacement; `nil` leaves the line unchanged.
  package var replacement: String?
  /// The candidates to list below the line.
  package var list: [Item]

  /// A candidate, and what it does, if that is known.
  package struct Item: Sendable, Hashable {
    var name: String
    var summary: String?

    package init(_ name: String, _ summary: String? = nil) {
      (self.name, self.summary) = (name, summary)
    }
  }

  package init(replacedCount: Int = 0, replacement: String? = nil, list: [Item] = []) {
    self.replacedCount = replacedCount
    self.replacement = replacement
    self.list = list
  }
}
