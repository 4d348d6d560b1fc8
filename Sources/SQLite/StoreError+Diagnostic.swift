internal import CSQLite
internal import StrataArchives
package import StrataBase

extension StoreError: DiagnosticError {
  package var diagnostic: Diagnostic {
    if case .budgetSpent(let spent) = self { return spent.diagnostic }
    let (id, what, fix) = parts
    var diagnostic = Diagnostic(id: "store." + id, what: what, code: code, fix: fix)
    diagnostic.dependsOnTime = dependsOnTime
    return diagnostic
  }

  private var code: CoreDataError? {
    guard case .notUnique = self else { return nil }
    return .managedObjectConstraintMerge
  }

  /// Whether it depends on another program: the next attempt may succeed.
  private var dependsOnTime: Bool {
    switch self {
    case .locked, .openElsewhere, .changedMeanwhile, .interrupted: true
    default: false
    }
  }

  private static let fetchAgain =
    "copy the store again, with its -wal and -shm files, while the app is not running"

  /// The columns of a violated unique index, as `ZA.ZX, ZA.ZY`; `nil` for other errors.
  package var notUniqueColumns: String? {
    // SQLITE_CONSTRAINT_UNIQUE
    guard case .sqlite(SQLITE_CONSTRAINT | 8 << 8, let message, _) = self else { return nil }
    return message.split(separator: ": ", maxSplits: 1).last.map(String.init)
  }

  private var parts: (id: String, what: String, fix: String) {
    if let columns = notUniqueColumns { return StoreError.notUnique(index: columns).parts }
    return switch self {
    case .notFound:
      ("notFound", "no such store", "check the path")
    case .isFolder:
      (
        "isFolder", "expected a store file, found a folder",
        "give the path of the .sqlite file in it"
      )
    case .unreadable(let reason):
      (
        "unreadable", "the store cannot be read: \(reason)",
        FileCause(containedIn: reason)?.fix(reading: nil) ?? "check the path"
      )
    case .notSQLite(let kind):
      (
        "notSQLite", "not a SQLite store" + (kind.map { ", but \($0)" } ?? ""),
        "give the path of the .sqlite file that Core Data created"
      )
    case .truncated(let size, let expected):
      (
        "truncated", "the store is truncated: \(size) bytes of \(expected)", Self.fetchAgain
      )
    case .damaged(let what): ("damaged", "the store is damaged: \(what)", Self.fetchAgain)
    case .sqlite(let code, let message, let sql):
      (
        "sqlite",
        "SQLite error: \(message) (\(code))" + (sql.map { ", while executing \($0)" } ?? ""),
        message.hasPrefix("no such function: NSCoreData")
          ? "a trigger of the store calls it, and only Core Data has it: change the store in the app"
          : "`sqlite3 <store> 'pragma integrity_check'` shows details"
      )
    case .changedMeanwhile:
      (
        "changedMeanwhile", "another program changed the store while it was being read",
        "quit the app that uses it and try again"
      )
    case .noMetadata(let reason):
      (
        "noMetadata", "the store has no Core Data metadata: \(reason)",
        "check that Core Data created this file: a plain SQLite database has none"
      )
    case .unreadableMetadata(let reason):
      ("unreadableMetadata", "the store's metadata cannot be read: \(reason)", Self.fetchAgain)
    case .unreadableModelCache(let reason):
      (
        "unreadableModelCache", "the model cached in the store cannot be read: \(reason)",
        "load the model bundle instead: `load <bundle>`"
      )
    case .badXML(let error): ("badXML", error.diagnostic.what, error.diagnostic.fix ?? "")
    case .badXMLObject(let id, let reason):
      (
        "badXMLObject", "the object \(id) does not match the model: \(reason)",
        "give the model that wrote the store with --model; if it is the model, correct the document"
      )
    case .notInXML(let object, let property, let value, let type):
      (
        "notInXML", "\(object).\(property) is \(value): an XML store has no such \(type)",
        "write a SQLite store instead, or change the value in the old store"
      )
    case .badBinary(let part, let error):
      (
        "badBinary", "the \(part) of the binary store cannot be read: \(error.diagnostic.what)",
        error.diagnostic.fix ?? ""
      )
    case .badBinaryObject(let key, let reason):
      (
        "badBinaryObject", "the object p\(key) of the binary store cannot be read: \(reason)",
        "check with `identify` that the model is the one that wrote the store"
      )
    case .binaryReadOnly:
      (
        "binaryReadOnly", "binary stores are read-only",
        "migrate it into another store first: `migrate <store> --to <model> --output <file>.sqlite`"
      )
    case .badExternalReference:
      (
        "badExternalReference",
        "binary data is damaged: it is neither inline data nor a valid external file name",
        Self.fetchAgain
      )
    case .missingExternalFile(let name):
      (
        "missingExternalFile", "the file \(name) with an object's binary data is missing",
        "also copy the hidden folder .<store name>_SUPPORT beside the store"
      )
    case .notUnique(let index):
      (
        "notUnique",
        "uniqueness constraint violated: \(index)",
        "give them different values"
      )
    case .triggersInterfere:
      (
        "triggersInterfere",
        "Z_PRIMARYKEY, Z_METADATA or the store's triggers differ from Core Data's: nothing was changed",
        "`sql <store> 'SELECT name, sql FROM sqlite_master'` shows them"
      )
    case .locked:
      (
        "locked", "another program is using the store",
        "try again later, or quit that program"
      )
    case .remoteVolume:
      (
        "remoteVolume",
        "the store is on a network volume: other programs that use it there would not be noticed",
        "copy the folder of the store to a disk of this computer, and migrate it there"
      )
    case .openElsewhere(let programs):
      (
        "openElsewhere", "the store is open elsewhere: \(programs.joined(separator: ", "))",
        "close it there and try again: that program would not see the migrated store"
      )
    case .foreignWAL:
      (
        "foreignWAL",
        "the -wal beside the store belongs to another store and would damage this one",
        "`doctor <store> --fix` renames it, so that SQLite ignores it"
      )
    case .unclearWAL:
      (
        "unclearWAL",
        "the -wal beside the store may belong to another store: with it, the UUID of the store is another one",
        "`doctor <store>` explains what to do"
      )
    case .damagedWAL:
      (
        "damagedWAL",
        "the -wal beside the store is damaged: SQLite ignores changes in it, and would delete them",
        "`doctor <store> --fix` keeps a copy of it and writes its intact changes to the store"
      )
    case .foreignJournal:
      (
        "foreignJournal",
        "the -journal beside the store belongs to another store: rolling it back would destroy this one",
        "`doctor <store> --fix` renames it, so that SQLite ignores it"
      )
    case .unclearJournal:
      (
        "unclearJournal",
        "the -journal beside the store may belong to another store, and rolling it back changes this one",
        "`doctor <store>` explains what to do"
      )
    case .strayCompanion(let name):
      (
        "strayCompanion",
        "\(name) of another store already exists: SQLite would apply it to this one",
        "delete it, or choose another name"
      )
    case .strayExternalData(let folder):
      (
        "strayExternalData",
        "\(folder), the folder for binary data of another store of this name, already exists",
        "move or delete it, or choose another name"
      )
    case .sharedExternalData(let other):
      (
        "sharedExternalData",
        "\(other) differs only in its extension: both stores would use the same folder for binary data",
        "choose another name"
      )
    case .sameTableName(let first, let second):
      (
        "sameTableName",
        "\(first) and \(second) would have the same table: SQL names are case-insensitive",
        "rename one of them"
      )
    case .tooManyColumns(let entity, let count, let limit):
      (
        "tooManyColumns",
        "the table of \(entity) and its subentities would have \(count) columns; SQLite, which Strata also uses for XML stores, allows \(limit)",
        "move attributes to another entity, or remove the parent of a subentity"
      )
    case .schemaTooLong(let table, let bytes, let limit):
      (
        "schemaTooLong",
        "the statement that creates \(table) would have \(bytes) bytes; the limit is \(limit)",
        "shorten the names, or move attributes to another entity"
      )
    case .sameXMLName(let first, let second):
      (
        "sameXMLName",
        "\(first) and \(second) have the same name in an XML store, which ignores case",
        "use a SQLite store, or rename one of them"
      )
    case .noObject(let entity, let key):
      (
        "noObject", "there is no \(entity) p\(key)",
        "`rows <store> \(entity)` lists the keys"
      )
    case .noKeysLeft(let entity):
      (
        "noKeysLeft", "the table of \(entity) has no primary keys left",
        "Core Data could not insert an object either: correct Z_MAX in Z_PRIMARYKEY"
      )
    case .notAStore:
      (
        "notAStore", "the existing file is not a store: only stores are replaced",
        "choose another name, or delete the file yourself"
      )
    case .unwritable(let reason):
      (
        "unwritable", "the store cannot be written: \(reason)",
        FileCause(containedIn: reason)?.fixOfWriting
          ?? "check the folder's permissions and free space"
      )
    case .noRoom(let needed, let available):
      (
        "noRoom",
        "a full copy of the old store needs \(needed) bytes, but only \(available) are free: nothing was changed",
        "free some space, or migrate without a copy: --keep-old never"
      )
    case .missingTable(let table):
      (
        "missingTable", "the store has no table \(table)",
        "the model did not write this store: `identify` finds the one that did"
      )
    case .unusualTable(let table):
      (
        "unusualTable",
        "the table \(table) is not read: it is virtual or has generated columns, which could run forever",
        "Core Data creates no such table: drop the generated columns in a copy of the store"
      )
    case .keyOutOfRange(let key, let table):
      (
        "keyOutOfRange",
        "a row of \(table) has the primary key \(key), which Core Data never assigns",
        "`doctor` lists all such rows: delete them, or restore a backup"
      )
    case .ambiguousColumn(let property, let candidates, let table):
      (
        "ambiguousColumn",
        "\(property) may be stored in several columns of \(table): \(candidates.joined(separator: ", "))",
        "`sql` shows the table; drop the column that is not Core Data's"
      )
    case .ambiguousTable(let relationship, let candidates):
      (
        "ambiguousTable",
        "\(relationship) may be stored in several tables: \(candidates.joined(separator: ", "))",
        "`sql` shows them; drop the table that is not Core Data's"
      )
    case .missingColumn(let column, let table):
      (
        "missingColumn", "the table \(table) has no column \(column)",
        "the model did not write this store: `identify` finds the one that did"
      )
    case .budgetSpent(let spent):
      (spent.diagnostic.id, spent.diagnostic.what, spent.diagnostic.fix ?? "")
    case .impossibleJournal(let reason):
      (
        "impossibleJournal", "the -journal beside the store cannot belong to it: \(reason)",
        Self.fetchAgain
      )
    case .superJournal:
      (
        "superJournal",
        "the -journal beside the store names a super-journal, which SQLite would open and delete",
        "if a program was interrupted while changing several databases, let it open the store once; otherwise delete the -journal"
      )
    case .interrupted: ("interrupted", "interrupted while reading", "the store is unchanged")
    case .notOneQuery:
      (
        "notOneQuery", "not a single read-only statement",
        "write a single SELECT: sql <store> 'SELECT …'"
      )
    case .badQuery(let message):
      (
        "badQuery", "SQLite error: \(message)",
        "tables: sql <store> 'SELECT name, sql FROM sqlite_master'; only reading is allowed"
      )
    case .alreadyExists:
      ("alreadyExists", "a file with this name already exists", "choose another name")
    case .noTemporaryFolder(let reason):
      (
        "noTemporaryFolder", "the folder for temporary files cannot be written: \(reason)",
        "set TMPDIR to a writable folder with free space"
      )
    }
  }
}
