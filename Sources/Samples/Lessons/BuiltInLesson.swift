internal import StrataBase

/// The text of a lesson that the program contains.
///
/// ```swift
/// BuiltInLesson.all.first?.name  // "versions"
/// ```
package struct BuiltInLesson: Sendable {
  /// The name to type.
  package let name: String

  /// The lesson as a notebook in Markdown.
  package var text: String { ProgramText.text(of: "\(name).md") }

  /// All lessons, in the order in which they build on each other.
  package static let all = [
    "versions", "hashes", "invisible", "lightweight", "limits", "mappings", "passes", "policies",
    "strategies", "staged", "stranger", "phone",
  ].map(BuiltInLesson.init)
}
