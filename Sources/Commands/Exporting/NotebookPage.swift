internal import Foundation
internal import StrataBase
internal import StrataNotebook
internal import StrataPages

/// A notebook as a page: its prose, commands and recorded answers, and a stepper for each `debug`.
struct NotebookPage {
  private(set) var page: HTMLPage
  private(set) var migrations: [RecordedMigration] = []
  /// The commands that failed when they were run for the steppers.
  private(set) var warnings: [Diagnostic] = []
  private let title: String?

  /// - Throws: An error that ends the run of the commands.
  init(
    of document: SessionDocument, named name: String, _ options: RecordedMigration.Options,
    by replay: PrivateReplay
  ) throws {
    let heading = document.parts.lazy.compactMap { part -> String? in
      guard case .prose(let lines) = part else { return nil }
      return lines.first { $0.hasPrefix("# ") }.map { String($0.dropFirst(2)) }
    }.first
    page = HTMLPage(title: heading ?? (name as NSString).lastPathComponent)
    title = heading
    // Only what is stepped through needs the commands before it.
    let hasSteppers = document.entries.contains { Self.isDebug($0) }
    var run = hasSteppers ? try PrivateRun(replay) : nil
    for part in document.parts {
      switch part {
      case .prose(let lines): addProse(lines)
      case .command(let entry):
        page.add(.command(entry.command))
        if let recorded = entry.recorded, !recorded.lines.isEmpty {
          page.add(.answer(recorded.lines.joined(separator: "\n")))
        }
        if let error = try run?.run(entry) {
          warnings.append(
            Diagnostic(
              id: "step.notRun", severity: .warning,
              what: "a command of the notebook fails: \(error)",
              fix: "replay \(name)"))
          continue
        }
        guard Self.isDebug(entry) else { continue }
        let migration = try run?.look { session -> RecordedMigration? in
          guard let stepping = session.stepping else { return nil }
          return try RecordedMigration(
            stepping.planned, options, withoutPolicies: stepping.migration.withoutPolicy,
            in: session)
        }
        guard let migration = migration ?? nil else { continue }
        migrations.append(migration)
        page.add(migration)
      }
    }
  }

  private static func isDebug(_ entry: SessionEntry) -> Bool {
    entry.command.split(separator: " ").first == "debug"
  }

  private static func isItem(_ line: String) -> Bool {
    let text = line.drop { $0 == " " }
    return ["- ", "* ", "> ", "|"].contains(where: text.hasPrefix)
      || text.prefix { $0.isNumber }.isEmpty == false && text.drop { $0.isNumber }.hasPrefix(". ")
  }

  /// Headings, paragraphs and blocks of code; comments, which no reader of Markdown sees, are left out.
  private mutating func addProse(_ lines: [String]) {
    var (paragraph, code): ([String], [String]?) = ([], nil)
    var isComment = false
    func isEmpty(_ line: String) -> Bool { line.allSatisfy(\.isWhitespace) }
    for line in lines + [""] {
      if isComment || code == nil && line.hasPrefix("<!--") {
        isComment = !line.contains("-->")
      } else if line.hasPrefix("```") {
        if let block = code { page.add(.answer(block.joined(separator: "\n"))) }
        code = code == nil ? [] : nil
      } else if code != nil {
        code?.append(line)
      } else if isEmpty(line) || line.hasPrefix("#") {
        if !paragraph.isEmpty { page.add(.paragraph(paragraph.joined(separator: " "))) }
        paragraph = []
        if !isEmpty(line), line != title.map({ "# \($0)" }) {
          page.add(.heading(line.drop { $0 == "#" }.trimmingCharacters(in: .whitespaces)))
        }
      } else {
        // Items of a list have lines of their own.
        if Self.isItem(line), !paragraph.isEmpty {
          page.add(.paragraph(paragraph.joined(separator: " ")))
          paragraph = []
        }
        paragraph.append(line)
      }
    }
  }
}
