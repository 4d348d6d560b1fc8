/// What stopped the work or deserves attention: what happened, where, and how to mend it.
///
/// Every module throws its own small error with facts and says it in words through ``DiagnosticError``;
/// a `Diagnostic` is those words, apart from any colour or width.
///
/// ```swift
/// let diagnostic = Diagnostic(
///   id: "model.unknownParent", what: "entity Car names a parent Vehicle that the model lacks",
///   location: Location(file: "contents", line: 12), fix: "add the entity Vehicle, or clear parentEntity")
/// ```
package struct Diagnostic: Error, Sendable, Hashable {
  package enum Severity: String, Sendable, Hashable {
    case error, warning, note
  }

  /// Stable name, domain first: `store.truncated`. Scripts may match on it; the words may change.
  package var id: String
  package var severity: Severity
  package var what: String
  /// File with line, store with table and row, or the element of a model: the place to look at.
  package var location: Location?
  /// The words that were typed, where the place is in them.
  package var excerpt: Excerpt?
  /// What to do about it; a command where one does it.
  package var fix: String?
  /// Further facts, one to a line.
  package var notes: [String]
  /// Whether it would not be said on another machine, or at another time: no document records such an answer.
  package var dependsOnTime = false

  package init(
    id: String, severity: Severity = .error, what: String, location: Location? = nil,
    excerpt: Excerpt? = nil, fix: String? = nil, notes: [String] = []
  ) {
    self.id = id
    self.severity = severity
    self.what = what
    self.location = location
    self.excerpt = excerpt
    self.fix = fix
    self.notes = notes
  }
}

extension Diagnostic: DiagnosticError {
  package var diagnostic: Diagnostic { self }
}

/// An error that knows its own words.
///
/// The facts stay in the error (an enum that a test can match); the words live in one extension file
/// per module, `<Error>+Diagnostic.swift`.
package protocol DiagnosticError: Error {
  var diagnostic: Diagnostic { get }
}

extension Diagnostic {
  /// The same as the reason why work cannot go on.
  package func asError(_ beginning: String, fix: String) -> Diagnostic {
    var error = self
    error.severity = .error
    error.what = beginning + what
    error.fix = fix
    return error
  }

  /// The same said as a warning: the work went on without what failed.
  package var asWarning: Diagnostic {
    var warning = self
    warning.severity = .warning
    return warning
  }
}
