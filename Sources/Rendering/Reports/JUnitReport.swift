internal import StrataArchives
internal import StrataBase

/// A report in the JUnit XML format that CI systems read: a suite for each file, a case for
/// each command.
///
/// It contains no times, so that equal results give equal bytes.
///
/// Source: the formats documented for Jenkins, GitLab and GitHub Actions; there is no standard. The schema of Jenkins'
/// xUnit plugin permits everything except the attributes `file` and `line` of cases. GitLab and actions that annotate
/// pull requests read them; Jenkins' own step `junit` ignores them.
package enum JUnitReport {
  /// The report as an XML document with a line feed at the end.
  package static func encoded(_ files: [CheckedFile], name: String) -> [UInt8] {
    var root = MarkupElement(name: "testsuites", attributes: counts(files))
    root.attributes["name"] = name
    // That schema permits the number in suites alone.
    root.attributes["skipped"] = nil
    root.children = files.map(suite)
    return root.encoded { _ in ["name", "classname", "file", "line", "message", "type"] } + [0x0A]
  }

  private static func suite(_ file: CheckedFile) -> MarkupElement {
    var suite = MarkupElement(name: "testsuite", attributes: counts([file]))
    suite.attributes["name"] = escaped(file.name)
    suite.children = file.cases.map { element($0, of: file) }
    if let error = file.error {
      var unread = element(
        CheckedCase(name: file.name, line: error.line ?? 1, result: .passed), of: file)
      unread.children = [problem("error", error)]
      suite.children.append(unread)
    }
    return suite
  }

  private static func element(_ checked: CheckedCase, of file: CheckedFile) -> MarkupElement {
    // Build servers follow a test by its name, which a line above must not change.
    let name = checked.isRepeatable ? "\(checked.line): \(checked.name)" : checked.name
    var element = MarkupElement(
      name: "testcase",
      attributes: [
        "name": escaped(name), "classname": escaped(file.name),
        "file": escaped(file.file ?? file.name), "line": String(checked.line),
      ])
    switch checked.result {
    case .passed: break
    case .found(.error, let failure): element.children = [problem("failure", failure)]
    case .found(let severity, var note):
      note.message = "\(severity.rawValue): \(note.message)"
      element.children = [problem("skipped", note)]
    case .skipped(let why):
      element.children = [problem("skipped", CheckedCase.Failure(message: why))]
    }
    return element
  }

  private static func problem(_ name: String, _ failure: CheckedCase.Failure) -> MarkupElement {
    MarkupElement(
      name: name, attributes: ["message": escaped(failure.message)],
      text: failure.details.map(escaped).joined(separator: "\n"))
  }

  private static func counts(_ files: [CheckedFile]) -> [String: String] {
    let cases = files.flatMap(\.cases)
    let errors = files.count { $0.error != nil }
    return [
      "tests": String(cases.count + errors),
      "failures": String(cases.count { $0.found?.severity == .error }), "errors": String(errors),
      "skipped": String(
        cases.count {
          switch $0.result {
          case .passed, .found(.error, _): false
          case .found, .skipped: true
          }
        }),
    ]
  }

  /// Replaces the characters that XML does not allow: control characters and two noncharacters.
  private static func escaped(_ text: String) -> String {
    var text = text.escapingControlCharacters
    for noncharacter in ["\u{FFFE}", "\u{FFFF}"] {
      text = text.replacing(noncharacter, with: "\u{FFFD}")
    }
    return text
  }
}
