import Foundation
import StrataBase
import StrataCommands
import TestSupport

/// A project in a git repository: version `App 1` was released as v1.0; `App 2`, the current version, lacks one of its
/// attributes.
struct CheckedProject {
  struct Failure: Error {
    var command: [String]
  }

  static let loss = "loss/values App: App 1 -> App 2: Card.color"

  let project: TemporaryProject

  /// - Parameter tag: The tag of the release; `nil` for none.
  init(tag: String? = "v1.0") throws {
    project = try TemporaryProject([("App 1", ["Card": ["name": "String", "color": "String"]])])
    try git("init", "--quiet")
    try commit()
    if let tag { try git("tag", tag) }
    try write(["name"], "App 2")
  }

  var folder: TemporaryFolder { project.folder }
  var session: TestSession { project.session }

  /// Writes a version with one entity Card, and makes it the current version.
  func write(_ attributes: [String], _ version: String) throws {
    try project.write(
      ["Card": Dictionary(uniqueKeysWithValues: attributes.map { ($0, "String") })], version)
    try folder.write(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict>
      <key>_XCCurrentVersionName</key><string>\(version).xcdatamodel</string>
      </dict></plist>
      """, to: "App.xcdatamodeld/.xccurrentversion")
  }

  /// Writes the inferred mapping model from `App 1` to `App 2`.
  func map(to file: String) throws {
    let words = ["App 1", "App 2"].map { "'App.xcdatamodeld/\($0)'" }
    let line = "infer \(words.joined(separator: " ")) --write \(file).xcmappingmodel"
    guard session(line).status == .done else { throw Failure(command: [line]) }
  }

  /// Runs `check` with a configuration; `nil` for the existing one.
  func check(_ configuration: String? = nil, options: String = "--no-stores") throws -> Evaluation {
    if let configuration { try folder.write(configuration, to: "strata.toml") }
    return session("check \(options)")
  }

  func commit() throws {
    try git("add", "--all")
    try git(
      "-c", "user.name=A", "-c", "user.email=a@b.c", "-c", "commit.gpgSign=false", "commit",
      "--quiet", "--message=m")
  }

  func git(_ arguments: String...) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["git", "-C", folder.url.path] + arguments
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    // Foundation's `waitUntilExit` polls every 50 ms.
    let ended = DispatchSemaphore(value: 0)
    process.terminationHandler = { _ in ended.signal() }
    try process.run()
    ended.wait()
    guard process.terminationStatus == 0 else { throw Failure(command: arguments) }
  }
}
