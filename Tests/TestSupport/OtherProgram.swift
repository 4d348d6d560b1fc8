import Foundation

/// Another process that has a store open: Python with its own SQLite, told what to do line by line.
package final class OtherProgram {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()

  package init(using path: String) throws {
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", "-c", Self.program, path]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
  }

  deinit { close() }

  private static let program = """
    import sqlite3, sys
    store = sqlite3.connect(sys.argv[1], isolation_level=None)
    for line in sys.stdin:
        try:
            store.execute(line)
            print("done", flush=True)
        except sqlite3.Error as error:
            print("error:", error, flush=True)
    store.close()
    """

  /// Runs a statement and waits until it is done.
  package func run(_ sql: String) throws {
    input.fileHandleForWriting.write(Data((sql + "\n").utf8))
    var answer = ""
    while !answer.hasSuffix("\n") {
      let data = output.fileHandleForReading.availableData
      guard !data.isEmpty else { throw StoreFixture.Failure(message: "the other program ended") }
      answer += String(decoding: data, as: UTF8.self)
    }
    guard answer == "done\n" else { throw StoreFixture.Failure(message: answer) }
  }

  /// Begins a transaction and writes some of it: a copy of the files now is a store with a hot journal.
  package func beginHalfTransaction() throws {
    for statement in [
      "PRAGMA journal_mode = DELETE", "PRAGMA cache_size = 1", "PRAGMA cache_spill = 1", "BEGIN",
      "UPDATE ZTOPIC SET ZPRESENTERNAME = 'Half' || hex(zeroblob(9000))",
    ] { try run(statement) }
  }

  /// Lets the program close the store and end.
  package func close() {
    guard process.isRunning else { return }
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }
}
