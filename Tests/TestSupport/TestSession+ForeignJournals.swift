import Foundation

extension TestSession {
  /// Puts the `-wal` of another store, with changes in it, beside a store of a folder.
  package func putForeignWAL(besideStore name: String, in folder: TemporaryFolder) throws {
    try FileManager.default.createDirectory(
      atPath: folder.path("other"), withIntermediateDirectories: true)
    self("create other/t.sqlite --model sample:Recipes --rows 500")
    let writer = try OtherProgram(using: folder.path("other/t.sqlite"))
    try writer.run("UPDATE ZCHEF SET Z_OPT = 9")
    try writer.run("UPDATE ZRECIPE SET Z_OPT = 9")
    try FileManager.default.copyItem(
      atPath: folder.path("other/t.sqlite-wal"), toPath: folder.path("\(name)-wal"))
    writer.close()
  }

  /// Puts the WAL of another store, or of a plain database, which has all of its pages, beside a store.
  package func putWholeWAL(
    besideStore name: String, ofStore isStore: Bool = true, in folder: TemporaryFolder
  ) throws {
    self("create whole.sqlite --model sample:Topics/Model1 --rows 1 --seed 9")
    let writer = try OtherProgram(using: folder.path("whole.sqlite"))
    if !isStore { try writer.run("DROP TABLE Z_METADATA") }
    for statement in ["PRAGMA journal_mode = WAL", "VACUUM"] { try writer.run(statement) }
    try FileManager.default.copyItem(
      atPath: folder.path("whole.sqlite-wal"), toPath: folder.path("\(name)-wal"))
    writer.close()
    for file in try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    where file.hasPrefix("whole.sqlite") {
      try FileManager.default.removeItem(atPath: folder.path(file))
    }
  }

  /// Puts the hot journal of a store of recipes beside another store.
  package func putForeignJournal(besideStore name: String, in folder: TemporaryFolder) throws {
    try FileManager.default.createDirectory(
      atPath: folder.path("other"), withIntermediateDirectories: true)
    self("create other/t.sqlite --model sample:Recipes --rows 500")
    let writer = try OtherProgram(using: folder.path("other/t.sqlite"))
    for statement in [
      "PRAGMA journal_mode = DELETE", "PRAGMA cache_size = 1", "PRAGMA cache_spill = 1", "BEGIN",
      "UPDATE ZCHEF SET Z_OPT = 9", "UPDATE ZRECIPE SET Z_OPT = 9",
    ] { try writer.run(statement) }
    try FileManager.default.copyItem(
      atPath: folder.path("other/t.sqlite-journal"), toPath: folder.path("\(name)-journal"))
    writer.close()
  }

  /// Leaves a store with the hot journal of a transaction that changed pages where they are: nothing tells that it is
  /// the store's own.
  package func leaveUnclearJournal(besideStore name: String, in folder: TemporaryFolder) throws {
    let writer = try OtherProgram(using: folder.path(name))
    for statement in [
      "PRAGMA journal_mode = DELETE", "PRAGMA cache_size = 1", "PRAGMA cache_spill = 1", "BEGIN",
      "UPDATE ZTOPIC SET Z_OPT = 9", "UPDATE ZTOPICLIST SET Z_OPT = 9",
      "UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + 1",
    ] { try writer.run(statement) }
    let ends = ["", "-journal"]
    for end in ends {
      try FileManager.default.copyItem(
        atPath: folder.path(name + end), toPath: folder.path("half\(end)"))
    }
    writer.close()
    for end in ends {
      try? FileManager.default.removeItem(atPath: folder.path(name + end))
      try FileManager.default.moveItem(
        atPath: folder.path("half\(end)"), toPath: folder.path(name + end))
    }
  }
}
