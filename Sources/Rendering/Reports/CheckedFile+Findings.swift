package import StrataBase

extension CheckedFile {
  /// A model, a store or a mapping model with a case for each finding: an error is a failure, a warning or a note
  /// is added to a skipped case.
  package init(name: String, findings: [Finding]) {
    self.init(name: name, cases: findings.map { CheckedCase($0) })
  }

  /// A file of which nothing could be checked.
  ///
  /// - Parameter file: The file itself, if it differs from the name.
  package init(name: String, file: String? = nil, unchecked problem: Diagnostic) {
    self.init(
      name: name, file: file, cases: [],
      error: CheckedCase.Failure(
        message: problem.what, details: problem.fix.map { ["fix: \($0)"] } ?? [],
        line: problem.location?.line))
  }
}

extension CheckedCase {
  /// - Parameter done: The applied fix; the case is then skipped with this text.
  package init(_ finding: Finding, fixedBy done: String) {
    self.init(
      name: Self.name(of: finding), line: finding.location.line ?? 1,
      result: .skipped("fixed: \(done)"), isRepeatable: false)
  }

  private static func name(of finding: Finding, at subject: String? = nil) -> String {
    let location = subject ?? finding.location.description
    return location.isEmpty ? finding.id : "\(finding.id) \(location)"
  }

  /// The name from the rule and the location, and the line of the location.
  ///
  /// - Parameter subject: The location in the name, with which the message also begins, since readers show it without
  ///   the name; `nil` for that of the finding, in the name alone.
  package init(_ finding: Finding, at subject: String? = nil) {
    let name = Self.name(of: finding, at: subject)
    let line = finding.location.line ?? 1
    let failure = Failure(
      message: subject.map { "\($0): \(finding.message)" } ?? finding.message,
      details: finding.fixes.flatMap { fix in [fix.reported] + fix.commands },
      line: finding.location.line)
    self.init(
      name: name, line: line,
      result: finding.acceptance.map { .skipped($0.text) } ?? .found(finding.severity, failure),
      isRepeatable: false)
  }
}
