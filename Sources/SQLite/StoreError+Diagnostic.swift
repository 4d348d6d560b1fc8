internal import StrataArchives
package import StrataBase

extension StoreError: DiagnosticError {
  package var diagnostic: Diagnostic {
    if case .budgetSpent(let spent) = self { return spent.diagnostic }
    let (id, what, fix) = words
    var diagnostic = Diagnostic(id: "store." + id, what: what, fix: fix)
    diagnostic.dependsOnTime = dependsOnTime
    return diagnostic
  }

  /// Whether another program decides: the next attempt may succeed.
  private var dependsOnTime: Bool {
    switch self {
    case .locked, .openElsewhere, .changedMeanwhile, .interrupted: true
    default: false
    }
  }

  private static let fetchAgain =
    "fetch the store again, with its -wal and -shm files, while the app is not running"

  private var words: (id: String, what: String, fix: String) {
    switch self {
    case .notFound:
      ("notFound", "there is no such store", "check the path")
    case .isFolder:
      (
        "isFolder", "this is a folder where a store file should be",
        "name the .sqlite file inside it"
      )
    case .unreadable(let reason):
      (
        "unreadable", "the store cannot be read: \(reason)",
        FileCause(toldBy: reason)?.fix(reading: nil) ?? "check the path"
      )
    case .notSQLite(let kind):
      (
        "notSQLite", "this is no SQLite store" + (kind.map { ", but \($0)" } ?? ""),
        "name the .sqlite file that Core Data made"
      )
    case .truncated(let size, let expected):
      (
        "truncated", "the store is cut short: \(size) bytes of \(expected)", Self.fetchAgain
      )
    case .damaged(let what): ("damaged", "the store is damaged: \(what)", Self.fetchAgain)
    case .sqlite(let code, let message, let sql):
      (
        "sqlite",
        "SQLite says: \(message) (\(code))" + (sql.map { ", while executing \($0)" } ?? ""),
        "`sqlite3 <store> 'pragma integrity_check'` tells more"
      )
    case .changedMeanwhile:
      (
        "changedMeanwhile", "another program changed the store while it was read",
        "try again when the app that uses it has quit"
      )
    case .noMetadata(let reason):
      (
        "noMetadata", "the store has no Core Data metadata: \(reason)",
        "check that Core Data made this file: a plain SQLite database has none"
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
        "badXMLObject", "the object \(id) does not fit the model: \(reason)",
        "name the model that wrote the store with --model"
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
        "binaryReadOnly", "a binary store is only read, never written",
        "migrate it into another store first: `migrate <store> --to <model> --output <file>.sqlite`"
      )
    case .badExternalReference:
      (
        "badExternalReference",
        "binary data is damaged: its first byte tells neither that it follows nor the file that holds it",
        Self.fetchAgain
      )
    case .missingExternalFile(let name):
      (
        "missingExternalFile", "the file \(name) with an object's binary data is missing",
        "fetch the hidden folder .<name of the store>_SUPPORT beside the store too"
      )
    case .notUnique(let index):
      (
        "notUnique",
        "two objects are equal that must not be: \(index) (\(CoreDataError.managedObjectConstraintMerge))",
        "give them different values"
      )
    case .triggersInterfere:
      (
        "triggersInterfere",
        "Z_PRIMARYKEY, Z_METADATA or the store's triggers are not as Core Data makes them: nothing was inserted",
        "`sql <store> 'SELECT name, sql FROM sqlite_master'` shows them"
      )
    case .locked:
      (
        "locked", "another program is using the store",
        "try again when it is done, or close the app"
      )
    case .openElsewhere(let programs):
      (
        "openElsewhere", "the store is open elsewhere: \(programs.joined(separator: ", "))",
        "close it there and try again: it would not see the migrated store"
      )
    case .foreignWAL:
      (
        "foreignWAL",
        "the -wal beside the store belongs to another store: with it this one would be damaged",
        "`doctor <store> --fix` renames it, so that no store reads it"
      )
    case .damagedWAL:
      (
        "damagedWAL",
        "the -wal beside the store is damaged: SQLite ignores changes in it, and would delete them",
        "`doctor <store> --fix` keeps a copy of it, and writes what SQLite reads into the store"
      )
    case .foreignJournal:
      (
        "foreignJournal",
        "the -journal beside the store belongs to another store: rolling it back would destroy what is in this one",
        "`doctor <store> --fix` renames it, so that no store reads it"
      )
    case .unclearJournal:
      (
        "unclearJournal",
        "nothing proves that the -journal beside the store is its own, and rolling it back changes the store",
        "`doctor <store>` explains what to do"
      )
    case .strayCompanion(let name):
      (
        "strayCompanion",
        "\(name) is there, left by another store: it would be played into this one",
        "remove it, or choose another name"
      )
    case .sharedExternalData(let other):
      (
        "sharedExternalData",
        "\(other) has the same name but for its end, and keeps its binary data in the folder that this store would use",
        "choose another name"
      )
    case .sameTableName(let first, let second):
      (
        "sameTableName", "\(first) and \(second) would have one table: SQL tells no case apart",
        "rename one of them"
      )
    case .tooManyColumns(let entity, let count, let limit):
      (
        "tooManyColumns",
        "\(entity) and its subentities have one table: it would have \(count) columns; SQLite, through which Strata writes XML stores too, allows \(limit)",
        "move attributes to an entity of their own, or give a subentity no parent"
      )
    case .schemaTooLong(let table, let bytes, let limit):
      (
        "schemaTooLong",
        "a statement that creates \(table) would have \(bytes) bytes, \(limit) are the limit",
        "shorten the names, or move attributes to an entity of their own"
      )
    case .sameXMLName(let first, let second):
      (
        "sameXMLName", "an XML store writes \(first) and \(second) alike, in letters of one case",
        "use a SQLite store, or rename one of them"
      )
    case .noKeysLeft(let entity):
      (
        "noKeysLeft", "the table of \(entity) has handed out the highest key there is",
        "Core Data could not insert an object either: mend Z_MAX in Z_PRIMARYKEY"
      )
    case .notAStore:
      (
        "notAStore", "this is a file, but no store: only stores are replaced",
        "choose another name, or remove the file yourself"
      )
    case .unwritable(let reason):
      (
        "unwritable", "the store cannot be written: \(reason)",
        FileCause(toldBy: reason)?.fixOfWriting ?? "check the folder and its space"
      )
    case .noRoom(let needed, let available):
      (
        "noRoom",
        "a full copy of the old store needs \(needed) bytes, and \(available) are free: nothing was changed",
        "make room, or migrate without a copy: --keep-old never"
      )
    case .missingTable(let table):
      (
        "missingTable", "the store has no table \(table)",
        "the model is not the one of this store: `identify` finds which is"
      )
    case .unusualTable(let table):
      (
        "unusualTable",
        "the table \(table) is virtual or has generated columns, which could run for ever: it is not read",
        "Core Data makes no such table: drop the generated columns in a copy of the store"
      )
    case .keyOutOfRange(let key, let table):
      (
        "keyOutOfRange",
        "a row of \(table) has the primary key \(key), which Core Data does not give",
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
        "the model is not the one of this store: `identify` finds which is"
      )
    case .unknownEntityNumber(let number, let table):
      (
        "unknownEntityNumber",
        "\(table) holds a row of an entity numbered \(number), which there is not",
        "the model is not the one of this store: `identify` finds which is"
      )
    case .budgetSpent(let spent):
      (spent.diagnostic.id, spent.diagnostic.what, spent.diagnostic.fix ?? "")
    case .impossibleJournal(let reason):
      (
        "impossibleJournal", "the -journal beside the store cannot be its own: \(reason)",
        Self.fetchAgain
      )
    case .superJournal:
      (
        "superJournal",
        "the -journal beside the store names a further file, which SQLite would open and delete",
        "if a program of yours was interrupted while it changed several databases, let it open the store once; else delete the -journal"
      )
    case .interrupted: ("interrupted", "interrupted while reading", "the store is unchanged")
    case .notOneQuery:
      (
        "notOneQuery", "this is not one statement that only reads",
        "write a single SELECT: sql <store> 'SELECT …'"
      )
    case .badQuery(let message):
      (
        "badQuery", "SQLite says: \(message)",
        "tables: sql <store> 'SELECT name, sql FROM sqlite_master'; only reading is allowed"
      )
    case .alreadyExists:
      ("alreadyExists", "there is a file of this name already", "choose another name")
    case .noTemporaryFolder(let reason):
      (
        "noTemporaryFolder", "the folder for temporary files cannot be written: \(reason)",
        "point TMPDIR at a folder that can be written and has room"
      )
    }
  }
}
