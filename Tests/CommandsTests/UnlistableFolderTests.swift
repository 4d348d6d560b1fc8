import Foundation
import StrataCommands
import TestSupport
import Testing

/// The system's administrator may list every folder.
@Suite("Folders that may not be listed", .enabled(if: geteuid() != 0))
struct UnlistableFolderTests {
  @Test("`replay` of a folder names each part of it that it could not search")
  func documents() throws {
    let folder = try TemporaryFolder()
    try folder.write("samples\n", to: "docs/a.strata")
    try folder.write("samples\n", to: "docs/sub/b.strata")
    #expect(chmod(folder.path("docs/sub"), 0o300) == 0)
    defer { chmod(folder.path("docs/sub"), 0o755) }
    let answer = TestSession(in: folder)("replay docs")
    #expect(answer.output.contains("a.strata"), "\(answer)")
    #expect(answer.diagnostics.contains("the folder cannot be listed"), "\(answer)")
    #expect(answer.diagnostics.contains("docs/sub"), "\(answer)")
  }
}
