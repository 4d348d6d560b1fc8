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

  static let terms: [Term] = markdown.split(separator: "\n## ").dropFirst().map { section in
    let paragraphs = section.split(separator: "\n\n").map {
      $0.split(separator: "\n").joined(separator: " ")
    }
    let see = paragraphs.last.flatMap { $0.hasPrefix("See: ") ? $0.dropFirst(5) : nil }
    return Term(
      name: paragraphs[0],
      meaning: paragraphs.dropFirst().dropLast(see == nil ? 0 : 1).joined(separator: " "),
      related: see?.split(separator: ", ").map(String.init) ?? [])
  }

  /// Other words for terms.
  static let otherWords = [
    "database": "store", "instance": "object", "momd": "bundle", "persistent store": "store",
    "rename": "renaming identifier", "sqlite": "SQLite store", "to-many": "relationship",
    "to-one": "relationship", "version": "model version", "xcdatamodel": "model",
    "xcdatamodeld": "bundle", "xcmappingmodel": "mapping model",
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
      .lines(lines), payload: Payload(term: term.name, meaning: term.meaning, see: term.related))
  }

  private struct Payload: Encodable {
    var term: String
    var meaning: String
    var see: [String]
  }
}
