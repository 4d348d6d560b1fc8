import Foundation
import StrataBase
import StrataCommands
import TestSupport
import Testing

/// A project in a git repository: version `App 1` was released as v1.0; `App 2`, the current version, lacks one of its
/// attributes.
struct CheckedProject {
  static let loss = "loss/values App: App 1 -> App 2: Card.color"

  private let checked: CheckedRepository

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
  func map(to file: String) throws {
    let words = ["App 1", "App 2"].map { "'App.xcdatamodeld/\($0)'" }
    let line = "infer \(words.joined(separator: " ")) --write \(file).xcmappingmodel"
    try #require(session(line).status == .done)
  }

  /// Runs `check` with a configuration; `nil` for the existing one.
  func check(_ configuration: String? = nil, options: String = "--no-stores") throws -> Evaluation {
    if let configuration { try folder.write(configuration, to: "strata.toml") }
    return session("check \(options)")
  }
}
