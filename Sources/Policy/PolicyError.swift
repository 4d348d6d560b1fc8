/// Stops the migration with a message. A policy may throw any other error too.
///
/// ```swift
/// func check(_ topic: DestinationObject) throws {
///   guard try !topic.destinations("presenter").isEmpty else {
///     throw PolicyError("no presenter for \(topic.key)", fix: "give every topic a presenter")
///   }
/// }
/// ```
public struct PolicyError: Error, Sendable, Hashable {
  /// The message.
  public let message: String

  /// The fix.
  public let fix: String?

  /// Creates an error with a message, and optionally a fix.
  public init(_ message: String, fix: String? = nil) {
    self.message = message
    self.fix = fix
  }
}
