internal import StrataBase
internal import StrataObjectModel
internal import StrataRendering

/// The results in the forms of the reports, with paths relative to the repository.
extension CheckReport {
  /// The results for a report in Markdown or SARIF.
  func findingReport(in session: Session) -> FindingReport {
    FindingReport(
      title: "strata check", checked: heading.text,
      entries: findings.map {
        FindingReport.Entry(located($0), of: $0.checkedSubject, named: $0.checkedName)
      },
      table: table, unchecked: unchecked.map { located($0, in: session) })
  }

  /// The results by file, for JUnit's XML and annotations: what could not be checked, the findings, a passed case for
  /// each bundle and version without any, and the migrations.
  func files(in session: Session) -> [CheckedFile] {
    var cases: [String: [CheckedCase]] = [:]
    for finding in findings {
      cases[path(finding.location.file), default: []].append(
        CheckedCase(finding, at: finding.checkedSubject))
    }
    func pass(_ name: String, in file: String?) {
      cases[path(file), default: []].append(CheckedCase(name: name, line: 1, result: .passed))
    }
    for bundle in bundles {
      let found = findings.map(\.location).filter { $0.bundle == bundle.label }
      if found.isEmpty { pass("bundle \(bundle.label)", in: bundle.path) }
      for version in bundle.versions.map(\.name)
      where !found.contains(where: { $0.concerns(version: version) }) {
        pass("version \(version)", in: bundle.file(of: version))
      }
    }
    if checked.unchanged != nil { pass(heading.text, in: nil) }
    for row in rows {
      let bundle = bundles.first { $0.label == row.bundle }
      let file = row.store ?? bundle?.file(of: row.to)
      let name = "\(row.bundle): \(row.from) -> \(row.to): \(row.store ?? "generated store")"
      switch (row.problem, row.performed) {
      case (nil, _): pass(name, in: file)
      // A migration that stops is a finding.
      case (_?, true): break
      case (let problem?, false):
        cases[path(file), default: []].append(
          CheckedCase(name: name, line: 1, result: .skipped("\(name): \(problem)")))
      }
    }
    let checked = cases.sorted { $0.key.precedesInBytes($1.key) }.map { file, cases in
      CheckedFile(name: file, cases: cases)
    }
    let errors = unchecked.map { located($0, in: session) }.map { problem in
      CheckedFile(name: problem.location?.file ?? path(nil), unchecked: problem)
    }
    // First, so that they are among the worst annotations.
    return errors + checked
  }

  /// - Parameter file: A path, absolute or relative to the folder of the project; `nil` for that folder.
  private func path(_ file: String?) -> String {
    guard let file, file != root else {
      return repositoryPath.isEmpty ? "." : String(repositoryPath.dropLast())
    }
    let inner = ProjectState.relative(file, to: root)
    return inner.hasPrefix("/") ? inner : repositoryPath + inner
  }

  private func located(_ finding: Finding) -> Finding {
    var finding = finding
    if let file = finding.location.file { finding.location.file = path(file) }
    return finding
  }

  /// The problem without a location outside of the project, such as that of a released model.
  private func located(_ problem: Diagnostic, in session: Session) -> Diagnostic {
    guard let file = problem.location?.file else { return problem }
    var problem = problem
    let shown = (try? session.absolutePath(file)).map { path($0) }
    if let shown, !shown.hasPrefix("/") {
      problem.location?.file = shown
    } else {
      problem.location = nil
    }
    return problem
  }
}

extension FindingLocation {
  /// Whether it is in a version, or in the migration from or to it.
  fileprivate func concerns(version name: String) -> Bool {
    version?.split(separator: " -> ").contains {
      $0 == name || $0.split(separator: ", ").contains(name[...])
    } == true
  }
}
