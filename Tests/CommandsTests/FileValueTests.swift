import Foundation
import StrataBase
import StrataCommands
import TestSupport
import Testing

@Suite("Values that are read from files: insert NAME=@file")
struct FileValueTests {
  @Test("a String gets the UTF-8 text of the file, byte for byte")
  func text() throws {
    let folder = try TemporaryFolder()
    let session = Self.session(in: folder)
    let text = "Zeile 1\n\t»Größe« 𝄞 e\u{301}\n"
    try folder.write(text, to: "text.txt")
    #expect(session("insert t.sqlite Topic content=@text.txt presenterName=A").status == .done)
    let stored = try Python.value(
      "SELECT hex(ZCONTENT) FROM ZTOPIC ORDER BY Z_PK DESC LIMIT 1", in: folder.path("t.sqlite"))
    #expect(stored == text.utf8.map { String(format: "%02X", $0) }.joined())
  }

  @Test("an empty file is an empty text, and @@ begins a text with @")
  func plain() throws {
    let folder = try TemporaryFolder()
    let session = Self.session(in: folder)
    try folder.write("", to: "empty")
    #expect(session("insert t.sqlite Topic content=@empty presenterName=@@ben").status == .done)
    #expect(
      try Python.value(
        "SELECT ZCONTENT || '|' || ZPRESENTERNAME FROM ZTOPIC ORDER BY Z_PK DESC LIMIT 1",
        in: folder.path("t.sqlite")) == "|@ben")
  }

  @Test(
    "a file that is not text is refused, and the store is unchanged",
    arguments: [
      ([0x61, 0xFF], "it is not UTF-8"), ([0xED, 0xA0, 0x80], "it is not UTF-8"),
      ([0xC0, 0x80], "it is not UTF-8"), ([0x61, 0x00], "it contains a NUL byte"),
      (nil, "no such file"),
    ] as [([UInt8]?, String)])
  func refused(bytes: [UInt8]?, reason: String) throws {
    let folder = try TemporaryFolder()
    let session = Self.session(in: folder)
    if let bytes { try folder.write(bytes, to: "file") }
    let before = try folder.state()
    let answer = session("insert t.sqlite Topic content=@file presenterName=A")
    #expect(
      answer.status == .failed && answer.diagnostics.contains(reason), "\(answer.diagnostics)")
    #expect(try folder.state() == before)
  }

  @Test("other types are not read from a file", arguments: ["timeBudget", "dateCreated"])
  func otherTypes(attribute: String) throws {
    let folder = try TemporaryFolder()
    let session = TestSession(in: folder)
    #expect(session("create t.sqlite --model sample:Topics/Model2").status == .done)
    try folder.write("5", to: "file")
    let answer = session("insert t.sqlite Topic content=a presenterName=A \(attribute)=@file")
    #expect(answer.status == .failed)
    #expect(
      answer.diagnostics.contains("only String and Binary attributes are read from a file"),
      "\(answer.diagnostics)")
  }

  private static func session(in folder: TemporaryFolder) -> TestSession {
    let session = TestSession(in: folder)
    #expect(session("create t.sqlite --model sample:Topics/Model1 --rows 1").status == .done)
    return session
  }
}
