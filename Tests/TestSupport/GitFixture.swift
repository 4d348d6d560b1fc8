package import Foundation
package import StrataGit

/// A repository in a temporary folder, made by git itself.
package final class GitFixture: Sendable {
  package struct Failure: Error, CustomStringConvertible {
    package var description: String

    package init(description: String) { self.description = description }
  }

  package let folder: TemporaryFolder
  private let streams: TemporaryFolder
  /// The folder of the working tree, below that of the fixture; empty if they are the same.
  package let name: String

  package init(
    in folder: TemporaryFolder? = nil, name: String = "project", format: String = "sha1"
  ) throws {
    self.folder = try folder ?? TemporaryFolder()
    streams = try TemporaryFolder()
    self.name = name
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try git("init", "--quiet", "--initial-branch=main", "--object-format=\(format)")
  }

  /// A repository that git has made in another way, such as a clone.
  package init(in folder: TemporaryFolder, existing name: String) throws {
    (self.folder, self.name) = (folder, name)
    streams = try TemporaryFolder()
  }

  package var path: String { folder.path(name) }

  /// The environment of git, without the config of the user who runs the tests.
  package var environment: [String: String] {
    var environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("GIT_") }
    environment["HOME"] = folder.url.path
    environment["GIT_CONFIG_NOSYSTEM"] = "1"
    environment["GIT_CONFIG_GLOBAL"] = "/dev/null"
    return environment
  }

  package func repository(
    in folder: String? = nil, limits: GitLimits = GitLimits(), adding more: [String: String] = [:],
    currentFolder: String? = nil
  ) throws -> GitRepository {
    try GitRepository(
      containing: folder ?? path, limits: limits,
      environment: environment.merging(more) { $1 }, currentFolder: currentFolder ?? path)
  }

  /// Runs git in the working tree.
  ///
  /// - Returns: Its standard output without the last line end.
  @discardableResult
  package func git(
    _ arguments: String..., input: Data? = nil, seconds: Int = 1_700_000_000
  ) throws -> String {
    try run(
      ["git", "-c", "protocol.file.allow=always"] + arguments, input: input, seconds: seconds)
  }

  /// Runs lines of a shell in the working tree; the first that fails ends them.
  ///
  /// - Parameter more: Additional variables of the environment.
  @discardableResult
  package func shell(_ script: String, adding more: [String: String] = [:]) throws -> String {
    try run(["bash", "-euo", "pipefail", "-c", script], adding: more)
  }

  private func run(
    _ arguments: [String], input: Data? = nil, seconds: Int = 1_700_000_000,
    adding more: [String: String] = [:]
  ) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments
    process.currentDirectoryURL = URL(fileURLWithPath: path)
    process.environment = environment.merging([
      "GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@b.c", "GIT_COMMITTER_NAME": "A",
      "GIT_COMMITTER_EMAIL": "a@b.c", "GIT_AUTHOR_DATE": "\(seconds) +0000",
      "GIT_COMMITTER_DATE": "\(seconds) +0000",
    ]) { $1 }.merging(more) { $1 }
    // Files, not pipes: neither can block the other.
    let files = try ["input", "output", "errors"].map {
      try streams.write(Array($0 == "input" ? input ?? Data() : Data()), to: $0)
    }
    let handles =
      [FileHandle(forReadingAtPath: files[0])]
      + files.dropFirst().map { FileHandle(forWritingAtPath: $0) }
    // Foundation keeps a process and so its handles; terminal tests fail with more than a
    // thousand open files.
    defer { for handle in handles { try? handle?.close() } }
    (process.standardInput, process.standardOutput) = (handles[0], handles[1])
    process.standardError = handles[2]
    // Foundation's `waitUntilExit` polls every 50 ms.
    let ended = DispatchSemaphore(value: 0)
    process.terminationHandler = { _ in ended.signal() }
    try process.run()
    ended.wait()
    guard process.terminationStatus == 0 else {
      throw Failure(
        description: arguments.joined(separator: " ") + ": "
          + (try String(contentsOfFile: files[2], encoding: .utf8)))
    }
    return String(decoding: try Data(contentsOf: URL(fileURLWithPath: files[1])), as: UTF8.self)
      .trimmingCharacters(in: .newlines)
  }

  @discardableResult
  package func write(_ text: String, to name: String) throws -> String {
    try folder.write(text, to: "\(self.name)/\(name)")
  }

  /// Commits all files of the working tree.
  @discardableResult
  package func commit(_ files: KeyValuePairs<String, String> = [:], seconds: Int = 1_700_000_000)
    throws
    -> GitObjectID
  {
    for (name, text) in files { try write(text, to: name) }
    try git("add", "--all")
    try git("commit", "--quiet", "--allow-empty", "--message=m", seconds: seconds)
    return try id("HEAD")
  }

  package func id(_ revision: String) throws -> GitObjectID {
    let hex = try git("rev-parse", "--verify", revision)
    guard let id = GitObjectID(hex: hex) else { throw Failure(description: hex) }
    return id
  }

  /// Writes an object without git's checks.
  package func object(_ type: String, _ bytes: [UInt8]) throws -> GitObjectID {
    let hex = try git(
      "hash-object", "-t", type, "-w", "--stdin", "--literally", input: Data(bytes))
    guard let id = GitObjectID(hex: hex) else { throw Failure(description: hex) }
    return id
  }

  /// Writes a tree of any entries, and a commit of it.
  package func commit(rawTree entries: [(mode: String, name: String, id: GitObjectID)]) throws
    -> GitObjectID
  {
    let bytes = entries.flatMap { Array("\($0.mode) \($0.name)\0".utf8) + $0.id.bytes }
    return try commit(tree: try object("tree", bytes))
  }

  package func commit(tree: GitObjectID) throws -> GitObjectID {
    try object(
      "commit",
      Array("tree \(tree)\nauthor A <a> 1 +0000\ncommitter A <a> 1 +0000\n\nm\n".utf8))
  }
}
