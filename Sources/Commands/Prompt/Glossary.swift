internal import StrataBase
internal import StrataEssentials
internal import StrataRendering

/// The terms that the output uses: `help TERM`, and Docs/GLOSSARY.md, which a test compares.
enum Glossary {
  struct Term {
    var name: String
    var meaning: String
    /// Other terms.
    var related: [String]
  }

  /// The glossary as a page: `## Term`, a paragraph, and perhaps a line `See: a, b`.
  static let markdown = ProgramText.text(of: "glossary.md")

  static let terms = TextSection.all(in: markdown).map { section in
    var section = section
    let related = section.takeLast("See: ")?.split(separator: ", ").map(String.init)
    return Term(
      name: section.heading, meaning: section.paragraphs.joined(separator: " "),
      related: related ?? [])
  }

  /// Other words for terms.
  static let otherWords = [
    "accept": "accepted finding", "database": "store", "hook": "pre-commit hook",
    "hooks": "pre-commit hook", "instance": "object", "momd": "bundle", "persistent store": "store",
    "rename": "renaming identifier", "shipped": "shipped version", "sqlite": "SQLite store",
    "strata.lock": "lock file", "to-many": "relationship", "to-one": "relationship",
    "version": "model version", "xcdatamodel": "model", "xcdatamodeld": "bundle",
    "xcmappingmodel": "mapping model",
  ]

  /// The term that a word names, in uppercase or lowercase, singular or plural, with or without “migration”.
  static func term(_ word: String) -> Term? {
    let word = otherWords[word.lowercased()]?.lowercased() ?? word.lowercased()
    let endings = [
      ("", ""), ("s", ""), ("es", ""), ("ies", "y"), ("", " migration"), (" migration", ""),
      (" migrations", ""),
    ]
    return endings.lazy.compactMap { ending, singular in
      guard word.hasSuffix(ending) else { return nil }
      let name = word.dropLast(ending.count) + singular
      return terms.first { $0.name.lowercased() == name }
    }.first
  }

  static func outcome(_ term: Term) -> Outcome {
    var lines = [StyledText(term.name, .heading), StyledText("  " + term.meaning)]
    if !term.related.isEmpty {
      lines.append(StyledText("  see: ", .faint) + StyledText(term.related.joined(separator: ", ")))
    }
    return Outcome(
      .lines(lines), json: ["term": term.name, "meaning": term.meaning, "see": term.related])
  }
}
