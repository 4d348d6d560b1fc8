/// The effect of the completion key on a line.
package struct LineCompletion: Sendable, Hashable {
  /// The number of Unicode scalars before the cursor to replace.
  package var replacedCount: Int
  /// The replacement; `nil` leaves the line unchanged.
  package var replacement: String?
  /// The candidates to list below the line.
  package var list: [String]

  package init(replacedCount: Int = 0, replacement: String? = nil, list: [String] = []) {
    self.replacedCount = replacedCount
    self.replacement = replacement
    self.list = list
  }
}
