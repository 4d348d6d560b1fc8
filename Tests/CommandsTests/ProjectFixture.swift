import Foundation
import StrataBase
import StrataCommands
import TestSupport
import Testing

/// A project in a git repository: version `App 1` was released as v1.0; `App 2`, the current version, lacks one of its
/// attributes.
struct ProjectFixture {
  static let loss = "loss/values App: App 1 -> App 2: Card.color"

  let checked: CheckedRepository

  /// - Parameter tag: The tag of the release; `nil` for none.
  init(tag: String? = "v1.0") throws {
    checked = try CheckedRepository()
    try write(["name", "color"], "App 1")
    try checked.commit(tag: tag)
    try write(["name"], "App 2")
  }

  var folder: TemporaryFolder { checked.folder }
  var session: TestSession { checked.session }
  var repository: GitFixture { checked.repository }

  /// Writes a version with one entity Card, and makes it the current version.
  func write(_ attributes: [String], _ version: String) throws {
    try checked.version(
      version, attributes.map { "name=\"\($0)\" optional=\"YES\" attributeType=\"String\"" })
  }

  /// Writes the inferred mapping model from `App 1` to `App 2`.
  ///
  /// - Parameter line: A line that is added, so that its content differs from that of another one.
  func map(to file: String, adding line: String = "") throws {
    let words = ["App 1", "App 2"].map { "'App.xcdatamodeld/\($0)'" }
    let text = ".git/scratch.mapping"
    let infer = session("infer \(words.joined(separator: " ")) --write \(text) --force")
    try #require(infer.status == .done, "\(infer)")
    let inferred = try String(contentsOfFile: folder.path(text), encoding: .utf8)
    try folder.write(inferred + (line.isEmpty ? "" : "  \(line)\n"), to: text)
    let written = session("mapping write \(text) \(file).xcmappingmodel --force")
    try #require(written.status == .done, "\(written)")
  }

  /// Runs `check` with a configuration; `nil` for the existing one.
  func check(_ configuration: String? = nil, options: String = "--no-stores") throws -> Evaluation {
    if let configuration { try folder.write(configuration, to: "strata.toml") }
    return session("check \(options)")
  }
}
