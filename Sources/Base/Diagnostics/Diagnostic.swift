/// What stopped the work or deserves attention: what happened, where, and how to mend it.
///
/// Every module throws its own small error with facts and says it in words through ``DiagnosticError``;
/// a `Diagnostic` is those words, apart from any colour or width.
///
/// ```swift
/// let diagnostic = Diagnostic(
///   id: "model.unknownParent", what: "entity Car names a parent Vehicle that the model lacks",
///   location: Location(file: "contents", line: 12), mend: "add the entity Vehicle, or clear parentEntity")
/// ```
public struct Diagnostic: Error, Sendable, Hashable {
  public enum Severity: String, Sendable, Hashable {
    case error, warning, note
  }

  /// Stable name, domain first: `store.truncated`. Scripts may match on it; the words may change.
  public var id: String
  public var severity: Severity
  public var what: String
  /// File with line, store with table and row, or the element of a model: the place to look at.
  public var location: Location?
  /// The words that were typed, where the place is in them.
  public var excerpt: Excerpt?
  /// What to do about it; a command where one does it.
  public var mend: String?
  /// Further facts, one to a line.
  public var notes: [String]
  /// Whether it would not be said on another machine, or at another time: no document records such an answer.
  public var dependsOnTime = false

  public init(
    id: String, severity: Severity = .error, what: String, location: Location? = nil,
    excerpt: Excerpt? = nil, mend: String? = nil, notes: [String] = []
  ) {
    self.id = id
    self.severity = severity
    self.what = what
    self.location = location
    self.excerpt = excerpt
    self.mend = mend
    self.notes = notes
  }
}

extension Diagnostic: DiagnosticError {
  public var diagnostic: Diagnostic { self }
}

/// An error that knows its own words.
///
/// The facts stay in the error (an enum that a test can match); the words live in one extension file
/// per module, `<Error>+Diagnostic.swift`.
public protocol DiagnosticError: Error {
  var diagnostic: Diagnostic { get }
}

extension Diagnostic {
  /// The same as the reason why work cannot go on.
  public func asError(_ beginning: String, mend: String) -> Diagnostic {
    var error = self
    error.severity = .error
    error.what = beginning + what
    error.mend = mend
    return error
  }

  /// The same said as a warning: the work went on without what failed.
  public var asWarning: Diagnostic {
    var warning = self
    warning.severity = .warning
    return warning
  }
}
