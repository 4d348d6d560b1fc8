internal import StrataBase

/// Annotations of a GitHub workflow: `::error …` for each failure, `::warning …` and
/// `::notice …` for warnings and notes.
///
/// ```
/// ::error file=topics.md,line=12,title=the answer differs::compare phone Model5%0A-fits
/// ```
///
/// Source: GitHub's documentation of workflow commands.
package enum WorkflowAnnotations {
  /// The lines for the failures and notes of files, without line feeds.
  package static func lines(_ files: [CheckedFile]) -> [String] {
    files.flatMap { file in
      (file.error.map { [annotation(.error, $0, line: $0.line ?? 1, name: nil, in: file)] } ?? [])
        + file.cases.compactMap { checked in
          checked.found.map { severity, failure in
            annotation(
              severity, failure, line: failure.line ?? checked.line, name: checked.name, in: file)
          }
        }
    }
  }

  private static func annotation(
    _ severity: Diagnostic.Severity, _ failure: CheckedCase.Failure, line: Int, name: String?,
    in file: CheckedFile
  ) -> String {
    let text = ([name].compactMap { $0 } + failure.details).joined(separator: "\n")
    return
      "::\(level(severity)) file=\(property(file.file ?? file.name)),line=\(line),title=\(property(failure.message))"
      + "::\(data(text))"
  }

  private static func level(_ severity: Diagnostic.Severity) -> String {
    switch severity {
    case .error: "error"
    case .warning: "warning"
    case .note: "notice"
    }
  }

  private static func data(_ text: String) -> String {
    text.replacing("%", with: "%25").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
  }

  private static func property(_ text: String) -> String {
    data(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
  }
}
