internal import Foundation

/// Python with its own SQLite: the second road to an answer.
package enum Python {
  /// Runs a program and gives what it prints.
  ///
  /// - Throws: ``StoreFixture/Failure`` where it ends with another status than 0.
  package static func run(
    _ program: String, arguments: [String] = [], input: String = ""
  ) throws -> String {
    let (status, output) = try PythonServer.run(program, arguments: arguments, input: input)
    guard status == 0 else {
      throw StoreFixture.Failure(message: "python3 ended with status \(status)")
    }
    return output
  }

  /// The first value of a query's first row.
  package static func value(_ sql: String, in path: String) throws -> String {
    try run(
      "import sqlite3, sys\nprint(sqlite3.connect(sys.argv[1]).execute(sys.argv[2]).fetchone()[0])",
      arguments: [path, sql]
    ).trimmingCharacters(in: .newlines)
  }

  /// What SQLite finds wrong with a store; `ok` where that is nothing.
  package static func integrity(of path: String) throws -> String {
    try run(
      """
      import sqlite3, sys
      print(sqlite3.connect(sys.argv[1]).execute("pragma integrity_check").fetchone()[0])
      """, arguments: [path]
    ).trimmingCharacters(in: .newlines)
  }
}
