import Foundation
import TestSupport
import Testing

/// What git itself runs: the hook of `.pre-commit-hooks.yaml`.
@Suite("git with Strata")
struct GitAdoptionTests {
  private let project: ReleasedProject
  private var repository: GitFixture { project.repository }

  /// A repository whose version `App 1` was released; `App 2` is the current version.
  init() throws {
    project = try ReleasedProject()
    try project.write(version: "App 2", ["name", "color", "size"])
    try repository.commit()
  }

  /// Runs lines of a shell with the program on PATH.
  ///
  /// - Returns: Standard output and standard error.
  @discardableResult
  private func shell(_ script: String) throws -> String {
    let folder = URL(fileURLWithPath: TerminalWindow.program).deletingLastPathComponent().path
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    return try repository.shell("exec 2>&1\n\(script)", adding: ["PATH": "\(folder):\(path)"])
  }

  // MARK: The hook

  /// The values of the file, which has `key: value` in each line.
  private static func hook() throws -> [String: String] {
    let file = BuildServerPage.root.appending(path: ".pre-commit-hooks.yaml")
    let pairs = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
      .map { $0.drop { " -".contains($0) } }.filter { !$0.hasPrefix("#") }
      .map { $0.split(separator: ": ", maxSplits: 1).map(String.init) }
    return Dictionary(uniqueKeysWithValues: pairs.map { ($0[0], $0[1]) })
  }

  private func installHook() throws {
    let hook = try Self.hook()
    #expect(hook["id"] == "strata-check" && hook["language"] == "system")
    #expect(hook["pass_filenames"] == "false" && hook["always_run"] == "true")
    try repository.write(
      "#!/bin/sh\nexec \(try #require(hook["entry"]))\n", to: ".git/hooks/pre-commit")
    try shell("chmod +x .git/hooks/pre-commit")
  }

  /// Commits that edit or delete the shipped version, with the rule of the finding.
  static let refused: [(commit: String, rule: String)] = [
    ("git add --all; git commit --message=m", "version/edited"),
    ("git commit --all --message=m", "version/edited"),
    ("git commit --message=m '\(ReleasedProject.contents("App 1"))'", "version/edited"),
    (
      "git rm -r --quiet --force 'App.xcdatamodeld/App 1.xcdatamodel'; git commit --message=m",
      "version/gone"
    ),
  ]

  @Test("the hook refuses a commit that edits or deletes a shipped version", arguments: refused)
  func refusal(commit: String, rule: String) throws {
    try installHook()
    let before = try repository.id("HEAD")
    try project.write(version: "App 1", ["name", "added"])
    let answer = try shell("if { \(commit); }; then echo committed; fi")
    #expect(answer.contains("[\(rule)]") && !answer.contains("committed"), "\(answer)")
    #expect(try repository.id("HEAD") == before)
  }

  @Test("the hook permits an edit that is not staged, a new version and files of other kinds")
  func permitted() throws {
    try installHook()
    try project.write(version: "App 1", ["name", "added"])
    try repository.write("# unrelated\n", to: "README.md")
    let unrelated = try shell("git add README.md; git commit --quiet --message=m")
    #expect(unrelated.hasPrefix("nothing changed since HEAD"), "\(unrelated)")
    try project.write(version: "App 3", ["name", "color", "size", "weight"])
    let new = try shell("git add 'App.xcdatamodeld/App 3.xcdatamodel'; git commit --message=m")
    #expect(new.contains("no problems found"), "\(new)")
  }
}
