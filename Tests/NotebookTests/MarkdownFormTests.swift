import StrataBase
import StrataNotebook
import Testing

@Suite struct MarkdownFormTests {
  private static let session = """
    # Is the store still compatible?

    > A quotation, no command.

    ```strata
    > load phone.sqlite

    > compare phone Model5
    not compatible

    \\> quoted
    \\\\\\? 1
    ? 1

    > loaded
    ? 0
    ```

    ````markdown
    ```strata
    > not run
    ```
    ````

    1. In a list:
       ~~~strata session
       > rows phone Topic \\
       >   --limit 1 \\
         --json
       {
         "title": "x"
       }
       ~~~ \t
    2. `strata` is no fence, ```strata `` neither

    ```stratagem
    > not run
    ```

    """

  @Test func entries() throws {
    let entries = try SessionDocument(reading: Self.session, form: .markdown).entries
    #expect(
      entries.map(\.command) == [
        "load phone.sqlite", "compare phone Model5", "loaded",
        "rows phone Topic   --limit 1   --json",
      ])
    #expect(entries.map(\.line) == [6, 8, 15, 27])
    #expect(
      entries.map(\.recorded) == [
        nil,
        RecordedOutput(lines: ["not compatible", "", "> quoted", "\\\\? 1"], status: 1),
        RecordedOutput(),
        RecordedOutput(lines: ["{", "  \"title\": \"x\"", "}"]),
      ])
  }

  @Test(arguments: [
    "", "no newline", "```strata\n```", "\u{FEFF}```strata\r\n> a\r\nb\r\n```\r\n",
    "    ```strata\n> prose\n", "~~~ strata\n>  a\n\n\n~~~~\n", "``` `strata\n",
    "e\u{301} é\n", session,
  ])
  func givesEveryByteBack(text: String) throws {
    let document = try SessionDocument(reading: text, form: .markdown)
    #expect(Array(document.text.utf8) == Array(text.utf8))
  }

  @Test func aByteOrderMarkHidesNoFence() throws {
    let document = try SessionDocument(
      reading: "\u{FEFF}```strata\r\n> a\r\nb\r\n```\r\n", form: .markdown)
    #expect(document.entries.map(\.command) == ["a"])
    #expect(document.entries[0].recorded == RecordedOutput(text: "b"))
  }

  @Test func onlyAFenceAsLongClosesTheBlock() throws {
    let document = try SessionDocument(
      reading: "````strata\n> a\n```\n~~~~\n````x\n    ````\n`````\n> prose\n", form: .markdown)
    #expect(document.entries.map(\.command) == ["a"])
    #expect(document.entries[0].recorded?.lines == ["```", "~~~~", "````x", "    ````"])
  }

  @Test func whatLooksNearlyLikeACommandIsOutput() throws {
    let document = try SessionDocument(
      reading: "```strata\n> a\n>b\n>\n > c\n? x\n?1\n? 01\n? -1\n\\d\n```\n", form: .markdown)
    #expect(document.entries.map(\.command) == ["a"])
    #expect(
      document.entries[0].recorded?.lines
        == [">b", ">", " > c", "? x", "?1", "? 01", "? -1", "\\d"])
  }
}
