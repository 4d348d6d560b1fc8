/// The text of a lesson that the program contains.
///
/// ```swift
/// BuiltInLesson.all.first?.name  // "versions"
/// ```
package struct BuiltInLesson: Sendable {
  /// The name to type.
  package let name: String
  private let bytes: [UInt8]

  /// The lesson as a notebook in Markdown.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// All lessons, in the order in which they build on each other.
  package static let all = [
    BuiltInLesson(name: "versions", bytes: PackageResources.versions_md),
    BuiltInLesson(name: "hashes", bytes: PackageResources.hashes_md),
    BuiltInLesson(name: "invisible", bytes: PackageResources.invisible_md),
    BuiltInLesson(name: "lightweight", bytes: PackageResources.lightweight_md),
    BuiltInLesson(name: "limits", bytes: PackageResources.limits_md),
    BuiltInLesson(name: "mappings", bytes: PackageResources.mappings_md),
    BuiltInLesson(name: "passes", bytes: PackageResources.passes_md),
    BuiltInLesson(name: "policies", bytes: PackageResources.policies_md),
    BuiltInLesson(name: "strategies", bytes: PackageResources.strategies_md),
    BuiltInLesson(name: "staged", bytes: PackageResources.staged_md),
    BuiltInLesson(name: "stranger", bytes: PackageResources.stranger_md),
    BuiltInLesson(name: "phone", bytes: PackageResources.phone_md),
  ]
}
