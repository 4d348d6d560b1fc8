/// Stops the migration with a message. A policy may throw any other error too.
///
/// ```swift
/// guard try !topic.destinations("presenter").isEmpty else {
///   throw PolicyError("no presenter for \(topic.key)", fix: "give every topic a presenter")
/// }
/// ```
public struct PolicyError: Error, Sendable, Hashable {
  /// What is wrong.
  public let message: String

  /// What to do about it.
  public let fix: String?

  /// An error that says what is wrong, and perhaps what to do about it.
  public init(_ message: String, fix: String? = nil) {
    self.message = message
    self.fix = fix
  }
}
