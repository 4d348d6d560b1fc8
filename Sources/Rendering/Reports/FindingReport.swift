package import StrataBase

/// The result of a command that checks a project, for reports in Markdown and SARIF.
///
/// It contains names, counts and messages, and no value of a store.
package struct FindingReport: Sendable {
  /// A finding with the text of its location: `Wallet: Wallet 6 -> Wallet 7: Card.color`.
  package struct Entry: Sendable {
    package var finding: Finding
    package var subject: String
    /// The text that identifies the finding in later runs: rule, bundle, versions, property and change, without hashes
    /// and line numbers.
    package var identity: String

    package init(_ finding: Finding, of subject: String, named identity: String) {
      (self.finding, self.subject, self.identity) = (finding, subject, identity)
    }
  }

  /// A rule with the severity that its findings have by default.
  package struct Rule: Sendable {
    package var id: String
    package var page: RulePage
    package var severity: Diagnostic.Severity

    package init(_ id: String, _ page: RulePage, _ severity: Diagnostic.Severity) {
      (self.id, self.page, self.severity) = (id, page, severity)
    }
  }

  /// The command: `strata check`.
  package var title: String
  /// What was checked, as a sentence.
  package var checked: String
  /// The findings, the worst first; their files are relative to the repository.
  package var entries: [Entry]
  /// What was tried, such as migrations.
  package var table: Table
  /// What could not be checked.
  package var unchecked: [Diagnostic]

  package init(
    title: String, checked: String, entries: [Entry], table: Table, unchecked: [Diagnostic]
  ) {
    (self.title, self.checked, self.entries) = (title, checked, entries)
    (self.table, self.unchecked) = (table, unchecked)
  }

  /// `2 errors, 1 warning`, the number of accepted findings, and whether something was not checked.
  var verdict: String {
    let counted = entries.map(\.finding).filter { $0.acceptance == nil }
    let accepted = entries.count - counted.count
    let found =
      (counted.isEmpty
        ? "no \(accepted > 0 ? "other " : "")problems found" : counted.counts)
      + (accepted > 0 ? "; \(Phrase.count(accepted, "finding")) accepted" : "")
    return unchecked.isEmpty ? found : "\(found); not everything could be checked"
  }
}
