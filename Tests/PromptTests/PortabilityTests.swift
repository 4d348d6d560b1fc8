import Foundation
import TestSupport
import Testing

@Suite("A session is recorded and replayed byte for byte in any environment")
struct PortabilityTests {
  /// What is around a program that is run.
  private struct Surroundings: CustomStringConvertible {
    var description: String
    var environment: [String]
  }

  private static let surroundings = [
    Surroundings(description: "plain", environment: ["LC_ALL=C", "TZ=UTC"]),
    Surroundings(
      description: "Turkish in Kathmandu",
      environment: ["LC_ALL=tr_TR.UTF-8", "LANG=tr_TR.UTF-8", "TZ=Asia/Kathmandu", "COLUMNS=40"]),
    Surroundings(
      description: "German on the Chatham Islands",
      environment: [
        "LC_ALL=de_DE.UTF-8", "TZ=Pacific/Chatham", "TERM=xterm-256color", "CLICOLOR_FORCE=1",
      ]),
  ]

  private static let names = ["session.md", "session.strata"]

  /// The folder with the locales that the tests need, made once where that can be done.
  private static let locales: TemporaryFolder? = {
    guard let folder = try? TemporaryFolder() else { return nil }
    for name in ["tr_TR", "de_DE"] {
      _ = try? run(
        "localedef", ["-i", name, "-f", "UTF-8", folder.path(name + ".UTF-8")], in: folder)
    }
    return folder
  }()

  @Test("recorded in a pipe, in another folder, locale and time zone, and in a terminal")
  func recorded() async throws {
    try await waiting { try Self.recordedAside() }
  }

  private static func recordedAside() throws {
    let script =
      (WholeSession.lines + Self.names.map { "save \($0)" }).joined(separator: "\n") + "\n"
    var documents: [[Data]] = []
    var folders: [TemporaryFolder] = []
    for surroundings in Self.surroundings {
      let folder = try TemporaryFolder()
      try folder.write(script, to: "whole.strata")
      let status = try Self.strata("< whole.strata", in: folder, surroundings)
      #expect(status == 1, "\(surroundings)")
      documents.append(
        try Self.names.map { try Data(contentsOf: URL(fileURLWithPath: folder.path($0))) })
      folders.append(folder)
    }
    if TerminalWindow.isAvailable {
      let folder = try TemporaryFolder()
      try folder.write(script, to: "whole.strata")
      let window = TerminalWindow(folder: folder.url.path)
      try window.start()
      try window.resize(columns: 50, rows: 20)
      try window.type("set pager off; run whole.strata".replacing("; ", with: "\n"))
      try window.press("Enter")
      let saved = folder.path(Self.names[1])
      let deadline = Date(timeIntervalSinceNow: 300)
      while !FileManager.default.fileExists(atPath: saved), Date() < deadline {
        Thread.sleep(forTimeInterval: 0.1)
      }
      window.close()
      documents.append(
        try Self.names.map { try Data(contentsOf: URL(fileURLWithPath: folder.path($0))) })
    }
    #expect(documents.count >= Self.surroundings.count)
    for document in documents { #expect(document == documents[0]) }
    // Each replays in the surroundings of the others, from another folder too, whatever is left there.
    for (folder, surroundings) in zip(folders, Self.surroundings.reversed()) {
      let elsewhere = try TemporaryFolder()
      for name in Self.names {
        try FileManager.default.copyItem(atPath: folder.path(name), toPath: elsewhere.path(name))
        #expect(try Self.strata("replay \(name)", in: folder, surroundings) == 0, "\(surroundings)")
        #expect(
          try Self.strata("replay '\(elsewhere.path(name))'", in: folder, surroundings) == 0,
          "\(surroundings)")
      }
    }
  }

  private static func strata(
    _ arguments: String, in folder: TemporaryFolder, _ surroundings: Surroundings
  ) throws -> Int32 {
    try run(
      "env",
      ["-i", "PATH=/usr/bin:/bin", "HOME=\(folder.url.path)"]
        + (locales.map { ["LOCPATH=\($0.url.path)"] } ?? []) + surroundings.environment
        + ["sh", "-c", "exec \"$1\" \(arguments)", "sh", TerminalWindow.program], in: folder)
  }

  private static func run(
    _ program: String, _ arguments: [String], in folder: TemporaryFolder
  ) throws -> Int32 {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [program] + arguments
    process.currentDirectoryURL = folder.url
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus
  }
}
