/// An error, warning or note: what happened, where, and how to fix it.
///
/// Every module throws its own error type with facts; ``DiagnosticError`` turns it into a `Diagnostic`, plain text
/// without color or width.
///
/// ```swift
/// let diagnostic = Diagnostic(
///   id: "model.unknownParent", what: "entity Car names a parent Vehicle that the model lacks",
///   location: Location(file: "contents", line: 12), fix: "add the entity Vehicle, or clear parentEntity")
/// ```
package struct Diagnostic: Error, Sendable, Hashable {
  package enum Severity: String, Sendable, Hashable, CaseIterable {
    case error, warning, note
  }

  /// Stable name, domain first: `store.truncated`. Scripts may match on it; the text may change.
  package var id: String
  package var severity: Severity
  /// What happened; with the code, if there is one.
  package var what: String
  /// The error with which Core Data refuses the same.
  package var code: CoreDataError?
  /// The location: a file with line, a store with table and row, or an element of a model.
  package var location: Location?
  /// The text that was typed, with the range at fault.
  package var excerpt: Excerpt?
  /// How to fix it; a command if there is one.
  package var fix: String?
  /// Further facts, one per line.
  package var notes: [String]
  /// Whether it depends on the machine or the time: such an answer is never recorded.
  package var dependsOnTime = false

  package init(
    id: String, severity: Severity = .error, what: String, code: CoreDataError? = nil,
    location: Location? = nil, excerpt: Excerpt? = nil, fix: String? = nil, notes: [String] = []
  ) {
    self.id = id
    self.severity = severity
    self.what = what + (code.map { " (\($0))" } ?? "")
    self.code = code
    self.location = location
    self.excerpt = excerpt
    self.fix = fix
    self.notes = notes
  }
}

extension Diagnostic: DiagnosticError {
  package var diagnostic: Diagnostic { self }
}

/// An error that can be shown as a diagnostic.
///
/// The facts are in the error (an enum that a test can match); the text is in one extension file per module,
/// `<Error>+Diagnostic.swift`.
package protocol DiagnosticError: Error {
  var diagnostic: Diagnostic { get }
}

extension Diagnostic {
  /// The diagnostic of any error.
  package init(of error: any Error) {
    self =
      (error as? any DiagnosticError)?.diagnostic
      ?? Diagnostic(id: "internal.unexpected", what: "\(error)")
  }

  /// The diagnostic as an error that stops the work.
  package func asError(_ beginning: String, fix: String) -> Diagnostic {
    var error = self
    error.severity = .error
    error.what = beginning + what
    error.fix = fix
    return error
  }

  /// The diagnostic with its file in another folder, of which the first one has a copy.
  package func moved(from folder: String, to other: String) -> Diagnostic {
    var diagnostic = self
    if let file = location?.file, file == folder || file.hasPrefix(folder + "/") {
      diagnostic.location?.file = other + file.dropFirst(folder.count)
    }
    return diagnostic
  }

  /// The diagnostic as a warning: the work continued without the part that failed.
  package var asWarning: Diagnostic {
    var warning = self
    warning.severity = .warning
    return warning
  }
}
