package import StrataBase

/// The results of checking one file, for reports to other programs.
package struct CheckedFile: Sendable, Hashable {
  /// The name as the user typed it.
  package var name: String
  /// The file itself, if it differs from the name: for a version of a model, its `contents`.
  package var file: String?
  package var cases: [CheckedCase]
  /// The error because of which nothing could be checked.
  package var error: CheckedCase.Failure?

  package init(
    name: String, file: String? = nil, cases: [CheckedCase], error: CheckedCase.Failure? = nil
  ) {
    self.name = name
    self.file = file
    self.cases = cases
    self.error = error
  }
}

/// A check and its result.
package struct CheckedCase: Sendable, Hashable {
  package struct Failure: Sendable, Hashable {
    /// The message on one line.
    package var message: String
    /// The whole message as lines.
    package var details: [String]
    /// The line in the file, starting at 1, if known.
    package var line: Int?

    package init(message: String, details: [String] = [], line: Int? = nil) {
      self.message = message
      self.details = details
      self.line = line
    }
  }

  package enum Result: Sendable, Hashable {
    case passed
    /// A finding: a failure if it is an error, else a warning or a note.
    case found(Diagnostic.Severity, Failure)
    /// Skipped: nothing was compared.
    case skipped(String)
  }

  package var name: String
  /// The line in its file, starting at 1.
  package var line: Int
  package var result: Result
  /// Whether the same name can stand on other lines, as that of a command can.
  package var isRepeatable: Bool

  package init(name: String, line: Int, result: Result, isRepeatable: Bool = true) {
    self.name = name
    self.line = line
    self.result = result
    self.isRepeatable = isRepeatable
  }

  /// The finding with its severity; `nil` if there is none.
  var found: (severity: Diagnostic.Severity, failure: Failure)? {
    if case .found(let severity, let failure) = result { (severity, failure) } else { nil }
  }
}
