import Foundation
import TestSupport
import Testing

/// The recipes of `Docs/CI.md` that build Strata on a build server.
@Suite("Recipes for build servers")
struct RecipeTests {
  /// The lines that build the program, once for each system.
  private static func recipes() throws -> [String] {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let lines = try String(contentsOf: root.appending(path: "Docs/CI.md"), encoding: .utf8)
      .components(separatedBy: "\n")
    return lines.indices.filter { lines[$0].contains("test -x strata-program/strata ||") }.map {
      start in
      let indent = lines[start].prefix { $0 == " " }
      let end = lines[start...].firstIndex { $0 == indent + "}" } ?? start
      return lines[start...end].map { $0.dropFirst(indent.count) }.joined(separator: "\n")
    }
  }

  private func run(_ script: String, in folder: String, _ environment: [String: String]) throws
    -> (status: Int32, output: String)
  {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["bash", "-euo", "pipefail", "-c", script]
    process.currentDirectoryURL = URL(fileURLWithPath: folder)
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let output = Pipe()
    (process.standardOutput, process.standardError) = (output, output)
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, text)
  }

  @Test("a recipe builds the program once for a commit, and works in a folder that it has used")
  func twice() throws {
    let recipes = try Self.recipes()
    #expect(recipes.count == 2 && Set(recipes).count == 1)
    let recipe = try #require(recipes.first)
    let folder = try TemporaryFolder()
    // A repository whose build takes no time.
    try folder.write(
      """
      #!/usr/bin/env bash
      root=$(dirname "$(dirname "$(readlink -f "$0")")")
      mkdir -p "$root/.build/program/release"
      printf '#!/bin/sh\\necho program\\n' >"$root/.build/program/release/strata"
      chmod +x "$root/.build/program/release/strata"
      echo built

      """, to: "source/Scripts/strata")
    let made = try run(
      """
      chmod +x Scripts/strata && git init --quiet && git add --all
      git -c user.name=A -c user.email=a@b.c commit --quiet --message first && git rev-parse HEAD
      """, in: folder.path("source"), [:])
    #expect(made.status == 0, "\(made.output)")
    let environment = [
      "STRATA_URL": "file://\(folder.path("source"))",
      "STRATA_COMMIT": made.output.trimmingCharacters(in: .whitespacesAndNewlines),
    ]
    try FileManager.default.createDirectory(
      atPath: folder.path("job"), withIntermediateDirectories: true)
    for expected in ["built\nprogram\n", "program\n"] {
      let answer = try run(recipe + "\nstrata-program/strata", in: folder.path("job"), environment)
      #expect(answer.status == 0 && answer.output == expected, "\(answer.output)")
    }
    // A cache that was lost, in a folder that still has the rest of a job.
    try FileManager.default.removeItem(atPath: folder.path("job/strata-program"))
    let again = try run(recipe + "\nstrata-program/strata", in: folder.path("job"), environment)
    #expect(again.output == "built\nprogram\n", "\(again.output)")
  }
}
