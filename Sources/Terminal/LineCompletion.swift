/// What the completion key does to a line.
package struct LineCompletion: Sendable, Hashable {
  /// How many characters (Unicode scalars) before the cursor give way.
  package var replacedCount: Int
  /// What is put in their place; `nil` leaves the line as it is.
  package var replacement: String?
  /// What to list below the line.
  package var list: [String]

  package init(replacedCount: Int = 0, replacement: String? = nil, list: [String] = []) {
    self.replacedCount = replacedCount
    self.replacement = replacement
    self.list = list
  }
}
