import Foundation

/// The built program as a shell runs it: `$1` of the line is the program.
package struct ShellRun: Sendable {
  /// The exit status; 128 and its number where a signal has ended the shell's last command.
  package let status: Int32
  /// Standard output and standard error.
  package let output: String
  package let errors: String

  /// - Parameters:
  ///   - folder: Where the shell works.
  ///   - arguments: `$2` and those that follow.
  package init(_ line: String, in folder: String, _ arguments: [String] = []) throws {
    let shell = Process()
    shell.executableURL = URL(fileURLWithPath: "/bin/sh")
    shell.arguments = ["-c", line, "sh", TerminalWindow.program] + arguments
    shell.currentDirectoryURL = URL(fileURLWithPath: folder)
    shell.standardInput = FileHandle.nullDevice
    // Files, not pipes: neither can block the other.
    let place = FileManager.default.temporaryDirectory
      .appendingPathComponent("shell-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: place) }
    let files = ["output", "errors"].map { place.appendingPathComponent($0) }
    for file in files { try Data().write(to: file) }
    let handles = try files.map { try FileHandle(forWritingTo: $0) }
    shell.standardOutput = handles[0]
    shell.standardError = handles[1]
    try shell.run()
    shell.waitUntilExit()
    for handle in handles { try handle.close() }
    status =
      shell.terminationReason == .exit ? shell.terminationStatus : 128 + shell.terminationStatus
    output = String(decoding: try Data(contentsOf: files[0]), as: UTF8.self)
    errors = String(decoding: try Data(contentsOf: files[1]), as: UTF8.self)
  }

  package var text: String { output + errors }
}
