import Foundation
import StrataBase
import Testing

@Suite("System")
struct SystemTests {
  @Test("a child process gets arguments and environment, and its status is known")
  func child() throws {
    let child = try ChildProcess.shell(
      "test \"$1 $NAME\" = 'a b c' && exit 3", ["a b"], environment: ["NAME": "c"])
    #expect(child.wait() == 3)
    #expect(child.wait() == 3 && child.wait(atMost: .zero) == 3)
  }

  @Test("a child process that runs on can be ended")
  func killed() throws {
    let child = try ChildProcess("/bin/sleep", ["60"], environment: [:])
    #expect(child.wait(atMost: .milliseconds(20)) == nil)
    child.kill()
    #expect(child.wait() == 128 + SIGKILL)
  }

  @Test("a program that is not there is an error of the system")
  func missing() {
    #expect(throws: ChildProcess.Failure.self) {
      try ChildProcess("/nothing/there", [], environment: [:])
    }
  }

  @Test("numbers have fixed digits as C prints them, and texts lose the white space at their ends")
  func texts() {
    for (number, digits) in [
      (0.0, 3), (0.12345, 3), (-1.5, 0), (2.5, 0), (1e300, 2), (0.1, 9), (123456.789, 4),
    ] {
      #expect(number.text(digits: digits) == String(format: "%.\(digits)f", number))
    }
    for text in ["", " ", "a", " a b\n", "\u{2003}\ta\r\n", "e\u{301} ", " \u{301}a"] {
      #expect(text.trimmed == text.trimmingCharacters(in: .whitespacesAndNewlines), "\(text)")
    }
  }
}
