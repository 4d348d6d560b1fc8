import Foundation
import TestSupport
import Testing

/// What git itself runs: the hook of `.pre-commit-hooks.yaml`, and the program as text conversion of `git diff`.
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
    #expect(new.contains("1 note") && new.contains("[version/unused]"), "\(new)")
  }

  // MARK: Text conversion

  private func configureDiff() throws {
    try shell(try BuildServerPage.blocks(of: "sh", under: "Hashes in git diff").joined())
    try repository.commit()
  }

  /// The added and removed lines of a difference.
  private func changedLines(_ difference: String) -> [String] {
    difference.split(separator: "\n").map(String.init).filter {
      ["+", "-"].contains($0.first) && !$0.hasPrefix("+++") && !$0.hasPrefix("---")
    }
  }

  /// The added and removed lines of a difference, without the hashes.
  private func changes(_ difference: String) -> [String] {
    changedLines(difference)
      .map { String($0.prefix { $0 != "<" }).trimmingCharacters(in: .whitespaces) }
  }

  @Test(
    "a changed attribute is the changed hash of the attribute and its entity, in git diff and git log"
  )
  func changedAttribute() throws {
    try configureDiff()
    let edited = ["-Card", "-  color", "+Card", "+  color"]
    let file = ReleasedProject.contents("App 1")
    let text = try String(contentsOfFile: repository.folder.path(file), encoding: .utf8)
    try repository.write(
      text.replacing("\"color\" optional=\"YES\"", with: "\"color\""), to: file)
    #expect(try changes(shell("git diff")) == edited)
    try repository.commit()
    let log = try shell("git log --patch --max-count=1")
    #expect(log.contains("+++ b/\(file)") && Array(changes(log).suffix(4)) == edited, "\(log)")
    // Nothing that is hashed.
    try project.write(
      version: "App 2", ["name", "color", "size"], more: #"defaultValueString="x""#)
    #expect(try changes(shell("git diff")) == [])
    #expect(try shell("git diff --no-textconv").contains("+    <attribute name=\"name\""))
  }

  @Test("a new and a deleted version are all its hashes")
  func newAndDeleted() throws {
    try configureDiff()
    try project.write(version: "App 3", ["kind"])
    try shell("git add --all")
    #expect(try changes(shell("git diff --cached '*/contents'")) == ["+Card", "+  kind"])
    try repository.commit()
    try shell("git rm -r --quiet 'App.xcdatamodeld/App 3.xcdatamodel'")
    #expect(try changes(shell("git diff --cached '*/contents'")) == ["-Card", "-  kind"])
  }

  /// Files with the name of a model that are none, with the lines that are shown of each.
  static let strange: [(file: [UInt8], shown: [String])] = [
    ([], []), (Array("<model\n".utf8), ["+<model"]), (Array("bplist00\0\n".utf8), ["+bplist00^@"]),
    ([0, 1, 0x1B, 0x0A, 0xFF, 0x0A], ["+^@^A^[", "+M-^?"]),
  ]

  @Test(
    "an empty, broken or binary file is shown as it is, and ends no history",
    arguments: strange.indices)
  func strangeFile(index: Int) throws {
    try configureDiff()
    let (bytes, shown) = Self.strange[index]
    let file = ReleasedProject.contents("App 2")
    try Data(bytes).write(to: repository.folder.url.appending(path: file))
    let difference = try shell("git diff")
    #expect(changedLines(difference).filter { $0.hasPrefix("+") } == shown, "\(difference)")
    #expect(changes(difference).filter { $0.hasPrefix("-") }.count == 4, "\(difference)")
    try repository.commit()
    try repository.git("revert", "--no-edit", "HEAD")
    #expect(try changes(shell("git log --patch --max-count=1 -- '\(file)'")).contains("+  size"))
    // The program may be installed on this system: one that cannot run is in front of it.
    let unprepared = try repository.shell(
      """
      mkdir ../none && printf '#!/bin/sh\nexit 127\n' >../none/strata && chmod +x ../none/strata
      PATH=$PWD/../none:/usr/bin:/bin git log --patch 2>&1
      """)
    #expect(unprepared.contains("\n+    <attribute name=\"size\""), "without the program")
  }

  @Test("the difference of a merge conflict shows its marks")
  func conflict() throws {
    try configureDiff()
    try repository.git("checkout", "--quiet", "-b", "other")
    try project.write(version: "App 2", ["name", "one"])
    try repository.commit()
    try repository.git("checkout", "--quiet", "main")
    try project.write(version: "App 2", ["name", "two"])
    try repository.commit()
    let difference = try shell("git merge other || git diff")
    #expect(difference.contains("<<<<<<< HEAD") && difference.contains("\"two\""), "\(difference)")
  }
}
