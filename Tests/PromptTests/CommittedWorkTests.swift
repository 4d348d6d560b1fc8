import Foundation
import TestSupport
import Testing

@Suite("A committed migration is reported as done")
struct CommittedWorkTests {
  /// What is migrated, and where the migrated store is.
  struct Migration: Sendable, CustomTestStringConvertible {
    var name: String
    var from: String
    var arguments: String
    var store = "t.sqlite"
    var to: String

    var testDescription: String { name }
  }

  static let migrations = [
    Migration(
      name: "in place", from: "Model2", arguments: "migrate t.sqlite --to sample:Topics/Model3",
      to: "Model3"),
    Migration(
      name: "replaced", from: "Model1", arguments: "migrate t.sqlite --to sample:Topics/Model2",
      to: "Model2"),
    Migration(
      name: "new store", from: "Model1",
      arguments: "migrate t.sqlite --to sample:Topics/Model2 --output new.sqlite",
      store: "new.sqlite", to: "Model2"),
  ]

  /// What is at the end of standard output, the exit status, and whether standard error tells.
  static let redirections: [(redirection: String, status: Int32, isReported: Bool)] = [
    (">/dev/full", 2, true), (">&-", 2, true), (">/dev/null", 0, false), ("2>&-", 0, false),
    ("2>/dev/full", 0, false),
  ]

  @Test("if its answer cannot be written", arguments: migrations, redirections.indices)
  func ends(migration: Migration, index: Int) throws {
    let end = Self.redirections[index]
    let folder = try TemporaryFolder()
    try Self.layOut(migration, folder)
    let run = try ShellRun("\"$1\" \(migration.arguments) \(end.redirection)", in: folder.url.path)
    #expect(run.status == end.status, "\(run.text)")
    #expect(run.errors.contains("migration complete: ") == end.isReported, "\(run.errors)")
    try Self.checkMigrated(migration, folder)
  }

  @Test("if the reader has closed the pipe", arguments: migrations)
  func closedPipe(migration: Migration) throws {
    let folder = try TemporaryFolder()
    try Self.layOut(migration, folder)
    let line = "{ sleep 1; \"$1\" \(migration.arguments); echo $? >status; } | true"
    let run = try ShellRun("\(line); cat status", in: folder.url.path)
    #expect(run.output == "0\n")
    #expect(run.errors.contains("migration complete: "), "\(run.errors)")
    try Self.checkMigrated(migration, folder)
  }

  @Test("if its trace file is full", arguments: migrations)
  func fullTrace(migration: Migration) throws {
    let folder = try TemporaryFolder()
    try Self.layOut(migration, folder)
    let run = try ShellRun(
      "ln -s /dev/full trace; \"$1\" \(migration.arguments) --trace-json trace --force 2>&1",
      in: folder.url.path)
    // A device is no file to replace: then nothing was migrated.
    if run.status != 0 { #expect(!run.output.contains("migrated"), "\(run.output)") }
    if run.status == 0 { try Self.checkMigrated(migration, folder) }
  }

  @Test("a migration that is not committed is not reported as done")
  func nothingDone() throws {
    let folder = try TemporaryFolder()
    try Self.layOut(Self.migrations[0], folder)
    let run = try ShellRun(
      "\"$1\" \(Self.migrations[0].arguments) --dry-run >/dev/full", in: folder.url.path)
    #expect(run.status == 2)
    #expect(!run.errors.contains("migration complete"), "\(run.errors)")
  }

  private static func layOut(_ migration: Migration, _ folder: TemporaryFolder) throws {
    let run = try ShellRun(
      "\"$1\" create t.sqlite --model sample:Topics/\(migration.from) --rows 3 "
        + "&& \"$1\" create as.sqlite --model sample:Topics/\(migration.to)", in: folder.url.path)
    try #require(run.status == 0, "\(run.text)")
  }

  /// Python's own SQLite and property lists: the store records the hashes of the new version.
  private static func checkMigrated(
    _ migration: Migration, _ folder: TemporaryFolder
  ) throws {
    let program = """
      import plistlib, sqlite3, sys
      def hashes(path):
          row = sqlite3.connect(path).execute("SELECT Z_PLIST FROM Z_METADATA").fetchone()
          return plistlib.loads(row[0])["NSStoreModelVersionHashes"]
      sys.exit(0 if hashes(sys.argv[1]) == hashes("as.sqlite") else 1)
      """
    let run = try ShellRun(
      "python3 -c \"$2\" \"$3\"", in: folder.url.path, [program, migration.store])
    #expect(run.status == 0, "\(run.text)")
  }
}
