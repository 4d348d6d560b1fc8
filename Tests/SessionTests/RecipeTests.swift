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

  @Test("a recipe builds the program once for a commit, and works in a folder that it has used")
  func twice() throws {
    let recipes = try Self.recipes()
    #expect(recipes.count == 2 && Set(recipes).count == 1)
    let recipe = try #require(recipes.first)
    let folder = try TemporaryFolder()
    let source = try GitFixture(in: folder, name: "source")
    // A repository whose build takes no time.
    try source.write(
      """
      #!/usr/bin/env bash
      root=$(dirname "$(dirname "$(readlink -f "$0")")")
      mkdir -p "$root/.build/program/release"
      printf '#!/bin/sh\\necho program\\n' >"$root/.build/program/release/strata"
      chmod +x "$root/.build/program/release/strata"
      echo built

      """, to: "Scripts/strata")
    try source.shell("chmod +x Scripts/strata")
    let commit = try source.commit()
    let job = try GitFixture(in: folder, name: "job")
    func answer() throws -> String {
      try job.shell(
        "exec 2>&1\n\(recipe)\nstrata-program/strata",
        adding: ["STRATA_URL": "file://\(source.path)", "STRATA_COMMIT": "\(commit)"])
    }
    #expect(try answer() == "built\nprogram")
    #expect(try answer() == "program")
    // A cache that was lost, in a folder that still has the rest of a job.
    try FileManager.default.removeItem(atPath: folder.path("job/strata-program"))
    #expect(try answer() == "built\nprogram")
  }
}
