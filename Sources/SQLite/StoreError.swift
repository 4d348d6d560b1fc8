package import StrataArchives
package import StrataBase

/// Why a store cannot be opened, read or written: facts only; the words are in
/// `StoreError+Diagnostic.swift`.
package enum StoreError: Error, Hashable, Sendable {
  case notFound
  case isFolder
  case unreadable(reason: String)
  /// Not a SQLite file; `kind` says what it is, if that can be told.
  case notSQLite(kind: String?)
  /// The header counts more pages than the file has.
  case truncated(size: Int, expected: Int)
  case damaged(String)
  /// SQLite's result code with its message, while executing a statement.
  case sqlite(code: Int32, message: String, sql: String?)
  /// Another program changed the files while they were read.
  case changedMeanwhile
  case noMetadata(reason: String)
  case unreadableMetadata(reason: String)
  case unreadableModelCache(reason: String)
  case missingTable(String)
  /// A table that Core Data cannot have made: virtual, or with generated columns.
  case unusualTable(String)
  case missingColumn(String, table: String)
  /// Several columns that may be that of a property: which one is, nothing tells.
  case ambiguousColumn(String, candidates: [String], table: String)
  /// Several join tables that may be that of a relationship.
  case ambiguousTable(String, candidates: [String])
  /// A primary key with which nobody can compute.
  case keyOutOfRange(Int64, table: String)
  /// A row of an entity number that the model does not have.
  case unknownEntityNumber(Int64, table: String)
  /// A statement has spent a budget: a hostile file, or a query without end.
  case budgetSpent(BudgetSpent)
  /// A rollback journal that SQLite cannot have written for the store beside it.
  case impossibleJournal(reason: String)
  /// A rollback journal that names a super-journal: SQLite would open and delete a file anywhere.
  case superJournal
  /// The user wanted to stop.
  case interrupted
  /// What a user typed is not one query that only reads.
  case notOneQuery
  /// What SQLite has against a user's query.
  case badQuery(String)
  case alreadyExists
  /// What is wrong with the document of an XML store.
  case badXML(ArchiveError)
  /// An object of an XML store that does not fit the model.
  case badXMLObject(id: String, reason: String)
  /// What is wrong with a part of a binary store.
  case badBinary(part: String, ArchiveError)
  /// An object of a binary store that is damaged or does not fit the model.
  case badBinaryObject(key: Int64, reason: String)
  /// A binary store was to be written.
  case binaryReadOnly
  /// Binary data that is neither inline nor the name of a file.
  case badExternalReference
  /// The file that holds an object's binary data is not there.
  case missingExternalFile(String)
  /// A uniqueness constraint is broken: the index that keeps it cannot be made.
  case notUnique(index: String)
  /// What the store's triggers or system tables are, no object can be inserted.
  case triggersInterfere
  /// Another program is using the store.
  case locked
  /// Programs that have the store open, though they may not use it now.
  case openElsewhere([String])
  /// The WAL beside the store is of another one: with it the store is damaged.
  case foreignWAL
  /// The WAL beside the store holds committed changes that SQLite ignores, and would delete.
  case damagedWAL
  /// The rollback journal beside the store is of another one: rolled back, the store is damaged.
  case foreignJournal
  /// Nothing tells whether the rollback journal beside the store is its own.
  case unclearJournal
  /// A journal of a store that is not there any more.
  case strayCompanion(String)
  /// Another store of the folder, which keeps its binary data in the same hidden folder.
  case sharedExternalData(with: String)
  /// Two entities whose tables would have one name: SQLite does not tell letters of two cases apart.
  case sameTableName(String, String)
  /// The table of an entity and its subentities would have more columns than SQLite allows.
  case tooManyColumns(entity: String, count: Int, limit: Int)
  /// A statement of the schema would have more bytes than Strata lets SQLite read.
  case schemaTooLong(table: String, bytes: Int, limit: Int)
  /// Two names of a model that an XML store writes alike.
  case sameXMLName(String, String)
  /// The highest key there can be is taken.
  case noKeysLeft(entity: String)
  /// A file that is no store would be replaced.
  case notAStore
  /// A file or folder beside the store cannot be written.
  case unwritable(reason: String)
  /// The disk has no room for a full copy of the store; both in bytes.
  case noRoom(needed: Int, available: Int)
  /// The private folder for a copy cannot be made.
  case noTemporaryFolder(reason: String)
}
