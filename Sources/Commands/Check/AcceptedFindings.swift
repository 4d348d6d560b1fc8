internal import Foundation
internal import StrataBase
internal import StrataRendering

/// The findings of `check` by the configuration: with its severities, and with what it accepts.
struct AcceptedFindings {
  /// By severity; the accepted ones last.
  private(set) var findings: [Finding]
  /// Whether one of them is accepted until a date, so that the answer depends on the day.
  private(set) var dependsOnTime = false

  /// - Parameters:
  ///   - day: A date such as `2026-11-25`.
  ///   - isComplete: Whether everything was checked, so that an acceptance without a finding is unused.
  init(
    _ found: [Finding], by configuration: CheckConfiguration, on day: String, isComplete: Bool
  ) {
    let accepted = Dictionary(
      configuration.accepted.map { ($0.finding, $0) }, uniquingKeysWith: { first, _ in first })
    var used: Set<String> = []
    findings = found
    for index in findings.indices {
      let name = findings[index].checkedName
      guard let entry = accepted[name] else { continue }
      used.insert(name)
      if entry.acceptance.until != nil { dependsOnTime = true }
      if entry.hasEnded(on: day) {
        findings[index].noteEnd(of: entry)
      } else {
        findings[index].acceptance = entry.acceptance
      }
    }
    if isComplete {
      findings += configuration.accepted.filter { !used.contains($0.finding) }.map {
        Self.unused($0, in: configuration.file)
      }
    }
    for index in findings.indices {
      guard let kind = (findings[index].rule as? CheckRule)?.kind,
        let severity = configuration.severities[kind]
      else { continue }
      findings[index].severity = severity
    }
    findings =
      findings.filter { $0.acceptance == nil }.bySeverity
      + findings.filter { $0.acceptance != nil }.bySeverity
  }

  private static func unused(
    _ entry: CheckConfiguration.Accepted, in file: String
  ) -> Finding {
    Finding(
      CheckRule(.acceptUnused, "there is no finding \(entry.finding)"),
      at: FindingLocation(file: file, line: entry.line),
      fixes: [
        Fix("remove the table, or correct its text: `check --json` gives it as `finding`")
      ])
  }
}

extension Finding {
  /// The text by which the configuration accepts it: `loss/values Wallet: Wallet 6 -> Wallet 7: Card.color`.
  var checkedName: String { "\(id) \(checkedSubject)" }

  /// Whether it may be accepted without a decision: not if its acceptance has ended.
  func mayBeAccepted(by configuration: CheckConfiguration) -> Bool {
    (rule as? CheckRule)?.kind != .acceptUnused
      && !configuration.accepted.contains { $0.finding == checkedName }
  }

  fileprivate mutating func noteEnd(of entry: CheckConfiguration.Accepted) {
    guard let rule = rule as? CheckRule, let until = entry.acceptance.until else { return }
    self.rule = CheckRule(
      rule.kind,
      "\(rule.reason); it was accepted until \(until) (\(entry.acceptance.reason))",
      code: rule.code)
  }
}

extension Session {
  /// The date of the system in UTC, such as `2026-11-25`.
  static func systemDate() -> String { String(Date().ISO8601Format().prefix(10)) }
}
