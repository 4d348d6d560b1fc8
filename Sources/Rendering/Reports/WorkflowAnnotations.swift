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
    annotations(files).map(\.line)
  }

  /// The number of annotations that GitHub shows for a step; it drops the others without a message.
  private static let shownCount = 10

  /// The lines for the worst failures and notes, in as many annotations as GitHub shows; the last line counts the
  /// others.
  package static func worst(_ files: [CheckedFile]) -> [String] {
    let all = annotations(files)
    guard all.count > shownCount else { return all.map(\.line) }
    // What is wrong comes before what could not be checked.
    let sorted = [Diagnostic.Severity.error, .warning, .note].flatMap { severity in
      [false, true].flatMap { isUnchecked in
        all.filter { $0.severity == severity && $0.isUnchecked == isUnchecked }
      }
    }
    let more = Phrase.count(all.count - shownCount + 1, "more finding")
    return sorted.prefix(shownCount - 1).map(\.line) + ["::notice::and \(more) in the summary"]
  }

  private static func annotations(
    _ files: [CheckedFile]
  ) -> [(severity: Diagnostic.Severity, isUnchecked: Bool, line: String)] {
    files.flatMap { file in
      (file.error.map {
        [(.error, true, annotation(.error, $0, line: $0.line ?? 1, name: nil, in: file))]
      } ?? [])
        + file.cases.compactMap { checked in
          checked.found.map { severity, failure in
            (
              severity, false,
              annotation(
                severity, failure, line: failure.line ?? checked.line, name: checked.name, in: file)
            )
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
