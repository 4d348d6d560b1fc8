internal import StrataBase
internal import StrataRendering

/// Core Data's error codes, calls and options, and what they are in Strata: `help 134100`, `help NSMigrationManager`.
///
/// Source: Apple's documentation of the calls and options; the numbers are those of its public headers.
enum CoreDataBook {
  /// An error of `NSCocoaErrorDomain`.
  struct ErrorPage {
    var code: Int
    var name: String
    var meaning: String
    /// What to do, with the command that helps.
    var fix: String
  }

  /// A call, class or option of Core Data, and the command that does the same.
  struct CallPage {
    var name: String
    var meaning: String
    var command: String
  }

  static func error(_ word: String) -> ErrorPage? {
    errors.first { String($0.code) == word || $0.name.lowercased() == word.lowercased() }
  }

  /// - Parameter word: The name, with or without its arguments, in capitals or not.
  static func call(_ word: String) -> CallPage? {
    func name(_ text: String) -> String {
      String(text.prefix { $0 != "(" && $0 != ":" }).lowercased()
    }
    return calls.first { name($0.name) == name(word) }
  }

  static func outcome(_ page: ErrorPage) -> Outcome {
    Outcome(
      .lines([
        StyledText(String(page.code), .heading) + StyledText("  \(page.name)"),
        StyledText("  \(page.meaning)"),
        StyledText("  fix: ", .faint) + StyledText(page.fix),
      ]),
      json: [
        "code": String(page.code), "name": page.name, "meaning": page.meaning, "fix": page.fix,
      ])
  }

  static func outcome(_ page: CallPage) -> Outcome {
    Outcome(
      .lines([
        StyledText(page.name, .heading) + StyledText("  \(page.meaning)"),
        StyledText("  in Strata: ", .faint) + StyledText(page.command),
      ]),
      json: ["name": page.name, "meaning": page.meaning, "command": page.command])
  }

  private static let sections = TextSection.all(
    in: ProgramText.text(of: "core-data.md"))

  static let errors = sections.compactMap { section -> ErrorPage? in
    var section = section
    guard let fix = section.takeLast("Fix: ") else { return nil }
    let words = section.heading.split(separator: " ")
    return ErrorPage(
      code: Int(words[0]) ?? 0, name: words.dropFirst().joined(separator: " "),
      meaning: section.paragraphs.joined(separator: " "), fix: fix)
  }

  static let calls = sections.compactMap { section -> CallPage? in
    var section = section
    guard let command = section.takeLast("In Strata: ") else { return nil }
    return CallPage(
      name: section.heading, meaning: section.paragraphs.joined(separator: " "), command: command)
  }
}
