import Foundation
import TestSupport
import Testing

@Suite("Standard streams that are closed, full or not streams")
struct StandardStreamTests {
  @Test(
    "a failed read or write is an error, not a crash",
    arguments: [
      (">/dev/full", 2), (">&-", 2), ("1</dev/null", 2), ("2>/dev/full", 0), ("2>&-", 0),
      (">/dev/full 2>&-", 2),
    ])
  func output(redirection: String, status: Int32) throws {
    #expect(try Self.status(of: "\"$1\" samples \(redirection)") == status)
  }

  @Test(
    "standard input that cannot be read",
    arguments: ["<.", "<&-", "run - <.", "replay - <&-", "0>/dev/null"])
  func input(redirection: String) throws {
    #expect(try Self.status(of: "\"$1\" \(redirection) 2>/dev/null") == 2)
  }

  @Test("an opened file never gets the descriptor of a closed stream")
  func descriptors() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("Topics.xcdatamodeld")
    #expect(try Self.status(of: "\"$1\" write sample:Topics \(path) <&- >&- 2>&-") == 2)
    #expect(try Self.status(of: "\"$1\" diff \(path) sample:Topics | grep -q 'no difference'") == 0)
  }

  @Test("an argument that is not UTF-8 is refused")
  func arguments() throws {
    #expect(try Self.status(of: "\"$1\" show \"$(printf 'a\\377b')\" 2>/dev/null") == 64)
  }

  private static func status(of line: String) throws -> Int32 {
    let shell = Process()
    shell.executableURL = URL(fileURLWithPath: "/bin/sh")
    shell.arguments = ["-c", line, "sh", TerminalWindow.program]
    shell.standardOutput = FileHandle.nullDevice
    try shell.run()
    shell.waitUntilExit()
    return shell.terminationReason == .exit ? shell.terminationStatus : -1
  }
}
