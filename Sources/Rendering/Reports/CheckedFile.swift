package import StrataBase

/// What was checked in one file, as reports for other programs tell it.
package struct CheckedFile: Sendable, Hashable {
  /// As the user calls it.
  package var name: String
  /// The file itself, where the user calls it otherwise: of a version of a model, its `contents`.
  package var file: String?
  package var cases: [CheckedCase]
  /// Why nothing could be checked, where that is so.
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

/// One thing that was checked.
package struct CheckedCase: Sendable, Hashable {
  package struct Failure: Sendable, Hashable {
    /// In a line what is wrong.
    package var message: String
    /// The whole, line by line.
    package var details: [String]
    /// The place in the file, from 1, where there is one.
    package var line: Int?

    package init(message: String, details: [String] = [], line: Int? = nil) {
      self.message = message
      self.details = details
      self.line = line
    }
  }

  package enum Result: Sendable, Hashable {
    case passed
    /// A failure where it is an error, else a warning or a note.
    case found(Diagnostic.Severity, Failure)
    /// Nothing was compared.
    case skipped(String)
  }

  package var name: String
  /// Where it stands in its file, from 1.
  package var line: Int
  package var result: Result

  package init(name: String, line: Int, result: Result) {
    self.name = name
    self.line = line
    self.result = result
  }

  /// What was found, with its severity; `nil` where nothing was.
  var found: (severity: Diagnostic.Severity, failure: Failure)? {
    if case .found(let severity, let failure) = result { (severity, failure) } else { nil }
  }
}
