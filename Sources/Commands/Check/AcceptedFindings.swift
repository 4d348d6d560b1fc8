internal import StrataBase
internal import StrataEssentials
internal import StrataRendering

/// The findings of `check` by the configuration: with its severities, and with what it accepts.
struct AcceptedFindings {
  /// By severity; the accepted ones last.
  private(set) var findings: [Finding]
  /// Whether one of them is accepted until a date, so that the answer depends on the day.
  private(set) var dependsOnTime = false

  /// - Parameters:
  ///   - day: A date such as `2026-11-25`.
  ///   - file: The file of the configuration, relative to the checked folder.
  ///   - isComplete: Whether everything was checked, so that an acceptance without a finding is unused.
  init(
    _ found: [Finding], by configuration: CheckConfiguration, in file: String, on day: String,
    isComplete: Bool
  ) {
    let accepted = Dictionary(first: configuration.accepted.map { ($0.finding, $0) })
    var used: Set<String> = []
    findings = found
    for index in findings.indices {
      let finding = findings[index]
      guard
        let entry = accepted[finding.checkedName]
          ?? configuration.accepted.first(where: { entry in
            // What is worse for an older version is named beside the newest.
            finding.isOfOlderVersion(than: entry)
              && !found.contains {
                $0.checkedName == entry.finding && finding.severity.isWorse(than: $0.severity)
              }
          })
      else { continue }
      used.insert(entry.finding)
      if entry.acceptance.until != nil { dependsOnTime = true }
      if entry.hasEnded(on: day) {
        findings[index].noteEnd(of: entry)
      } else {
        findings[index].acceptance = entry.acceptance
      }
    }
    if isComplete, !findings.contains(where: \.hidesOthers) {
      findings += configuration.accepted.filter { !used.contains($0.finding) }.map { entry in
        let successor = found.first { $0.isLike(entry) && accepted[$0.checkedName] == nil }
        return Self.unused(entry, in: file, now: successor?.checkedName)
      }
    }
    findings += configuration.accepted.filter { $0.acceptance.reason == AcceptWriter.reason }.map {
      Finding(
        CheckRule(.acceptReason, "there is no reason for accepting \($0.finding)"),
        at: FindingLocation(file: file, line: $0.line),
        fixes: [Fix("replace the text of `reason`: say why the project accepts it")])
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

  /// - Parameter successor: The name of a finding that differs only in the versions.
  private static func unused(
    _ entry: CheckConfiguration.Accepted, in file: String, now successor: String?
  ) -> Finding {
    Finding(
      CheckRule(.acceptUnused, "there is no finding \(entry.finding)"),
      at: FindingLocation(file: file, line: entry.line),
      fixes: [
        Fix(
          successor.map { "if the reason is still true, the finding is now: \($0)" }
            ?? "remove the table, or correct its text: `strata check --json` gives it as `finding`")
      ])
  }
}

extension Finding {
  /// Whether it must be mended first, since there could be other findings without it.
  fileprivate var hidesOthers: Bool {
    let first: [CheckRule.Kind] = [.versionEdited, .versionGone, .mappingStale, .pathNone]
    return acceptance == nil && (rule as? CheckRule).map { first.contains($0.kind) } == true
  }

  /// The text by which the configuration accepts it: `loss/values Wallet: Wallet 6 -> Wallet 7: Card.color`.
  var checkedName: String {
    "\(id) \(checkedSubject)" + ((rule as? CheckRule)?.detail.map { ": \($0)" } ?? "")
  }

  /// Whether it may be accepted without a decision: not if its acceptance has ended.
  func mayBeAccepted(by configuration: CheckConfiguration) -> Bool {
    ![.acceptUnused, .acceptReason].contains((rule as? CheckRule)?.kind)
      && !configuration.accepted.contains {
        $0.finding == checkedName || isOfOlderVersion(than: $0)
      }
  }

  /// The versions of an accepted finding, as `App 2 -> App 3`; `nil` if it differs in anything else.
  private func versions(of entry: CheckConfiguration.Accepted) -> Substring? {
    guard let version = location.version, version.contains(" -> "), let bundle = location.bundle
    else { return nil }
    let start = "\(id) \(bundle): "
    let rest = checkedName.dropFirst("\(start)\(version)".count)
    guard entry.finding.hasPrefix(start), entry.finding.hasSuffix(rest), !rest.isEmpty else {
      return nil
    }
    return entry.finding.dropFirst(start.count).dropLast(rest.count)
  }

  /// Whether it differs from an accepted finding only in its versions.
  fileprivate func isLike(_ entry: CheckConfiguration.Accepted) -> Bool {
    versions(of: entry) != nil
  }

  /// Whether it is an accepted finding of an older version: the newest one that has it stands for the others. The order
  /// is known only where the names of versions differ in their numbers.
  fileprivate func isOfOlderVersion(than entry: CheckConfiguration.Accepted) -> Bool {
    func ends(_ path: Substring) -> (source: String, destination: String)? {
      let parts = path.split(separator: " -> ", maxSplits: 1).map(String.init)
      return parts.count == 2 ? (parts[0], parts[1]) : nil
    }
    guard let accepted = versions(of: entry).flatMap(ends),
      let own = location.version.flatMap({ ends($0[...]) })
    else { return false }
    func stem(_ name: String) -> String { name.filter { $0.isLetter } }
    return own.destination == accepted.destination && stem(own.source) == stem(accepted.source)
      && own.source.precedesByNumber(accepted.source)
  }

  fileprivate mutating func noteEnd(of entry: CheckConfiguration.Accepted) {
    guard let rule = rule as? CheckRule, let until = entry.acceptance.until else { return }
    self.rule = CheckRule(
      rule.kind,
      "\(rule.reason); it was accepted until \(until) (\(entry.acceptance.reason))",
      code: rule.code, detail: rule.detail)
  }
}

extension Session {
  /// The date of the system in UTC, such as `2026-11-25`.
  static func systemDate() -> String { String(Date().ISO8601Format().prefix(10)) }
}
