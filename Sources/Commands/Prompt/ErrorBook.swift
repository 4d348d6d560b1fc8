internal import StrataBase
internal import StrataRendering

/// The ids of errors and warnings that are not findings of a rule: `help ID`.
///
/// The tests compare this list with the ids in the sources.
enum ErrorBook {
  /// The meaning of the first part of an id, and the ids that begin with it.
  private struct Domain {
    var name: String
    var meaning: String
    var ids: [String]
  }

  /// All ids.
  static let ids = domains.flatMap(\.ids)

  /// The page `help ID`; `nil` if there is no such id.
  static func page(of id: String) -> Outcome? {
    guard let domain = domains.first(where: { $0.ids.contains(id) }) else { return nil }
    let use =
      "The message with this id names the location, the cause and the fix. The id is stable; the wording may change."
    return Outcome(
      .lines([
        StyledText(id, .heading) + StyledText("  \(title(of: id))"),
        StyledText("  \(domain.name): \(domain.meaning)"),
        StyledText("  \(use)", .faint),
      ]), json: ["id": id, "title": title(of: id), "domain": domain.meaning])
  }

  /// The title of an id: `path refused` for `session.pathRefused`, `append needs SQLite` for
  /// `migration.appendNeedsSQLite`. A word that begins with two capitals keeps its case.
  private static func title(of id: String) -> String {
    id.drop { $0 != "." }.matches(of: /A(?=[A-Z])|[A-Z]{2,}[a-z]*|[A-Z]?[a-z]+/).map { match in
      match.output.dropFirst().first?.isUppercase == true
        ? String(match.output) : match.output.lowercased()
    }.joined(separator: " ")
  }

  private static let domains = TextSection.all(
    in: ProgramText.text(of: "errors.md")
  ).map { section in
    let name = section.heading
    return Domain(
      name: name, meaning: section.paragraphs[0],
      ids: section.paragraphs[1].split(separator: " ").map { "\(name).\($0)" })
  }
}
