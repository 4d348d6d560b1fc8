import Foundation
import TestSupport
import Testing

@Suite("Signals end the program as a shell expects")
struct SignalTests {
  @Test(
    "with 128 and the number, and without a private folder",
    arguments: ["INT", "TERM", "HUP", "QUIT"])
  func waiting(signal: String) throws {
    let folder = try TemporaryFolder()
    // A script whose next line never comes; Python starts it with no signal ignored.
    let run = try ShellRun(
      "python3 -c \"$2\" \"$1\" \(signal)", in: folder.url.path, [Self.interrupting(after: nil)])
    #expect(run.output == "-\(signal)\n", "\(run.text)")
  }

  @Test("during a migration, leaving the store unchanged", arguments: ["INT", "TERM", "HUP"])
  func migrating(signal: String) throws {
    let folder = try TemporaryFolder()
    let created = try ShellRun(
      "\"$1\" create t.sqlite --model sample:Topics/Model1 --rows 20000 && cp t.sqlite old.sqlite",
      in: folder.url.path)
    try #require(created.status == 0, "\(created.text)")
    let run = try ShellRun(
      "python3 -c \"$2\" \"$1\" \(signal); cmp t.sqlite old.sqlite; ls -A", in: folder.url.path,
      [Self.interrupting(after: "migrate t.sqlite --to sample:Topics/Model2")])
    #expect(run.output == "-\(signal)\nold.sqlite\nt.sqlite\ntmp\n", "\(run.text)")
  }

  @Test("movements of the stepper that Ctrl-C ended are saved as the position where they ended")
  func savedPosition() throws {
    let folder = try TemporaryFolder()
    let created = try ShellRun(
      "\"$1\" create t.sqlite --model sample:Topics/Model1 --rows 20000", in: folder.url.path)
    try #require(created.status == 0, "\(created.text)")
    let run = try ShellRun(
      "python3 -c \"$2\" \"$1\" && \"$1\" replay s.strata; grep -c interrupted s.strata; grep -A1 goto s.strata",
      in: folder.url.path, [Self.movements])
    let lines = run.output.split(separator: "\n")
    #expect(run.output.contains("interrupted: stopped here"), "\(run.text)")
    #expect(lines.contains { $0.hasPrefix("replayed ") && $0.contains("same") }, "\(run.text)")
    #expect(lines.contains("0"), "\(run.text)")
    #expect(lines.count { $0.hasPrefix("goto ") } == 2, "\(run.text)")
  }

  /// A Python program that types the commands of a walk at the prompt in a terminal, and Ctrl-C during two movements.
  private static let movements = """
    import os, pty, select, sys, time
    child, terminal = pty.fork()
    if child == 0:
        os.environ.update(TERM="dumb", NO_COLOR="1")
        os.execv(sys.argv[1], [sys.argv[1]])
    def read(until, limit=60):
        text, end = b"", time.time() + limit
        while until not in text and time.time() < end:
            if select.select([terminal], [], [], 0.1)[0]:
                try: text += os.read(terminal, 65536)
                except OSError: break
        print(text.decode(errors="replace").replace("\\r", ""))
        return text
    read(b"> ")
    def type(line): os.write(terminal, line.encode() + b"\\r")
    type("debug t.sqlite --to sample:Topics/Model2")
    read(b")> ")
    def interrupt(movement):
        # On a busy machine the first Ctrl-C can come before the movement, and discards the line.
        for delay in (0.15, 0.5, 1, 2, 4):
            type(movement)
            time.sleep(delay)
            os.write(terminal, b"\\x03")
            if b"interrupted" in read(b"interrupted", 4): return
    for movement in ("step 30000", "step 2", "step 29000 --json", "back", "where"):
        if movement in ("step 30000", "step 29000 --json"): interrupt(movement)
        else: type(movement)
        read(b"\\xff", 0.7)
    type("save s.strata")
    read(b"saved")
    type("quit")
    read(b"\\xff", 0.5)
    """

  @Test("a program started with nohup outlives the terminal")
  func nohup() throws {
    let folder = try TemporaryFolder()
    let run = try ShellRun(
      "trap '' HUP; { sleep 1; echo samples; } | \"$1\" & sleep 0.5; kill -HUP $!; wait $!; echo $?",
      in: folder.url.path)
    #expect(run.output.hasSuffix("0\n"), "\(run.text)")
  }

  /// A Python program that starts the program (its first argument), waits until it has begun, sends it a signal (its
  /// second) and says what ended it: `-TERM`, or an exit status; then what the program left in TMPDIR.
  private static func interrupting(after command: String?) -> String {
    """
    import os, signal, subprocess, sys, time
    os.mkdir("tmp")
    words = \(command.map { "\($0.split(separator: " ").map(String.init))" } ?? "['run', '-']")
    number = getattr(signal, "SIG" + sys.argv[2])
    def plain():
        for known in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
            signal.signal(known, signal.SIG_DFL)
    child = subprocess.Popen(
        [sys.argv[1], *words], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
        env={**os.environ, "TMPDIR": os.path.abspath("tmp")}, preexec_fn=plain)
    if \(command == nil ? "True" : "False"):
        time.sleep(1.5)
    else:
        while child.poll() is None and not any(n.startswith(".t.sqlite.") for n in os.listdir(".")):
            time.sleep(0.002)
    child.send_signal(number)
    status = child.wait()
    print("-" + signal.Signals(-status).name[3:] if status < 0 else status, *os.listdir("tmp"))
    """
  }
}
