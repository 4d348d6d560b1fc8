/// What the completion key does to a line.
public struct LineCompletion: Sendable, Hashable {
  /// How many characters (Unicode scalars) before the cursor give way.
  public var replacedCount: Int
  /// What is put in their place; `nil` leaves the line as it is.
  public var replacement: String?
  /// What to list below the line.
  public var list: [String]

  public init(replacedCount: Int = 0, replacement: String? = nil, list: [String] = []) {
    self.replacedCount = replacedCount
    self.replacement = replacement
    self.list = list
  }
}
