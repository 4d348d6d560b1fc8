internal import StrataArchives
internal import StrataBase
internal import StrataEssentials
internal import StrataNotebook
internal import StrataPages

/// A notebook or lesson for readers: its prose, commands and recorded answers, a stepper for each `debug`, and the pictures
/// that it writes.
struct NotebookExport {
  indirect enum Cell {
    case prose([String])
    case command(SessionEntry, [Result])
    /// What is shown on request: answers, hints and solutions.
    case details(String, [Cell])
  }

  /// What a command made that an answer cannot show.
  enum Result {
    case migration(RecordedMigration)
    case picture(svg: String, text: String)
  }

  let title: String
  private(set) var cells: [Cell] = []
  private(set) var migrations: [RecordedMigration] = []
  /// The commands that failed when they were run for steppers and pictures.
  private(set) var warnings: [Diagnostic] = []
  /// The number of commands without a recorded answer.
  private(set) var unrecorded = 0
  private let name: String
  private var options: RecordedMigration.Options
  /// `nil` if recorded answers suffice.
  private var run: PrivateRun?

  /// - Throws: An error that ends the run of the commands.
  init(
    of document: SessionDocument, named name: String, _ options: RecordedMigration.Options,
    by replay: PrivateReplay
  ) throws {
    (self.name, self.options) = (name, options)
    let parts =
      (try? Lesson(reading: document))?.parts
      ?? document.parts.map { part in
        switch part {
        case .prose(let lines): .prose(lines)
        case .command(let entry): .command(entry)
        }
      }
    title =
      parts.lazy.compactMap { part -> String? in
        guard case .prose(let lines) = part else { return nil }
        return Markdown.withoutComments(lines).first { $0.hasPrefix("# ") }
          .map { $0.dropFirst(2).trimmed }
      }.first ?? URL(fileURLWithPath: name).lastPathComponent
    if document.entries.contains(where: { Self.isDebug($0) || Self.picture($0) != nil }) {
      run = try PrivateRun(replay)
    }
    for part in parts { cells += try cells(of: part) }
  }

  private mutating func cells(of part: Lesson.Part) throws -> [Cell] {
    switch part {
    case .prose(let lines): return [.prose(lines)]
    case .command(let entry): return [try cell(of: entry)]
    case .question(let question):
      // A choice shows what it means.
      let choices = question.texts.map { choice in
        ("\(choice.text)", "\(choice.isRight ? "✓" : "✗") \(choice.reason)")
      }
      let asked = Cell.prose(["**Question.** \(question.text)"])
      guard question.kind == .text else {
        return [asked] + choices.map { .details($0, [.prose([$1])]) }
      }
      return [asked, .details("Answer", [.prose(choices.map { "- \($0) \($1)" })])]
    case .task(let task):
      return [.prose(["**Task.** \(task.goal)"])]
        + task.hints.enumerated().map { .details("Hint \($0 + 1)", [.prose([$1])]) }
        + [.details("Solution", try task.solution.map { try cell(of: $0) })]
    }
  }

  private mutating func cell(of entry: SessionEntry) throws -> Cell {
    if entry.recorded == nil { unrecorded += 1 }
    if let error = try run?.run(entry) {
      warnings.append(
        Diagnostic(
          id: "step.notRun", severity: .warning, what: "a command of the notebook fails: \(error)",
          fix: "`replay \(name)` shows all"))
      return .command(entry, [])
    }
    let options = options
    let result = try run?.look { session -> Result? in
      if let file = Self.picture(entry) {
        let bytes = try FileBytes.read(try session.path(file))
        let svg = String(decoding: bytes, as: UTF8.self)
        return svg.contains(Diagram.mark) ? .picture(svg: svg, text: entry.command) : nil
      }
      guard Self.isDebug(entry), let stepping = session.stepping else { return nil }
      return .migration(
        try RecordedMigration(
          stepping.planned, options, withoutPolicies: stepping.migration.withoutPolicy, in: session)
      )
    }
    guard let result = result ?? nil else { return .command(entry, []) }
    if case .migration(let migration) = result {
      migrations.append(migration)
      // All steppers share the size of one page.
      self.options.size = max(0, options.size - migration.data.size)
    }
    return .command(entry, [result])
  }

  private static func isDebug(_ entry: SessionEntry) -> Bool {
    entry.command.split(separator: " ").first == "debug"
  }

  /// The file of a picture that a command writes.
  private static func picture(_ entry: SessionEntry) -> String? {
    guard case .complete(let words) = CommandLineLexer.tokens(of: entry.command),
      words.first?.text == "export"
    else { return nil }
    return words.map(\.text).first { $0.hasSuffix(".svg") }
  }

  // MARK: Page

  var page: HTMLPage {
    var page = HTMLPage(title: title)
    for part in cells.flatMap(Self.parts) { page.add(part) }
    return page
  }

  private static func parts(of cell: Cell) -> [HTMLPage.Part] {
    switch cell {
    case .prose(let lines): return [.markdown(lines)]
    case .details(let title, let cells): return [.details(title, cells.flatMap(parts))]
    case .command(let entry, let results):
      let answer = entry.recorded?.lines ?? []
      return [.command(entry.command)]
        + (answer.isEmpty ? [] : [.answer(answer.joined(separator: "\n"))])
        + results.flatMap { result -> [HTMLPage.Part] in
          switch result {
          case .migration(let migration): migration.parts
          case .picture(let svg, let text): [.picture(svg: svg, text: text)]
          }
        }
    }
  }
}
