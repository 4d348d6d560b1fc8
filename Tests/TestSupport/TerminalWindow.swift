import Foundation

/// A terminal with the built program in it: keys go in, the screen comes out.
///
/// tmux is the terminal, so what a test sees is what a user sees, colours and cursor apart.
package final class TerminalWindow {
  /// Whether tmux is there.
  package static let isAvailable: Bool = {
    (try? run("tmux", ["-V"]))?.status == 0
  }()

  private var socket = ""
  private let folder: String

  /// - Parameter folder: The home of the program, which was used there before, and where it works.
  package init(folder: String) {
    self.folder = folder
    let state = folder + "/.local/state/strata"
    try? FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: true)
    _ = FileManager.default.createFile(
      atPath: state + "/history", contents: nil, attributes: [.posixPermissions: 0o600])
  }

  deinit { close() }

  package func close() {
    if !socket.isEmpty { _ = try? tmux("kill-server") }
  }

  /// Starts the program anew, in an empty screen.
  ///
  /// - Parameters:
  ///   - environment: `NAME=VALUE` beside what every session has.
  ///   - prompt: The beginning of the first prompt.
  package func start(
    environment: [String] = [], arguments: [String] = [], waitingFor prompt: String = "strata>"
  ) throws {
    close()
    // A server that is being killed may still answer to its name.
    socket = "strata-\(UUID().uuidString.prefix(8))"
    let home = [
      "HOME=\(folder)", "PATH=/usr/local/bin:/usr/bin:/bin", "LANG=C.UTF-8", "TERM=screen",
    ]
    let command =
      ["env", "-i"] + home + environment + [Self.program] + arguments
    // The window outlives the program, so that its last words can be read.
    let line =
      // Ctrl-C comes to the shell too, which must stay.
      "trap : INT; cd \(Self.quoted(folder)) && \(command.map(Self.quoted).joined(separator: " ")); "
      + "echo \"[status $?]\"; exec sleep 1000"
    try tmux("-f", "/dev/null", "new-session", "-d", "-x", "80", "-y", "24", "sh", "-c", line)
    try tmux("set-option", "-g", "status", "off")
    try resize(columns: 80, rows: 24)
    // What is typed before the line editor has the terminal is echoed by the terminal itself.
    let beginnings = [prompt, "accept this change", "[status"]
    while try !screen().contains(where: { beginnings.contains(where: $0.hasPrefix) }) {
      Thread.sleep(forTimeInterval: 0.05)
    }
    // The prompt is there a moment before the line editor has the terminal.
    Thread.sleep(forTimeInterval: 0.1)
  }

  package func resize(columns: Int, rows: Int) throws {
    try tmux("resize-window", "-x", String(columns), "-y", String(rows))
  }

  package func type(_ text: String) throws { try tmux("send-keys", "-l", "--", text) }

  /// - Parameter key: As tmux calls it: `Enter`, `Tab`, `C-c`, `Up`.
  package func press(_ key: String) throws { try tmux("send-keys", key) }

  /// Many lines at once, as from a clipboard.
  ///
  /// - Parameter isMarked: Whether its ends are marked, if the program asked for it (bracketed paste).
  package func paste(_ text: String, isMarked: Bool = false) throws {
    try tmux("set-buffer", text)
    if isMarked { try tmux("paste-buffer", "-p") } else { try tmux("paste-buffer") }
  }

  /// The screen without what is empty at its end.
  package func screen() throws -> [String] {
    var lines = try tmux("capture-pane", "-p").split(
      separator: "\n", omittingEmptySubsequences: false
    ).map { line in
      String(line.reversed().drop { $0 == " " }.reversed())
    }
    while lines.last?.isEmpty == true { lines.removeLast() }
    return lines
  }

  /// The program that the tests were built with.
  package static var program: String {
    URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appendingPathComponent("strata").path
  }

  @discardableResult
  private func tmux(_ arguments: String...) throws -> String {
    let (status, output) = try Self.run("tmux", ["-L", socket] + arguments)
    guard status == 0 else {
      throw StoreFixture.Failure(message: "tmux \(arguments.first ?? ""): \(output)")
    }
    return output
  }

  private static func run(_ name: String, _ arguments: [String]) throws -> (
    status: Int32, output: String
  ) {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    // The server that the first command leaves behind must inherit nothing: Foundation waits for
    // whoever holds its descriptors, and threads of tests block the signal by which it ends.
    process.arguments =
      arguments.contains("new-session")
      ? [
        "python3", "-c",
        "import os,signal,sys; os.closerange(3, 256); signal.pthread_sigmask(signal.SIG_SETMASK, []); "
          + "os.execvp(sys.argv[1], sys.argv[1:])",
      ]
        + [name] + arguments
      : [name] + arguments
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    try process.run()
    try pipe.fileHandleForWriting.close()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: data, as: UTF8.self))
  }

  private static func quoted(_ word: String) -> String {
    "'" + word.replacingOccurrences(of: "'", with: "'\\''") + "'"
  }
}
