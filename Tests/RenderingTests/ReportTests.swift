import StrataArchives
import StrataBase
import StrataRendering
import Testing

@Suite("Reports for other programs")
struct ReportTests {
  private let files = [
    CheckedFile(
      name: "a,b:c.md",
      cases: [
        CheckedCase(name: "samples", line: 3, result: .passed),
        CheckedCase(
          name: "count \"a\" <b> & \u{1B}[31m", line: 7,
          result: .found(
            .error,
            .init(message: "the answer\u{FFFE} differs", details: ["-1%", "+2", "]]>"]))),
        CheckedCase(name: "loaded", line: 9, result: .skipped("nothing was recorded")),
      ]),
    CheckedFile(name: "d.md", cases: [], error: .init(message: "no such file")),
  ]

  @Test("JUnit: counts, cases and failures, with any characters in names")
  func junit() throws {
    let root = try MarkupElement(reading: JUnitReport.encoded(files, name: "strata replay"))
    #expect(root.name == "testsuites")
    #expect(
      root.attributes
        == ["name": "strata replay", "tests": "4", "failures": "1", "errors": "1"])
    let first = root.children[0]
    #expect(
      first.attributes
        == ["name": "a,b:c.md", "tests": "3", "failures": "1", "errors": "0", "skipped": "1"])
    #expect(first.children.map { $0.attributes["line"] } == ["3", "7", "9"])
    #expect(first.children.map { $0.children.map(\.name) } == [[], ["failure"], ["skipped"]])
    #expect(first.children[1].attributes["name"] == #"7: count "a" <b> & \e[31m"#)
    let failure = first.children[1].children[0]
    #expect(failure.attributes["message"] == "the answer\u{FFFD} differs")
    #expect(failure.trimmedText == "-1%\n+2\n]]>")
    #expect(root.children[1].children[0].children[0].name == "error")
    #expect(root.children[1].children[0].attributes["file"] == "d.md")
  }

  @Test("annotations: one line for each failure, with the escapes of workflow commands")
  func annotations() {
    #expect(
      WorkflowAnnotations.lines(files) == [
        "::error file=a%2Cb%3Ac.md,line=7,title=the answer\u{FFFE} differs"
          + "::count \"a\" <b> & \u{1B}[31m%0A-1%25%0A+2%0A]]>",
        "::error file=d.md,line=1,title=no such file::",
      ])
  }

  @Test("a warning and a note are skipped cases, and annotations at their levels")
  func notes() throws {
    let cases = [Diagnostic.Severity.warning, .note].map { severity in
      CheckedCase(
        name: "rule A.x", line: 1,
        result: .found(severity, CheckedCase.Failure(message: "is lost", details: ["fix: keep it"]))
      )
    }
    let file = CheckedFile(name: "M", cases: cases)
    let suite = try MarkupElement(reading: JUnitReport.encoded([file], name: "s")).children[0]
    #expect(suite.attributes["skipped"] == "2" && suite.attributes["failures"] == "0")
    let skipped = suite.children.map { $0.children[0] }
    #expect(skipped.map { $0.attributes["message"] } == ["warning: is lost", "note: is lost"])
    #expect(skipped.map(\.trimmedText) == ["fix: keep it", "fix: keep it"])
    #expect(
      WorkflowAnnotations.lines([file]) == [
        "::warning file=M,line=1,title=is lost::rule A.x%0Afix: keep it",
        "::notice file=M,line=1,title=is lost::rule A.x%0Afix: keep it",
      ])
  }
}
