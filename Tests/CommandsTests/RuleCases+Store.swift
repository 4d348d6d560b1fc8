import Foundation
import TestSupport

extension RuleCases {
  /// A store of topics, `t.sqlite`, and what was done to it or put beside it.
  private static func topics(
    _ sql: String..., commands: [String] = [], line: String = "doctor .",
    finish: @escaping @Sendable (TemporaryFolder) throws -> Void = { _ in }
  ) -> RuleScene {
    RuleScene(
      prepare: { try SampleStore.topics(at: $0.path("t.sqlite")) }, commands: commands, sql: sql,
      finish: finish, line: line)
  }

  private static func rule(_ name: String, _ shown: RuleScene, near: RuleScene) -> RuleCase {
    RuleCase(rule: "store.\(name)", shown: shown, near: near)
  }

  /// A store of two versions that have the same tables and other hashes: the metadata are those of V2.
  private static func versions(ofMetadata version: String, loading loaded: String?) -> RuleScene {
    RuleScene(
      files: versions(attribute("x"), entity("A", attribute("x"), "versionHashModifier='2'")),
      commands: [
        "create t.sqlite --model V1.xcdatamodel", "create other.sqlite --model V2.xcdatamodel",
      ] + (loaded.map { ["load \($0).xcdatamodel"] } ?? []),
      sql: version == "V1"
        ? []
        : [
          "ATTACH 'FOLDER/other.sqlite' AS o",
          "UPDATE Z_METADATA SET Z_PLIST = (SELECT Z_PLIST FROM o.Z_METADATA)",
        ], line: "doctor t.sqlite")
  }

  private static func editMetadata(_ python: String) -> @Sendable (TemporaryFolder) throws -> Void {
    { try StoreFixture.editMetadata(python, of: $0.path("t.sqlite")) }
  }

  /// Copies the store while another connection has changed it, with one of the files beside it: what a crash or
  /// a careless copy leaves.
  private static func copyOfOpenStore(
    with end: String, after sql: [String]
  ) -> @Sendable (TemporaryFolder) throws -> Void {
    { folder in
      let store = try StoreFixture.OpenStore(folder.path("t.sqlite"))
      for statement in sql { try store.run(statement) }
      let ends = ["", end]
      for end in ends {
        try FileManager.default.copyItem(
          atPath: folder.path("t.sqlite" + end), toPath: folder.path("copy" + end))
      }
      store.close()
      for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
      where name.hasPrefix("t.sqlite") {
        try FileManager.default.removeItem(atPath: folder.path(name))
      }
      for end in ends {
        try FileManager.default.moveItem(
          atPath: folder.path("copy" + end), toPath: folder.path("t.sqlite" + end))
      }
    }
  }

  private static func walOfOneCommit(
    damagedAt offset: Int
  ) -> @Sendable (TemporaryFolder) throws -> Void {
    { folder in
      try copyOfOpenStore(
        with: "-wal",
        after: ["PRAGMA journal_mode = WAL", "UPDATE ZTOPIC SET ZPRESENTERNAME = 'Zoe'"])(folder)
      var wal = [UInt8](try Data(contentsOf: folder.url.appendingPathComponent("t.sqlite-wal")))
      wal[offset] ^= 1
      try folder.write(wal, to: "t.sqlite-wal")
    }
  }

  private static let halfTransaction = [
    "PRAGMA journal_mode = DELETE", "PRAGMA cache_size = 1", "PRAGMA cache_spill = 1", "BEGIN",
    "UPDATE ZTOPIC SET ZPRESENTERNAME = 'Half' || hex(zeroblob(9000))",
  ]

  private static func file(
    _ name: String, _ text: String = ""
  ) -> @Sendable (TemporaryFolder) throws -> Void {
    { try $0.write(text, to: name) }
  }

  private static func copy(to name: String) -> @Sendable (TemporaryFolder) throws -> Void {
    { try FileManager.default.copyItem(atPath: $0.path("t.sqlite"), toPath: $0.path(name)) }
  }

  /// What a process leaves in the folder for temporary files.
  private static func privateFolder(
    ofProcess process: String
  ) -> @Sendable (TemporaryFolder) throws -> Void {
    { folder in
      let path = "\(RuleScene.temporaryFolder)/strata-374c59613e4143e5"
      try folder.write("\(process)\n", to: "\(path)/strata-process")
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o700], ofItemAtPath: folder.path(path))
    }
  }

  private static let emptyIndex = String(repeating: "\0", count: 32_768)
  private static let supportFile = ".t_SUPPORT/_EXTERNAL_DATA/\(externalName)"

  static let store: [RuleCase] = filesBesideStores + contentsOfStores

  private static let filesBesideStores: [RuleCase] = [
    rule(
      "unfinishedDestination",
      topics(finish: copy(to: ".t.sqlite.migrationdestination_41b5a6b5c6e848c462a8480cd24caef3")),
      near: topics(finish: copy(to: ".t.sqlite.20240101"))),
    rule(
      "orphanJournal", topics(finish: file("gone.sqlite-wal")),
      near: topics(finish: file("gone.sqlite-wal", "Dear"))),
    rule(
      "secondName",
      topics(finish: {
        try FileManager.default.linkItem(
          atPath: $0.path("t.sqlite"), toPath: $0.path("t.sqlite.before-Model1"))
      }), near: topics(finish: copy(to: "t.sqlite.before-Model1"))),
    rule(
      "setAside", topics(finish: copy(to: "t.sqlite.before-Model1")),
      near: topics(finish: file("t.sqlite.before-Model1", "Dear"))),
    rule(
      "missingStore",
      topics(finish: {
        try FileManager.default.moveItem(
          atPath: $0.path("t.sqlite"), toPath: $0.path("t.sqlite.before-Model1"))
      }), near: topics(finish: copy(to: "t.sqlite.before-Model1"))),
    rule(
      "hotJournal",
      topics(finish: copyOfOpenStore(with: "-journal", after: halfTransaction)),
      near: topics(finish: file("t.sqlite-journal", String(repeating: "\0", count: 512)))),
    rule(
      "foreignJournal",
      topics(finish: { folder in
        try TestSession(in: folder).putForeignJournal(besideStore: "t.sqlite", in: folder)
        try FileManager.default.removeItem(atPath: folder.path("other"))
      }), near: topics(finish: copyOfOpenStore(with: "-journal", after: halfTransaction))),
    rule(
      "unclearJournal",
      topics(finish: { folder in
        try TestSession(in: folder).leaveUnclearJournal(besideStore: "t.sqlite", in: folder)
      }), near: topics(finish: copyOfOpenStore(with: "-journal", after: halfTransaction))),
    rule(
      "foreignWAL",
      topics(finish: { folder in
        try TestSession(in: folder).putForeignWAL(besideStore: "t.sqlite", in: folder)
        try FileManager.default.removeItem(atPath: folder.path("other"))
      }), near: topics(finish: file("t.sqlite-wal"))),
    rule(
      "unclearWAL",
      topics(finish: { folder in
        try TestSession(in: folder).putWholeWAL(besideStore: "t.sqlite", in: folder)
      }), near: topics(finish: file("t.sqlite-wal"))),
    rule(
      "damagedWAL", topics(finish: walOfOneCommit(damagedAt: 32 + 24 + 100)),
      near: topics(
        finish: copyOfOpenStore(
          with: "-wal",
          after: [
            "PRAGMA journal_mode = WAL", "PRAGMA cache_size = 1", "PRAGMA cache_spill = 1", "BEGIN",
            "UPDATE ZTOPIC SET ZPRESENTERNAME = hex(zeroblob(90000))",
          ]))),
    rule(
      "leftoverWAL",
      topics(
        finish: copyOfOpenStore(
          with: "-wal",
          after: ["PRAGMA journal_mode = WAL", "UPDATE ZTOPIC SET ZPRESENTERNAME = 'Zoe'"])),
      near: topics(
        finish: copyOfOpenStore(
          with: "-wal",
          after: [
            "PRAGMA journal_mode = WAL", "PRAGMA cache_size = 1", "PRAGMA cache_spill = 1", "BEGIN",
            "UPDATE ZTOPIC SET ZPRESENTERNAME = hex(zeroblob(90000))",
          ]))),
    rule(
      "abandonedFolder", topics(finish: privateFolder(ofProcess: "999999999")),
      near: topics(finish: privateFolder(ofProcess: "1"))),
    rule(
      "unfinishedFile", topics(finish: file(".t.sqlite.3012345678.unfinished", "SQL")),
      near: topics(finish: file(".t.sqlite.unfinished", "SQL"))),
    rule(
      "dataAside", topics(finish: file(".t_SUPPORT.3012345678/_EXTERNAL_DATA/notes.txt", "Dear")),
      near: topics(finish: file(".t_SUPPORT.old/_EXTERNAL_DATA/notes.txt", "Dear"))),
    rule(
      "missingWAL",
      topics(
        finish: copyOfOpenStore(
          with: "-shm",
          after: ["PRAGMA journal_mode = WAL", "UPDATE ZTOPIC SET ZPRESENTERNAME = 'Zoe'"])),
      near: topics(
        finish: copyOfOpenStore(
          with: "-wal",
          after: ["PRAGMA journal_mode = WAL", "UPDATE ZTOPIC SET ZPRESENTERNAME = 'Zoe'"]))),
    rule(
      "missingFiles", beings(externalPhoto, line: "doctor t.sqlite"),
      near: RuleScene(
        files: [supportFile: "photo"],
        prepare: { try BeingStore.make(at: $0.path("t.sqlite")) }, sql: externalPhoto,
        line: "doctor t.sqlite")),
    rule(
      "strayFiles", topics(finish: file(supportFile, "photo")),
      near: topics(finish: file(".t_SUPPORT/_EXTERNAL_DATA/notes.txt", "Dear"))),
  ]

  private static let contentsOfStores: [RuleCase] = [
    rule(
      "halfMigrated", topics("ALTER TABLE ZTOPIC DROP COLUMN ZCONTENT"),
      near: topics("ALTER TABLE ZTOPIC ADD COLUMN ZOLD VARCHAR")),
    rule(
      "unknownTables", topics("CREATE TABLE notes (text)"),
      near: topics("CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY, ZENTITY INTEGER)")),
    rule(
      "unknownEntities", topics("UPDATE ZTOPIC SET Z_ENT = 77 WHERE Z_PK = 1"),
      near: topics("UPDATE ZTOPIC SET Z_ENT = 1 WHERE Z_PK = 1")),
    rule(
      "keysOutOfRange", topics("UPDATE ZTOPIC SET Z_PK = -1 WHERE Z_PK = 1"),
      near: topics("UPDATE ZTOPIC SET Z_PK = 1000 WHERE Z_PK = 1")),
    rule(
      "keyTable", topics("DELETE FROM Z_PRIMARYKEY WHERE Z_NAME = 'Topic'"),
      near: topics("UPDATE Z_PRIMARYKEY SET Z_NAME = 'Old' WHERE Z_NAME = 'Topic'")),
    rule(
      "unknownHash", versions(ofMetadata: "V2", loading: nil),
      near: versions(ofMetadata: "V1", loading: nil)),
    rule(
      "otherModel", versions(ofMetadata: "V2", loading: "V2"),
      near: versions(ofMetadata: "V1", loading: "V2")),
    rule(
      "noModel", topics("DROP TABLE Z_MODELCACHE"),
      near: topics("DROP TABLE Z_MODELCACHE", commands: ["load sample:Topics"])),
    rule(
      "unreadableModel", topics("UPDATE Z_MODELCACHE SET Z_CONTENT = x'0011'"),
      near: topics("UPDATE Z_MODELCACHE SET Z_CONTENT = Z_CONTENT")),
    rule(
      "damage",
      topics(finish: { folder in
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: folder.path("t.sqlite")))
        try file.truncate(atOffset: 8192)
        try file.close()
      }), near: topics()),
    rule(
      "unreadable", topics("UPDATE Z_METADATA SET Z_PLIST = x'00'"),
      near: topics("UPDATE Z_METADATA SET Z_PLIST = Z_PLIST")),
    rule(
      "deferredMigration",
      topics(
        finish: editMetadata("d['NSPersistentStoreDeferredLightweightMigrationOptionKey'] = True")),
      near: topics(
        finish: editMetadata("d['AppKey'] = True"))
    ),
    rule(
      "pendingStage", topics(finish: editMetadata("d['StrataPendingStage'] = 'a b|fill.sql'")),
      near: topics(finish: editMetadata("d['AppKey'] = 'a b|fill.sql'"))),
  ]
}
