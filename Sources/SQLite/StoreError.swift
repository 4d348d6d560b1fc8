package import StrataArchives
package import StrataBase

/// An error of opening, reading or writing a store: facts only; the messages are in `StoreError+Diagnostic.swift`.
package enum StoreError: Error, Hashable, Sendable {
  case notFound
  case isFolder
  /// No object of an entity has this key.
  case noObject(entity: String, key: Int64)
  case unreadable(reason: String)
  /// Not a SQLite file; `kind` is what it is instead, if known.
  case notSQLite(kind: String?)
  /// The header counts more pages than the file has.
  case truncated(size: Int, expected: Int)
  case damaged(String)
  /// An error of SQLite: result code, message, and the statement.
  case sqlite(code: Int32, message: String, sql: String?)
  /// Another program changed the files while they were being read.
  case changedMeanwhile
  case noMetadata(reason: String)
  case unreadableMetadata(reason: String)
  case unreadableModelCache(reason: String)
  case missingTable(String)
  /// A table that Core Data never creates: virtual, or with generated columns.
  case unusualTable(String)
  case missingColumn(String, table: String)
  /// Several columns that may be the column of a property.
  case ambiguousColumn(String, candidates: [String], table: String)
  /// Several join tables that may be the table of a relationship.
  case ambiguousTable(String, candidates: [String])
  /// A primary key outside of ``StoredKey/range``.
  case keyOutOfRange(Int64, table: String)
  /// A statement exceeded a budget: a hostile file, or a query that does not terminate.
  case budgetSpent(BudgetSpent)
  /// A rollback journal that SQLite cannot have written for this store.
  case impossibleJournal(reason: String)
  /// A rollback journal that names a super-journal: SQLite would open and delete a file anywhere.
  case superJournal
  /// Interrupted by the user.
  case interrupted
  /// A query of the user that is not a single read-only statement.
  case notOneQuery
  /// An error of SQLite in a user's query.
  case badQuery(String)
  case alreadyExists
  /// An error in the document of an XML store.
  case badXML(ArchiveError)
  /// An object of an XML store that does not match the model.
  case badXMLObject(id: String, reason: String)
  /// A value that an XML store cannot contain, or not as the type of its attribute.
  case notInXML(object: String, property: String, value: String, type: String)
  /// An error in a section of a binary store.
  case badBinary(part: String, ArchiveError)
  /// An object of a binary store that is damaged or does not match the model.
  case badBinaryObject(key: Int64, reason: String)
  /// Binary stores cannot be written.
  case binaryReadOnly
  /// Binary data that is neither inline nor the name of a file.
  case badExternalReference
  /// The external file of an object's binary data does not exist.
  case missingExternalFile(String)
  /// A uniqueness constraint is violated: its index cannot be created.
  case notUnique(index: String)
  /// The store's triggers or system tables prevent inserting or deleting objects.
  case triggersInterfere
  /// Another program is using the store.
  case locked
  /// The store is on a network volume, where locks do not keep other programs out.
  case remoteVolume
  /// Programs that have the store open, even if they hold no lock.
  case openElsewhere([String])
  /// The WAL beside the store belongs to another store and would damage this one.
  case foreignWAL
  /// The WAL beside the store may belong to another store.
  case unclearWAL
  /// The WAL beside the store contains committed changes that SQLite ignores, and would delete.
  case damagedWAL
  /// The rollback journal beside the store belongs to another store: rolling it back would damage this one.
  case foreignJournal
  /// The rollback journal beside the store may belong to another store.
  case unclearJournal
  /// A journal of a store that no longer exists.
  case strayCompanion(String)
  /// The folder of external data of a store that no longer exists.
  case strayExternalData(String)
  /// Another store in the folder uses the same hidden folder for its binary data.
  case sharedExternalData(with: String)
  /// Two entities whose tables would have the same name: SQL names are case-insensitive.
  case sameTableName(String, String)
  /// The table of an entity and its subentities would have more columns than SQLite allows.
  case tooManyColumns(entity: String, count: Int, limit: Int)
  /// A schema statement would be longer than the limit that Strata sets.
  case schemaTooLong(table: String, bytes: Int, limit: Int)
  /// Two names of a model that are equal in an XML store.
  case sameXMLName(String, String)
  /// No primary key is left.
  case noKeysLeft(entity: String)
  /// A file that is not a store would be replaced.
  case notAStore
  /// A file or folder beside the store cannot be written.
  case unwritable(reason: String)
  /// Not enough disk space for a full copy of the store; both in bytes.
  case noRoom(needed: Int, available: Int)
  /// The private folder for a copy cannot be created.
  case noTemporaryFolder(reason: String)
}
