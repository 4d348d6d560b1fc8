internal import StrataBase
internal import StrataExpressions

/// The objects that do not meet a requirement.
struct FailedRequirements {
  private static let listedLimit = 20
  private var listed: [String] = []
  private var count = 0

  mutating func add(
    _ object: String, _ message: [PolicyScript.MessagePart], _ context: EvaluationContext
  ) throws {
    count += 1
    guard listed.count < Self.listedLimit else { return }
    let parts = try message.map { part in
      switch part {
      case .text(let text): text
      case .value(let expression, let isRevealed):
        try Self.shown(FilePolicy.value(of: expression, context), isRevealed)
      }
    }
    listed.append("\(object): \(parts.joined())")
  }

  private static func shown(_ value: AttributeValue, _ isRevealed: Bool) -> String {
    isRevealed || value == .null ? value.messageText : "(\(value.summary))"
  }

  /// - Parameter statement: The text of the requirement, if it is known.
  /// - Throws: ``Diagnostic`` if there are such objects.
  func check(_ statement: String? = nil) throws {
    guard count > 0 else { return }
    let owner = statement == nil ? "policy" : "stage"
    throw Diagnostic(
      id: "policy.notMet",
      what: count == 1 ? listed[0] : "\(count) objects do not meet a requirement of the \(owner)",
      fix: "correct the objects in a statement before it, or change the requirement"
        + (statement.map { ": \($0)" } ?? " in the policy file"),
      notes: (count == 1 ? [] : listed) + (count > listed.count ? ["…"] : []))
  }
}
