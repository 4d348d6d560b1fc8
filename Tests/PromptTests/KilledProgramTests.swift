import Foundation
import StrataStore
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What the program leaves when it is killed, and who removes it.
@Suite("A killed program")
struct KilledProgramTests {
  private let folder: TemporaryFolder
  private var temporary: String { folder.path("tmp") }

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: folder.path("tmp"), withIntermediateDirectories: true)
    try FileManager.default.createDirectory(
      atPath: folder.path("stores"), withIntermediateDirectories: true)
  }

  private func start(_ arguments: [String]) throws -> (process: Process, output: Pipe) {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: TerminalWindow.program)
    process.arguments = arguments
    process.currentDirectoryURL = URL(fileURLWithPath: folder.path("stores"))
    process.environment = ProcessInfo.processInfo.environment.merging(["TMPDIR": temporary]) { $1 }
    process.standardOutput = output
    process.standardError = output
    process.standardInput = FileHandle.nullDevice
    try process.run()
    return (process, output)
  }

  @discardableResult
  private func run(_ arguments: String...) throws -> (status: Int32, output: String) {
    let (process, output) = try start(arguments)
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: data, as: UTF8.self))
  }

  private func privateFolders() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: temporary).filter {
      $0.hasPrefix("strata-")
    }
  }

  /// The private folders that name their process, or have other files. A process that is killed before it names itself
  /// leaves one that stays for an hour.
  private func markedFolders() throws -> [String] {
    try privateFolders().filter { name in
      let folder = "\(temporary)/\(name)"
      let mark = FileManager.default.contents(atPath: "\(folder)/strata-process")
      let names = try? FileManager.default.contentsOfDirectory(atPath: folder)
      return mark?.last == UInt8(ascii: "\n") || names?.contains { $0 != "strata-process" } == true
    }
  }

  /// Waits until two processes have one private folder each and create no more: one killed while it creates another
  /// leaves that without a mark.
  private func waitForTwoProcesses() throws {
    var settled = (folders: Set<String>(), count: 0)
    try waitUntil {
      let folders = Set(try privateFolders())
      let isReady = try markedFolders().count == 2 && folders.count == 2
      settled = (folders, isReady && folders == settled.folders ? settled.count + 1 : 0)
      return settled.count == 25
    }
  }

  private func waitUntil(_ condition: () throws -> Bool) throws {
    for _ in 0..<6000 {
      if try condition() { return }
      usleep(20_000)
    }
    Issue.record("it took too long")
  }

  @Test("its private folder is listed by doctor and removed by the next program that creates one")
  func sweep() async throws {
    try await waiting { try sweepAside() }
  }

  private func sweepAside() throws {
    try SampleStore.topics(at: folder.path("stores/t.sqlite"))
    let writer = try OtherProgram(using: folder.path("stores/t.sqlite"))
    try writer.run("PRAGMA journal_mode = WAL")
    try writer.run("UPDATE ZTOPIC SET ZPRESENTERNAME = 'Zoe'")
    let query =
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
    let endless = ["sql", "t.sqlite", query, "--budget", "sql=1000000000000000"]
    let (killed, _) = try start(endless)
    let (living, _) = try start(endless)
    try waitForTwoProcesses()
    kill(killed.processIdentifier, SIGKILL)
    killed.waitUntilExit()
    #expect(try privateFolders().count == 2)
    let listed = try run("doctor", "t.sqlite")
    #expect(listed.output.contains("a private folder of a killed strata process"), "\(listed)")
    // To look at the store, doctor makes a private folder itself.
    #expect(try privateFolders().count == 1)
    let (again, _) = try start(endless)
    try waitForTwoProcesses()
    kill(again.processIdentifier, SIGKILL)
    again.waitUntilExit()
    let counted = try run("count", "t.sqlite", "Topic")
    #expect(counted.output == "3\n", "\(counted)")
    #expect(try privateFolders().count == 1)
    living.interrupt()
    living.waitUntilExit()
    #expect(try privateFolders().isEmpty)
    writer.close()
  }

  @Test(
    "the remains of a migration into another file are listed, and doctor --fix removes them",
    arguments: [
      ["--to", "sample:Topics/Model5", "--output", "new.sqlite"],
      ["--to", "sample:Topics/Model3", "--output", "new.sqlite"],
      ["--to", "sample:Topics/Model2", "--output", "new.xml"],
    ])
  func output(options: [String]) async throws {
    try await waiting { try outputAside(options) }
  }

  private func outputAside(_ options: [String]) throws {
    let stores = folder.path("stores")
    let name = try #require(options.last)
    let created = try run("create", "t.sqlite", "--model", "sample:Topics/Model1", "--rows", "3000")
    try #require(created.status == 0, "\(created)")
    let before = try Data(contentsOf: URL(fileURLWithPath: "\(stores)/t.sqlite"))
    func isUntouched() throws -> Bool {
      try FileManager.default.contentsOfDirectory(atPath: stores) == ["t.sqlite"]
        && markedFolders().isEmpty
    }
    var leftCount = 0
    for step in 1...12 {
      let (process, _) = try start(["migrate", "t.sqlite"] + options)
      // From its first file on, whenever that comes, and most often soon after it.
      while process.isRunning, try isUntouched() { usleep(1_000) }
      usleep(UInt32(5 + step * step) * 2_000)
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      let names = try FileManager.default.contentsOfDirectory(atPath: stores)
      let left = names.filter { $0 != "t.sqlite" && $0 != name }
      #expect(try Data(contentsOf: URL(fileURLWithPath: "\(stores)/t.sqlite")) == before)
      if try !left.isEmpty || !privateFolders().isEmpty { leftCount += 1 }
      if !left.isEmpty {
        let listed = try run("doctor", ".")
        for file in left { #expect(listed.output.contains(file), "\(file): \(listed)") }
        _ = try run("doctor", ".", "--fix")
      }
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: stores).filter { $0 != name }
          == ["t.sqlite"])
      if names.contains(name) {
        // It is whole, or not there.
        let checked = try run("validate", name, "--model", options[1])
        #expect(checked.status == 0, "\(checked)")
        try FileManager.default.removeItem(atPath: "\(stores)/\(name)")
      }
    }
    #expect(leftCount > 0)
    let last = try run("migrate", "t.sqlite", options[0], options[1], "--output", name)
    #expect(last.status == 0, "\(last)")
    #expect(try markedFolders() == [])
  }
}
