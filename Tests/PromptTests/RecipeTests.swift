import Foundation
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

private let hasTools = ["curl", "xz"].allSatisfy { tool in
  ["/bin", "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"].contains {
    FileManager.default.isExecutableFile(atPath: "\($0)/\(tool)")
  }
}

/// The recipes of `Docs/CI.md`, run as they are written.
@Suite("Recipes for build servers", .enabled(if: hasTools, "curl or xz is not installed"))
struct RecipeTests {
  private let folder: TemporaryFolder
  /// A release of Strata, with a link to the program.
  private let archive: String
  /// A repository with one release, and a version after it that loses a value.
  private let project: ReleasedProject

  init() throws {
    folder = try TemporaryFolder()
    archive = folder.path("strata.tar.xz")
    try FileManager.default.createDirectory(
      atPath: folder.path("strata-0.1.0"), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("strata-0.1.0/strata"), withDestinationPath: TerminalWindow.program)
    project = try ReleasedProject(in: folder, name: "project")
    try project.write(version: "App 2", ["name"])
    try project.repository.commit()
    try project.repository.shell("tar -C .. -cJf ../strata.tar.xz strata-0.1.0")
  }

  /// Runs lines as a job of a build server does.
  ///
  /// - Returns: Standard output and standard error.
  @discardableResult
  private func job(_ script: String) throws -> String {
    try project.repository.shell(
      "exec 2>&1\nexport STRATA_SHA256=$(sha256sum \(quoted(archive)) | cut -d' ' -f1)\n\(script)",
      adding: [
        "STRATA": "file://\(archive)",
        // The recipes write the config of the user.
        "GIT_CONFIG_GLOBAL": folder.path("gitconfig"),
      ])
  }

  @Test(
    "a job checks the project, and works in a folder that it has used",
    arguments: ["GitHub Actions", "GitLab"])
  func twice(system: String) throws {
    let scripts = try BuildServerPage.scripts(under: system)
    #expect(scripts.count == 2)
    // A step ends with status 1, since the check has a finding.
    let steps = scripts.map { "sh -e -c \(quoted($0)) || echo \"status $?\"" }
    for _ in 1...2 {
      let lines = try job(steps.joined(separator: "\n")).components(separatedBy: "\n")
      #expect(
        lines.first?.hasPrefix("checked App.xcdatamodeld: 2 versions, 1 shipped") == true,
        "\(lines)")
      #expect(
        lines.last == "status 1" && lines.contains { $0.contains("[loss/values]") }, "\(lines)")
    }
  }

  @Test(
    "a job does not run another program than the one whose checksum it has",
    arguments: ["GitHub Actions", "GitLab"])
  func otherProgram(system: String) throws {
    let first = try #require(try BuildServerPage.scripts(under: system).first)
    let output = try job(
      "STRATA_SHA256=\(String(repeating: "0", count: 64))\nsh -e -c \(quoted(first)) || echo refused; ls"
    )
    #expect(output.contains("refused") && !output.contains("strata-program"), "\(output)")
  }

  @Test(
    "a job for a pull request compares with its target",
    arguments: [("GitHub Actions", "BASE"), ("GitLab", "CI_MERGE_REQUEST_TARGET_BRANCH_NAME")])
  func pullRequest(system: String, variable: String) throws {
    let scripts = try BuildServerPage.scripts(under: system)
    try project.repository.git("update-ref", "refs/remotes/origin/main", "HEAD")
    let steps = scripts.map { "sh -e -c \(quoted($0))" }.joined(separator: "\n")
    let same = try job("export \(variable)=main\n\(steps)")
    #expect(same.contains("nothing changed since origin/main"), "\(same)")
  }

  @Test(
    "files of another user are checked after the line that the page names, as they are in a container",
    .enabled(if: geteuid() == 0, "only root can give files to another user"))
  func foreignOwner() throws {
    let scripts = try BuildServerPage.scripts(under: "GitHub Actions")
    try job("chown -R 12345 .")
    let get = try #require(scripts.first)
    let refused = try job("\(get)\nstrata-program/strata check || echo \"status $?\"")
    #expect(refused.contains("[git.foreignOwner]") && refused.hasSuffix("status 2"), "\(refused)")
    let line = #"git config --global --add safe.directory "$PWD""#
    #expect(try BuildServerPage.text().contains(line))
    let checked = try job("\(line)\n(\(try #require(scripts.last))) || echo \"status $?\"")
    #expect(
      checked.contains("1 shipped in 1 release") && checked.hasSuffix("status 1"), "\(checked)")
  }

  @Test("the lines from zero to a required check do what they say, also for the second time")
  func fromZero() throws {
    let blocks = try BuildServerPage.blocks(of: "sh", under: "From zero to a required check")
    #expect(blocks.count == 4)
    let script =
      "set +e\n"
      + blocks.joined(separator: "\n")
      .replacing(#/https:.*\.tar\.xz/#, with: "file://\(archive)")
    let first = try job(script)
    #expect(first.contains("[loss/values]") && first.contains("accepted 1 finding"), "\(first)")
    // Through the hook, which permits what was accepted, and then refuses an edit.
    let path = "PATH=$PWD/../strata:$PATH\n"
    try job(path + "git add --all; git commit --message=m")
    let second = try job(script)
    #expect(second.contains("no findings to accept"), "\(second)")
    try project.write(version: "App 1", ["name", "added"])
    let refused = try job(path + "git commit --all --message=m || echo refused")
    #expect(refused.contains("[version/edited]") && refused.hasSuffix("refused"), "\(refused)")
  }

  private func quoted(_ text: String) -> String {
    "'" + text.replacing("'", with: #"'\''"#) + "'"
  }
}
