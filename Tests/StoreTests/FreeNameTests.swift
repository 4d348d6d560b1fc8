import Foundation
import StrataArchives
import StrataBase
import StrataSQLite
import TestSupport
import Testing

@testable import StrataStore

/// How a new file gets its name, with and without hard links.
@Suite("Moves to a free name")
struct FreeNameTests {
  @Test("a file is moved to a free name, and replaces none", arguments: [false, true])
  func move(hasLinks: Bool) throws {
    let folder = try TemporaryFolder()
    let (path, target) = (folder.path("new"), folder.path("t.sqlite"))
    let move = hasLinks ? FileOperations.moveToFreeName : FileOperations.moveWithoutLink
    try folder.write("new", to: "new")
    try folder.write("old", to: "t.sqlite")
    for name in [target, folder.path("link")] {
      if name != target {
        try FileManager.default.createSymbolicLink(atPath: name, withDestinationPath: "nowhere")
      }
      #expect(throws: StoreError.alreadyExists) { try move(path, name) }
    }
    #expect(try String(contentsOfFile: target, encoding: .utf8) == "old")
    try FileManager.default.removeItem(atPath: target)
    try move(path, target)
    #expect(try String(contentsOfFile: target, encoding: .utf8) == "new")
    #expect(FileStatus(path) == nil)
  }

  @Test("a move that fails leaves no file", arguments: [false, true])
  func failure(hasLinks: Bool) throws {
    let folder = try TemporaryFolder()
    let move = hasLinks ? FileOperations.moveToFreeName : FileOperations.moveWithoutLink
    #expect(throws: StoreError.self) { try move(folder.path("none"), folder.path("t.sqlite")) }
    #expect(FileStatus(folder.path("t.sqlite")) == nil)
  }
}
