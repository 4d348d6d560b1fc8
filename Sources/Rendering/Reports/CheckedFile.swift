public import StrataBase

/// What was checked in one file, as reports for other programs tell it.
public struct CheckedFile: Sendable, Hashable {
  /// As the user calls it.
  public var name: String
  /// The file itself, where the user calls it otherwise: of a version of a model, its `contents`.
  public var file: String?
  public var cases: [CheckedCase]
  /// Why nothing could be checked, where that is so.
  public var error: CheckedCase.Failure?

  public init(
    name: String, file: String? = nil, cases: [CheckedCase], error: CheckedCase.Failure? = nil
  ) {
    self.name = name
    self.file = file
    self.cases = cases
    self.error = error
  }
}

/// One thing that was checked.
public struct CheckedCase: Sendable, Hashable {
  public struct Failure: Sendable, Hashable {
    /// In a line what is wrong.
    public var message: String
    /// The whole, line by line.
    public var details: [String]
    /// The place in the file, from 1, where there is one.
    public var line: Int?

    public init(message: String, details: [String] = [], line: Int? = nil) {
      self.message = message
      self.details = details
      self.line = line
    }
  }

  public enum Result: Sendable, Hashable {
    case passed
    /// A failure where it is an error, else a warning or a note.
    case found(Diagnostic.Severity, Failure)
    /// Nothing was compared.
    case skipped(String)
  }

  public var name: String
  /// Where it stands in its file, from 1.
  public var line: Int
  public var result: Result

  public init(name: String, line: Int, result: Result) {
    self.name = name
    self.line = line
    self.result = result
  }

  /// What was found, with its severity; `nil` where nothing was.
  var found: (severity: Diagnostic.Severity, failure: Failure)? {
    if case .found(let severity, let failure) = result { (severity, failure) } else { nil }
  }
}
