import Foundation
import StrataBase
import StrataRendering
import TestSupport
import Testing

@Suite("Rendering")
struct RenderingTests {
  private let plain = Renderer(style: .plain)

  @Test("columns are aligned, also with wide characters, without trailing spaces")
  func tables() {
    let table = Table(
      columns: [.init("name"), .init("rows", .right), .init("")],
      rows: [["Topic", "5", "x"], ["名前", "12", ""]])
    #expect(plain.text(.table(table)) == "name   rows\nTopic     5  x\n名前     12\n")
  }

  @Test("a table fits the width: the widest columns are narrowed first and their cells wrapped")
  func narrowTables() {
    let table = Table(
      columns: [.init("entity"), .init("hash"), .init("note")],
      rows: [
        ["Topic", StyledText(String(repeating: "0123456789", count: 4)), "unproven, a long note"],
        ["名前", "short", ""],
      ])
    #expect(
      Renderer(style: .plain, width: 40).text(.table(table)) == """
        entity  hash             note
        Topic   012345678901234  unproven, a
                567890123456789  long note
                0123456789
        名前    short

        """)
    for width in 28...120 {
      let text = Renderer(style: .plain, width: width).text(.table(table))
      #expect(text.split(separator: "\n").allSatisfy { $0.count <= width }, "\(width)")
      #expect(!text.contains("…"))
    }
    let narrowest = Renderer(style: .plain, width: 10).text(.table(table))
    let letters = narrowest.filter { !$0.isWhitespace }
    #expect(letters.hasSuffix("…notshown:hash,note;--jsonshowsall"), "\(narrowest)")
    let hinted = Table(columns: table.columns, rows: table.rows, hint: "--wide")
    let hint = Renderer(style: .plain, width: 10).text(.table(hinted)).filter { !$0.isWhitespace }
    #expect(hint.hasSuffix("note;--wide"), "\(hint)")
    #expect(plain.text(.table(table)).contains(String(repeating: "0123456789", count: 4)))
  }

  @Test("on a narrow terminal, paragraphs are wrapped anew, without short lines between long ones")
  func prose() {
    let prose = View.prose([
      "# A heading", "one two three four five six", "seven eight", "", "- an item that is long",
      "  and goes on", "nine",
    ])
    #expect(
      Renderer(style: .plain, width: 20).text(prose) == """
        # A heading
        one two three four
        five six seven eight

        - an item that is
          long
          and goes on
        nine

        """)
    for renderer in [plain, Renderer(style: .plain, width: 80)] {
      #expect(renderer.text(prose).hasPrefix("# A heading\none two three four five six\nseven"))
    }
  }

  @Test("in a shell, the name of the program precedes its commands, and no others")
  func shellCommands() {
    let shell = Renderer(style: .plain, shellForm: { $0.hasPrefix("infer") ? "strata \($0)" : nil })
    let line = StyledText("fix: ") + StyledText(command: "infer A B", .name)
    for (renderer, name) in [(plain, ""), (shell, "strata ")] {
      #expect(renderer.text(.line(line)) == "fix: \(name)infer A B\n")
      #expect(
        renderer.text(.line("`infer A`, `git infer`, infer, `step`, a lone ` infer")) == """
          `\(name)infer A`, `git infer`, infer, `step`, a lone ` infer

          """)
      let error = Diagnostic(id: "a.b", what: "c", fix: "`infer A B` shows it")
      #expect(renderer.text(error).hasSuffix("  fix: `\(name)infer A B` shows it\n"))
    }
  }

  @Test("a very long cell is truncated, with a note")
  func highCells() {
    let table = Table(rows: [["name", StyledText(String(repeating: "word ", count: 1000))]])
    let lines = Renderer(style: .plain, width: 40).text(.table(table)).split(separator: "\n")
    #expect(lines.count == 21 && lines[19].hasSuffix("…") && lines[20].hasPrefix("… shortened"))
  }

  @Test("a line that is too long is wrapped at a space and indented")
  func wrapping() {
    let line: StyledText = "  written by" + StyledText(" 'my app'/SampleModel, version", .name)
    #expect(
      Renderer(style: .plain, width: 24).text(.line(line)) == """
          written by 'my
            app'/SampleModel,
            version

        """)
    #expect(
      Renderer(style: .ansi, width: 24).text(.line(line)).hasPrefix(
        "  written by\u{1B}[1m 'my\u{1B}[0m\n    \u{1B}[1mapp'"))
    for width in 1...40 {
      let text = Renderer(style: .plain, width: width).text(.line(line))
      #expect(text.filter { $0 != " " && $0 != "\n" } == line.text.filter { $0 != " " })
      #expect(text.split(separator: "\n").allSatisfy { $0.count <= width }, "\(width)")
    }
  }

  @Test("a message with a very long name is truncated")
  func longNames() {
    let name = String(repeating: "x", count: 3_000_000)
    let text = plain.text(
      Diagnostic(id: "a.b", what: name, location: .init(file: name), fix: name))
    #expect(text.utf8.count < 4000 && text.contains("… (3000000 bytes)"))
  }

  @Test("a cell that must not be truncated gets its own line")
  func wholeCells() {
    let table = Table(
      columns: [.init(""), .init("", isWhole: true), .init("")],
      rows: [["  Topic", "<4927b7d1 7bba6dd7>", "unproven"], ["名前", "<cb75b3e2>", ""]])
    #expect(
      Renderer(style: .plain, width: 20).text(.table(table)) == """
          Topic  unproven
            <4927b7d1 7bba6dd7>
        名前     <cb75b3e2>

        """)
    #expect(Renderer(style: .plain, width: 80).text(.table(table)) == plain.text(.table(table)))
  }

  @Test(
    "control characters are escaped",
    arguments: [
      ("\u{1B}[31mred", "\\e[31mred"), ("a\nb", "a\\nb"), ("\u{9B}m", "\\u{9b}m"),
      ("\u{202E}gnp", "\\u{202e}gnp"), ("\u{7F}", "\\u{7f}"), ("Grüße 🎈", "Grüße 🎈"),
    ])
  func escapes(text: String, shown: String) {
    #expect(text.escapingControlCharacters == shown)
    #expect(plain.text(.line(StyledText(text))) == shown + "\n")
    #expect(plain.text(Diagnostic(id: "a.b", what: text)).contains(shown))
  }

  @Test("JSON keeps the value and contains no control characters")
  func json() throws {
    let value = "\u{1B}\u{9B}\u{202E}\"\\é\n"
    let payloads: [Payload] = [.value(["key": value]), .lines([["key": value]])]
    for payload in payloads {
      let text = payload.text
      #expect(!text.unicodeScalars.contains { [0x1B, 0x9B, 0x202E].contains($0.value) })
      let read = try JSONDecoder().decode([String: String].self, from: Data(text.utf8))
      #expect(read == ["key": value])
    }
  }

  @Test("random JSON values have the text that Foundation gives them", arguments: 1...200)
  func randomJSON(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let value = EncodableJSON.random(&random, depth: 4)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    let text = String(decoding: try encoder.encode(value), as: UTF8.self)
    #expect(value.json.text == text + "\n")
  }

  @Test("colors appear only if requested")
  func colours() {
    let line = StyledText("ok", .good) + " plain"
    #expect(plain.text(.line(line)) == "ok plain\n")
    #expect(Renderer(style: .ansi).text(.line(line)) == "\u{1B}[32mok\u{1B}[0m plain\n")
  }

  @Test("a diagnostic shows message, location and fix")
  func diagnostics() {
    let diagnostic = Diagnostic(
      id: "store.truncated", what: "the store is truncated", location: Location(file: "a.sqlite"),
      fix: "copy it again", notes: ["a", "b"])
    #expect(
      plain.text(diagnostic) == """
        error: the store is truncated  [store.truncated]
         where: a.sqlite
          fix: copy it again
          note: a
          note: b

        """)
  }

  @Test("one very long cell does not pad other rows")
  func endlessCell() {
    let rows: [[StyledText]] =
      [[StyledText(String(repeating: "x", count: 100_000)), "1"]]
      + Array(repeating: ["a", "2"], count: 1000)
    #expect(plain.text(.table(Table(rows: rows))).utf8.count < 400_000)
  }

  @Test("a trace shows the events of its level")
  func traceLevels() {
    let events: [(TraceEvent.Kind, Int)] = [
      (.passBegan(.validate), 1),
      (
        .objectCreated(
          mapping: "m", source: .init(entity: "A", key: 1), destination: .init(entity: "B", key: 2)),
        2
      ),
      (.relationshipsSet(mapping: "m", destination: .init(entity: "B", key: 2), count: 3), 3),
    ]
    for (kind, needed) in events {
      for level in 0...3 {
        let lines = TraceText.migrationLines(TraceEvent(mark: 1, kind: kind), level: level)
        #expect(lines.isEmpty == (level < needed))
        #expect(lines.allSatisfy { $0.text.hasPrefix("CoreData: annotation: (migration) ") })
      }
    }
  }
}
