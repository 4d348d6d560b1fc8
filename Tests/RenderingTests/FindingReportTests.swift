import Foundation
import StrataBase
import Testing

@testable import StrataRendering

@Suite("Markdown and SARIF reports")
struct FindingReportTests {
  private struct Rule: FindingRule {
    static let domain = "loss"
    static let pages: [RulePage] = []
    var caseName = "values"
    var reason = "is lost"
    var severity = Diagnostic.Severity.error
    static func id(ofPage name: String) -> String { "\(domain)/\(name)" }
  }

  private static func entry(
    _ name: String = "title", line: Int? = 7, _ reason: String = "is lost",
    _ severity: Diagnostic.Severity = .error
  ) -> FindingReport.Entry {
    FindingReport.Entry(
      Finding(
        Rule(reason: reason, severity: severity),
        at: FindingLocation(
          bundle: "X", version: "A -> B", entity: "Topic", property: name,
          file: "ios/X y.xcdatamodeld/B.xcdatamodel/contents", line: line),
        fixes: [Fix("accept it", commands: ["infer A B"])]),
      of: "X: A -> B: Topic.\(name)", named: "loss/values X: A -> B: Topic.\(name)")
  }

  private static func report(
    _ entries: [FindingReport.Entry], rows: [[String]] = [["A", "3"]],
    unchecked: [Diagnostic] = []
  ) -> FindingReport {
    FindingReport(
      title: "strata check", checked: "checked X: 2 versions", entries: entries,
      table: Table(
        columns: [.init("from"), .init("lost", .right)],
        rows: rows.map { $0.map { StyledText($0) } }),
      unchecked: unchecked)
  }

  private static let shallow = Diagnostic(
    id: "check.shallow", severity: .warning, what: "the clone is shallow",
    location: Location(file: "a/b.xml", line: 3), fix: "fetch the tags")

  private static func markdown(_ report: FindingReport) -> String {
    String(decoding: MarkdownReport.encoded(report), as: UTF8.self)
  }

  // MARK: Terminal

  @Test("a command of a fix is on one line at any width, and the text around it is wrapped")
  func unbreakableCommands() {
    let command = "git checkout v1.0 -- 'My App.xcdatamodeld/App 1.xcdatamodel/contents'"
    let words = "restore the version as it was released"
    let diagnostic = Diagnostic(
      id: "a.b", what: words, fix: "\(words): `\(command)`, or \(words); `\(command)` again")
    let fix = Fix("\(words), or `\(command)`", commands: [command])
    let finding = Finding(
      Rule(), at: FindingLocation(file: "contents"), fixes: [fix])
    for width in 1...200 {
      let renderer = Renderer(style: .plain, width: width)
      for text in [renderer.text(diagnostic), renderer.text(.lines(finding.lines()))] {
        let lines = text.split(separator: "\n")
        #expect(text.components(separatedBy: command).count == 3, "\(width): \(text)")
        for line in lines where !line.contains(command) { #expect(line.count <= width) }
        for line in lines where line.contains(command) && line.count > width {
          #expect(line.drop { " `".contains($0) }.hasPrefix(command), "\(width): \(line)")
        }
      }
    }
    #expect(StyledText("`a b` c ` d").wrapped(to: 3).map(\.text) == ["`a b`", "c `", "d"])
  }

  // MARK: Markdown

  @Test("Markdown: the verdict, the findings, what was not checked, and the migrations")
  func markdown() {
    #expect(
      Self.markdown(Self.report([Self.entry()], unchecked: [Self.shallow])) == """
        <!-- strata report -->
        ### strata check: 1 error; not everything could be checked

        checked X: 2 versions

        | severity | rule | where | message | fix |
        | --- | --- | --- | --- | --- |
        | error | <code>loss/values</code> | X: A -&#62; B: Topic.title<br><code>ios/X y.xcdatamodeld/B.xcdatamodel/contents:7</code> | is lost | accept it<br><code>infer A B</code> |

        | not checked | where | fix |
        | --- | --- | --- |
        | the clone is shallow | <code>a/b.xml:3</code> | fetch the tags |

        | from | lost |
        | --- | ---: |
        | A | 3 |

        """)
    #expect(
      Self.markdown(Self.report([], rows: [])) == """
        <!-- strata report -->
        ### strata check: no problems found

        checked X: 2 versions

        """)
  }

  @Test(
    "Markdown: special characters have no meaning",
    arguments: [
      ("a|b", "a&#124;b"), ("a\nb\r", "a&#92;nb&#92;r"), ("<b>&amp;", "&#60;b&#62;&#38;amp;"),
      ("`x` *y* _z_", "&#96;x&#96; &#42;y&#42; &#95;z&#95;"), ("[a](b)", "&#91;a&#93;(b)"),
      ("~~a~~ $b$ \\", "&#126;&#126;a&#126;&#126; &#36;b&#36; &#92;"), ("@team", "@&#8203;team"),
      ("https://a.b www.c.d", "https&#58;//a.b www&#46;c.d"), ("a\u{202E}b", "a&#92;u{202e}b"),
    ])
  func escapes(text: String, escaped: String) {
    #expect(MarkdownReport.escaped(text) == escaped)
    let name = Self.markdown(Self.report([Self.entry(text, text)], rows: [[text, text]]))
    #expect(name.components(separatedBy: escaped).count == 5, "\(name)")
    let lines = name.split(separator: "\n").filter { $0.hasPrefix("|") }
    #expect(lines.map { $0.count { $0 == "|" } } == [6, 6, 6, 3, 3, 3])
  }

  @Test(
    "Markdown: 10,000 findings are shorter than a comment on GitHub, the worst first",
    arguments: ["name", String(repeating: "<|>", count: 2_000)])
  func limit(name: String) throws {
    let severities: [Diagnostic.Severity] = [.error, .warning, .note]
    let entries = (0..<10_000).map { Self.entry("\(name)\($0)", name, severities[$0 / 4_000]) }
    let text = Self.markdown(
      Self.report(
        entries, rows: (0..<10_000).map { ["\(name)\($0)", "1"] },
        unchecked: Array(repeating: Self.shallow, count: 10_000)))
    #expect(text.count < 65_000 && text.utf16.count < 65_000)
    #expect(text.contains("\n| error |") && !text.contains("\n| note |"))
    let shown = text.components(separatedBy: "\n| error |").count - 1
    #expect(text.contains("\n\nand \(10_000 - shown) more findings\n"), "\(shown)")
    #expect(text.contains(" more problems\n") && text.contains(" more rows\n"))
    #expect(name.count > 10 || text.count > 60_000)
  }

  // MARK: Annotations

  @Test("annotations: the ten that GitHub shows are the worst nine and a count of the others")
  func worst() {
    func file(_ count: Int) -> CheckedFile {
      let severities: [Diagnostic.Severity] = [.note, .warning, .error]
      return CheckedFile(
        name: "f",
        findings: (0..<count).map { Self.entry("p\($0)", "m", severities[$0 % 3]).finding })
    }
    #expect(WorkflowAnnotations.worst([file(10)]) == WorkflowAnnotations.lines([file(10)]))
    let lines = WorkflowAnnotations.worst([file(24)])
    #expect(
      lines.map { $0.prefix(9) } == Array(repeating: "::error f", count: 8)
        + ["::warning", "::notice:"])
    #expect(lines.last == "::notice::and 15 more findings in the summary")
    #expect(Set(lines).isSubset(of: WorkflowAnnotations.lines([file(24)]) + [lines[9]]))
  }

  // MARK: SARIF

  /// A part of a report by keys and indexes.
  private struct JSON {
    var value: Any?

    subscript(key: String) -> JSON { JSON(value: (value as? [String: Any])?[key]) }
    subscript(index: Int) -> JSON { JSON(value: (value as? [Any])?[index]) }
    var text: String? { value as? String }
    var texts: [String?] { (value as? [Any] ?? []).map { JSON(value: $0)["message"]["text"].text } }
  }

  private static func run(_ report: FindingReport) throws -> JSON {
    let page = RulePage("values", "Values are lost", "The migration loses values.")
    let bytes = SARIFReport.encoded(
      report, rules: [FindingReport.Rule("loss/values", page, .error)], version: "1.2.3")
    let log = JSON(value: try JSONSerialization.jsonObject(with: Data(bytes)))
    #expect(log["version"].text == "2.1.0")
    return log["runs"][0]
  }

  @Test("SARIF: rules, results with locations, and what could not be checked")
  func sarif() throws {
    let run = try Self.run(
      Self.report(
        [Self.entry(), Self.entry(line: nil, "a\nb", .note)], unchecked: [Self.shallow]))
    let rule = run["tool"]["driver"]["rules"][0]
    #expect(rule["id"].text == "loss/values")
    #expect(rule["shortDescription"]["text"].text == "Values are lost")
    #expect(rule["fullDescription"]["text"].text == "The migration loses values.")
    #expect(rule["help"]["text"].text?.contains("`strata help loss/values`") == true)
    let results = run["results"]
    #expect(results[0]["level"].text == "error" && results[1]["level"].text == "note")
    #expect(results[0]["ruleIndex"].value as? Int == 0)
    #expect(
      results.texts == [
        "X: A -> B: Topic.title: is lost\nfix: accept it\ninfer A B",
        "X: A -> B: Topic.title: a\\nb\nfix: accept it\ninfer A B",
      ])
    let place = results[0]["locations"][0]["physicalLocation"]
    #expect(
      place["artifactLocation"]["uri"].text == "ios/X%20y.xcdatamodeld/B.xcdatamodel/contents")
    #expect(place["region"]["startLine"].value as? Int == 7)
    #expect(results[1]["locations"][0]["physicalLocation"]["region"].value == nil)
    let invocation = run["invocations"][0]
    #expect(invocation["executionSuccessful"].value as? Bool == false)
    #expect(
      invocation["toolExecutionNotifications"].texts
        == ["the clone is shallow\nfix: fetch the tags"])
    let complete = try Self.run(Self.report([]))
    #expect(complete["invocations"][0]["executionSuccessful"].value as? Bool == true)
  }

  @Test("SARIF: a fingerprint contains neither line nor message, and tells results apart")
  func fingerprints() throws {
    let run = try Self.run(
      Self.report([Self.entry(), Self.entry(line: 9, "a1b2 -> c3d4"), Self.entry("other")]))
    let prints = (0..<3).map { run["results"][$0]["partialFingerprints"] }
    #expect(
      prints.map { $0["strataFinding/v1"].text } == [
        "loss/values X: A -> B: Topic.title", "loss/values X: A -> B: Topic.title",
        "loss/values X: A -> B: Topic.other",
      ])
    let hashes = prints.compactMap { $0["primaryLocationLineHash"].text }
    #expect(Set(hashes).count == 3 && hashes[0].hasSuffix(":1"))
    #expect(hashes[1] == hashes[0].dropLast(2) + ":2")
  }
}
