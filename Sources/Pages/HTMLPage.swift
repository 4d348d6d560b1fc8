internal import StrataArchives
internal import StrataBase
internal import StrataEssentials
package import StrataRendering

/// A page in one file that needs no network: its policy allows no script and no style but its own.
///
/// ```swift
/// var page = HTMLPage(title: "Topics")
/// page.add(.markdown(["A migration, <step by step>."]))
/// page.bytes  // <!DOCTYPE html>…
/// ```
package struct HTMLPage {
  private let title: String
  private var body = ""
  private var hasSteppers = false
  /// Whether prose with the heading stood before.
  private var isTitled = false

  package init(title: String) {
    self.title = title
  }

  /// A part of a page. All text is escaped.
  package enum Part {
    case markdown([String])
    case note(String)
    case command(String)
    case answer(String)
    case view(View)
    /// A picture of ``Diagram/svg``, and what it shows in words.
    case picture(svg: String, text: String)
    case stepper(StepperData)
    /// Parts that are shown on request.
    indirect case details(String, [Part])
  }

  /// How the first bytes of every page begin.
  package static let mark = "<!DOCTYPE html>\n<!-- strata page -->\n"

  package mutating func add(_ part: Part) { body += html(of: part) }

  private mutating func html(of part: Part) -> String {
    switch part {
    case .markdown(let lines):
      defer { isTitled = true }
      return Markdown.html(of: lines, titled: isTitled ? nil : title)
    case .note(let text): return "<p class=\"faint\">\(text.escapedInHTML)</p>\n"
    case .command(let text): return "<pre class=\"command\">\(text.escapedInHTML)</pre>\n"
    case .answer(let text): return "<pre tabindex=\"0\">\(text.escapedInHTML)</pre>\n"
    case .view(let view): return view.html
    case .picture(let svg, let text):
      let data = Data(svg.utf8).base64EncodedString()
      return
        "<div class=\"picture\" tabindex=\"0\"><img src=\"data:image/svg+xml;base64,\(data)\" alt=\"\(text.escapedInHTML)\"></div>\n"
    case .stepper(let data):
      hasSteppers = true
      return data.html
    case .details(let title, let parts):
      var inner = ""
      for part in parts { inner += html(of: part) }
      return "<details><summary>\(title.escapedInHTML)</summary>\n\(inner)</details>\n"
    }
  }

  package var bytes: [UInt8] {
    let style = ProgramText.text(of: "page.css")
    let script = hasSteppers ? ProgramText.text(of: "stepper.js") : ""
    let policy =
      "default-src 'none'; img-src data:; style-src \(Self.source(of: style)); script-src "
      + (hasSteppers ? Self.source(of: script) : "'none'") + "; base-uri 'none'; form-action 'none'"
    return Array(
      """
      \(Self.mark)<html lang="en"><head><meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="\(policy)">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="referrer" content="no-referrer">
      <title>\(title.escapedInHTML)</title>
      <style>\(style)</style></head>
      <body><main><h1>\(title.escapedInHTML)</h1>
      \(body)</main>
      \(hasSteppers ? "<script>\(script)</script>\n" : "")</body></html>

      """.utf8)
  }

  /// The source expression of an inline text in a policy: its digest.
  private static func source(of text: String) -> String {
    "'sha256-\(Data(SHA2.digest256(of: Array(text.utf8))).base64EncodedString())'"
  }
}

/// The data of one stepper on a page, and the same migration as a table for paper and browsers without scripts.
package struct StepperData {
  /// What `stepper.js` reads.
  package let json: JSONValue
  /// Its part of the page.
  fileprivate let html: String
  /// The events of each stop as a table.
  package let story: String

  /// - Parameter story: The events of each stop: number, place, what happened.
  package init(json: JSONValue, story: [[String]]) {
    self.json = json
    let rows = story.map { row in
      "<tr align=\"left\">" + row.map { "<td>\($0.escapedInHTML)</td>" }.joined() + "</tr>\n"
    }.joined()
    self.story = """
      <table class="story"><caption>Every stop</caption><thead><tr><th scope="col">event</th>\
      <th scope="col">step</th><th scope="col">what happened</th></tr></thead><tbody>
      \(rows)</tbody></table>

      """
    html = Self.html(json) + self.story
  }

  /// The size of its part of the page in bytes.
  package var size: Int { html.utf8.count }

  private static func html(_ json: JSONValue) -> String {
    // `<` cannot end the element in which the data stand.
    let data = json.line.replacing("<", with: "\\u003c")
    return """
      <section class="stepper hidden" aria-label="Stepper">
      <script type="application/json">\(data)</script>
      <p class="keys faint"><kbd>→</kbd> <kbd>←</kbd> step, with <kbd>Shift</kbd> by entity mapping, \
      <kbd>PgDn</kbd> <kbd>PgUp</kbd> by pass, <kbd>Home</kbd> <kbd>End</kbd>, <kbd>q</kbd> questions on or off. \
      <b>+</b> made by the step, <b>✎</b> changed by it; colored rows were read or looked up; ⚙ has a policy.</p>
      <nav class="ribbon" aria-label="Passes and entity mappings" data-part="ribbon"></nav>
      <div class="bar" role="group" aria-label="Steps">
      <button type="button" class="far" data-part="first" aria-label="To the beginning">|◀</button>
      <button type="button" data-part="back">◀ Back</button>
      <input type="range" min="0" value="0" aria-label="Step" data-part="slider">
      <output data-part="count"></output>
      <button type="button" class="go" data-part="step">Step ▶</button></div>
      <div class="said" aria-live="polite" data-part="said"></div>
      <section class="question" aria-label="Question" data-part="question" hidden></section>
      <div class="sides" data-part="sides"></div>
      <details><summary>SQL of this step</summary><pre data-part="sql" tabindex="0"></pre></details>
      </section>

      """
  }
}

extension String {
  /// The text in HTML, as content or in a quoted attribute. Control characters, which HTML does not allow, are
  /// replaced.
  package var escapedInHTML: String {
    var escaped = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      case "\t", "\n": escaped.unicodeScalars.append(scalar)
      default:
        let isAllowed = scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value)
        escaped.unicodeScalars.append(isAllowed ? scalar : "\u{FFFD}")
      }
    }
    return escaped
  }
}
