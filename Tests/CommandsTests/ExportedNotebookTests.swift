import Foundation
import StrataBase
import StrataNotebook
import StrataPages
import StrataSamples
import TestSupport
import Testing

@testable import StrataCommands

/// Notebooks and lessons as pages, and for Jupyter. `Scripts/check-pages` validates the latter with nbformat.
@Suite("Exported notebooks")
struct ExportedNotebookTests {
  @Test("a notebook has its prose, commands and answers, and a stepper for each debug")
  func notebook() throws {
    let folder = try TemporaryFolder()
    let session = TestSession(in: folder)
    session("# <b>Why</b> & how?")
    session("create s.sqlite --model sample:Topics/Model1 --rows 2")
    session("debug s.sqlite --to sample:Topics/Model2")
    session("step 3")
    session("abandon")
    session("debug s.sqlite --to sample:Topics/Model3 --strategy progressive")
    session("abandon")
    session("save n.md")
    let answer = session("export n.md n.html --questions")
    #expect(answer.status == .done && answer.diagnostics.isEmpty, "\(answer)")
    let page = try String(contentsOfFile: folder.path("n.html"), encoding: .utf8)
    #expect(page.components(separatedBy: "<section class=\"stepper").count == 3)
    for text in [
      "&lt;b&gt;Why&lt;/b&gt; &amp; how?", "<pre class=\"command\">step 3</pre>",
      "<pre tabindex=\"0\">abandoned",
    ] {
      #expect(page.contains(text), "\(text)")
    }
    try folder.write("```strata\n> export itself.md page.html\n```\n", to: "itself.md")
    #expect(session("export itself.md page.html").status == .done)
    #expect(session("replay itself.md").status == .done)
    #expect(session("export n.md n2.html --to sample:Topics").diagnostics.contains("command.usage"))
    #expect(session("export s.sqlite n2.html").diagnostics.contains("command.usage"))
  }

  private struct Notebook: Decodable {
    struct Cell: Decodable {
      struct Output: Decodable {
        var outputType: String
        var text: [String]?
        var data: [String: String]?
      }
      var cellType, id, source: String
      var outputs: [Output]?
    }
    var nbformat, nbformatMinor: Int
    var cells: [Cell]

    init(of bytes: Data) throws {
      let decoder = JSONDecoder()
      decoder.keyDecodingStrategy = .convertFromSnakeCase
      self = try decoder.decode(Self.self, from: bytes)
    }
  }

  @Test("a notebook for Jupyter has the recorded answers, the pictures and the stops as outputs")
  func jupyter() throws {
    let folder = try TemporaryFolder()
    let session = TestSession(in: folder)
    for line in [
      "# Why?", "load sample:Topics", "create s.sqlite --model Model1 --rows 1",
      "export Model4..Model5 change.svg", "debug s.sqlite --to Model2", "abandon", "save n.md",
    ] { session(line) }
    let saved = try String(contentsOfFile: folder.path("n.md"), encoding: .utf8)
    try folder.write("<!-- not <b>shown</b> -->\n" + saved, to: "n.md")
    let answer = session("export n.md n.ipynb")
    #expect(answer.status == .done && answer.diagnostics.isEmpty, "\(answer)")
    let bytes = try Data(contentsOf: folder.url.appendingPathComponent("n.ipynb"))
    let notebook = try Notebook(of: bytes)
    #expect(notebook.nbformat == 4 && notebook.nbformatMinor == 5)
    #expect(Set(notebook.cells.map(\.id)).count == notebook.cells.count)
    let document = try SessionDocument(
      reading: String(contentsOfFile: folder.path("n.md"), encoding: .utf8), form: .markdown)
    let code = notebook.cells.filter { $0.cellType == "code" }
    #expect(code.map(\.source) == document.entries.map(\.command))
    for (cell, entry) in zip(code, document.entries) {
      let stream = cell.outputs?.first { $0.outputType == "stream" }?.text
      #expect(stream == entry.recorded?.lines.map { $0 + "\n" }, "\(entry)")
    }
    #expect(!notebook.cells.contains { $0.source.contains("shown") })
    let data = code.flatMap { $0.outputs ?? [] }.compactMap(\.data)
    #expect(data.count == 2, "a picture and a migration")
    #expect(data[0]["image/svg+xml"]?.hasPrefix("<svg") == true)
    #expect(data[1]["text/html"]?.contains("creates Topic/p1 from Topic/p1") == true)
    #expect(data[1]["text/html"]?.contains("<script") == false)
    // The page of the same notebook shows the picture, too.
    session("export n.md n.html")
    let page = try String(contentsOfFile: folder.path("n.html"), encoding: .utf8)
    #expect(answer.output.contains("KB\n"), "every answer is recorded")
    #expect(page.contains("<img src=\"data:image/svg+xml;base64,"))
    #expect(page.contains("alt=\"export Model4..Model5 change.svg\""))
    for words in [
      "sample:Phone x.ipynb --to sample:Topics", "n.md x.svg", "n.md x.html --strategy hybrid",
    ] {
      #expect(session("export \(words)").diagnostics.contains("command.usage"), "\(words)")
    }
    #expect(session("export n.md n.ipynb --force").status == .done)
    try folder.write("{}", to: "n.ipynb")
    #expect(session("export n.md n.ipynb --force").diagnostics.contains("file.otherKind"))
  }

  @Test("every lesson is a page and a notebook, with its questions, hints and solutions on request")
  func lessons() throws {
    let folder = try TemporaryFolder()
    let session = TestSession(in: folder)
    for source in LessonSource.builtIn {
      let name = source.name
      let answer = session("export lesson:\(name) l.html --force")
      #expect(answer.status == .done && answer.diagnostics.isEmpty, "\(answer)")
      let page = try String(contentsOfFile: folder.path("l.html"), encoding: .utf8)
      let (lesson, tasks) = (source.lesson, source.lesson.tasks.map(\.task))
      func count(_ text: String) -> Int { page.components(separatedBy: text).count - 1 }
      // A question shows a reason for each choice.
      let choices = lesson.parts.reduce(0) { count, part in
        guard case .question(let question) = part else { return count }
        return count + (question.kind == .text ? 1 : question.texts.count)
      }
      let debugs = lesson.document.entries.count { $0.command.hasPrefix("debug ") }
      let details = count("<details>") - tasks.count - tasks.reduce(debugs) { $0 + $1.hints.count }
      #expect(details == choices, "\(name)")
      #expect(count("<b>Question.</b>") == lesson.stops.count - tasks.count, "\(name)")
      #expect(count("<summary>Solution</summary>") == tasks.count, "\(name)")
      #expect(
        count("<summary>Hint ") == tasks.reduce(0) { $0 + $1.hints.count }, "\(name)")
      #expect(count("<section class=\"stepper") == debugs, "\(name)")
      #expect(count("<pre class=\"command\">") == lesson.document.entries.count, "\(name)")
      #expect(page.utf8.count < 2_000_000 && !page.contains("&lt;!--"), "\(name)")
      session("export lesson:\(name) l.ipynb --force")
      let bytes = try Data(contentsOf: folder.url.appendingPathComponent("l.ipynb"))
      let notebook = try Notebook(of: bytes)
      let code = notebook.cells.filter { $0.cellType == "code" }
      #expect(code.map(\.source) == lesson.document.entries.map(\.command), "\(name)")
    }
    #expect(session("export lesson:none l.html").diagnostics.contains("lesson.unknown"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).count == 2)
  }

  @Test(
    "the Markdown of prose",
    arguments: [
      ("a **b** `c **d**` e", "<p>a <b>b</b> <code>c **d**</code> e</p>"),
      ("a ` b ** c", "<p>a ` b ** c</p>"),
      ("a\nb\n\nc", "<p>a b</p>\n<p>c</p>"),
      ("- a\n  b\n- c\n\n1. d", "<ul><li>a b</li><li>c</li></ul>\n<ol start=\"1\"><li>d</li></ol>"),
      ("~~~ swift\n<!-- a\n# b\n~~~\nc", "<pre>&lt;!-- a\n# b</pre>\n<p>c</p>"),
      ("````\n```\n````\nd", "<pre>```</pre>\n<p>d</p>"),
      ("a <!-- b --> c <!-- d\ne --> f", "<p>a  c  f</p>"),
      ("> a\n> b\nc", "<blockquote>a b</blockquote>\n<p>c</p>"),
      (
        "| a | `b` |\n|---|:-:|\n| c | d",
        "<div class=\"table\" tabindex=\"0\"><table><tr><th>a</th><th><code>b</code></th></tr>\n"
          + "<tr><td>c</td><td>d</td></tr>\n</table></div>"
      ),
      (
        "2 * 3 *a* **b *c* d**\n***\ne*f",
        "<p>2 * 3 *a* <b>b <em>c</em> d</b></p>\n<hr>\n<p>e*f</p>"
      ),
      ("*a* ![b](c.svg) [d](e.md)", "<p><em>a</em> b [d](e.md)</p>"),
      ("## A `b`\n# Title\ntext", "<h2>A <code>b</code></h2>\n<h2>Title</h2>\n<p>text</p>"),
      (
        "[a&b](https://c.d/?\"e) [f](javascript:g) [h]",
        "<p><a href=\"https://c.d/?&quot;e\">a&amp;b</a> [f](javascript:g) [h]</p>"
      ),
      ("a `<!--` b <!-- c --> d", "<p>a <code>&lt;!--</code> b  d</p>"),
      ("3. a\n   b\n4) c\n#d\n####### e", "<ol start=\"3\"><li>a b 4) c #d ####### e</li></ol>"),
      ("# Title\n## Title", "<h2>Title</h2>"),
      ("- a\n\n  ```\n  b\n  ```", "<ul><li>a</li></ul>\n<pre>  b</pre>"),
      ("<img src=x onerror=y>", "<p>&lt;img src=x onerror=y&gt;</p>"),
    ])
  func markdown(_ text: String, _ html: String) {
    var page = HTMLPage(title: "Title")
    page.add(.markdown(text.components(separatedBy: "\n")))
    let shown = String(decoding: page.bytes, as: UTF8.self)
    #expect(shown.contains("<h1>Title</h1>\n\(html)\n</main>"), "\(shown.suffix(400))")
  }
}
