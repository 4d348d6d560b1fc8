package import StrataBase

extension StoreRule {
  package static let pages: [RulePage] = [
    RulePage(
      "unfinishedDestination", "Unfinished destination of a migration",
      """
      A migration that creates a new store was interrupted. The old store is intact unless the finding says \
      that it is missing.
      """),
    RulePage(
      "orphanJournal", "Journal without a store",
      "A -wal or -journal file may contain the last changes of a store that was moved without it."),
    RulePage(
      "secondName", "Second name of the store",
      "A replacement was interrupted after the old store got a second name. Both names are the same file."
    ),
    RulePage(
      "setAside", "Old store kept by a migration",
      """
      A migration keeps the old store beside the new one. `doctor --discard-old` deletes it if the new store \
      is intact. To go back, `create <new name> --copy <old store>` copies it with its files.
      """),
    RulePage(
      "missingStore", "Store under another name",
      "A replacement was interrupted after the old store was renamed. `doctor --fix` renames it back."
    ),
    RulePage(
      "hotJournal", "Unfinished transaction",
      "A program ended while it was writing. The next program that opens the store undoes the transaction."
    ),
    RulePage(
      "foreignJournal", "Rollback journal of another store",
      """
      A store was replaced without its -journal file. SQLite would write the pages of the other store into this one, \
      and truncate it to the other's size. `doctor --fix` renames the -journal.
      """),
    RulePage(
      "unclearJournal", "Rollback journal of unknown origin",
      """
      The store is intact with the -journal and without it, and a -journal does not name its store. Strata changes \
      neither, and refuses to write or migrate the store.
      """),
    RulePage(
      "leftoverWAL", "Changes in a write-ahead log",
      """
      A program that used the store ended without a checkpoint. The changes in the -wal are complete, and belong to \
      the store; `doctor --fix` writes them into it. Whoever copies the store must copy the -wal too.
      """),
    RulePage(
      "abandonedFolder", "Private folder of a killed process",
      """
      Strata keeps copies of stores in private folders, and removes them when it ends. After a kill the next run of \
      Strata removes them.
      """),
    RulePage(
      "unfinishedFile", "File that was being written",
      """
      Strata writes a document under another name first, and renames it when it is complete. The process was killed \
      in between. If there is no document, the file may be the only copy of the old one, which is renamed on file \
      systems without hard links: `doctor --fix` deletes it only beside the document.
      """),
    RulePage(
      "dataAside", "Folder of binary data moved away",
      """
      `create --force` and `migrate --output --force` move the binary data of the old store away before the new store \
      takes its place. The process was killed in between. `doctor --fix` moves the files back.
      """),
    RulePage(
      "foreignWAL", "Write-ahead log of another store",
      """
      A store was replaced without its -wal file. SQLite would apply the pages of the other store, and damage \
      this one.
      """),
    RulePage(
      "unclearWAL", "Write-ahead log of unknown origin",
      """
      The file alone is a store, and with the -wal beside it one with another UUID, or none: the -wal is that of another \
      store, or the store was replaced through it. Strata changes neither, and refuses to write or migrate the store.
      """),
    RulePage(
      "damagedWAL", "Damaged write-ahead log",
      """
      A frame of the -wal has a wrong checksum, or the file was truncated. SQLite ignores that frame and all after \
      it without an error, and deletes the file at the next checkpoint: committed transactions are lost. \
      Strata does not change such a store. `doctor --fix` keeps a copy of the -wal and writes its intact changes to \
      the store.
      """),
    RulePage(
      "missingWAL", "Missing write-ahead log",
      """
      The store was copied without its -wal file, which holds the last changes until a checkpoint. Copy the store \
      again with its -wal, while the app is not running.
      """),
    RulePage(
      "halfMigrated", "Interrupted migration in place",
      """
      The tables and the metadata are of different versions. Core Data migrates in place in one transaction, so \
      this needs a crash without a journal, or another program.
      """),
    RulePage(
      "unknownTables", "Tables outside the model",
      "An app or another program keeps its own tables in the store. Core Data ignores them."),
    RulePage(
      "unknownEntities", "Rows of unknown entities",
      "No entity that has objects of its own has this entity number in this table. Core Data does not read such rows."
    ),
    RulePage(
      "keysOutOfRange", "Primary keys out of range",
      "Core Data assigns keys from 1 up. Strata does not migrate a store with other keys."),
    RulePage(
      "keyTable", "Z_PRIMARYKEY does not match the model",
      "Core Data keeps a row for each entity, with its number, the number of its parent and the highest key."
    ),
    RulePage(
      "unknownHash", "Version hash that Strata does not compute",
      """
      Core Data recorded a different version hash than Strata computes from the cached model. Either the cached \
      model is of another version, or the model has a feature that Strata cannot hash.
      """),
    RulePage(
      "otherModel", "Metadata and cached model differ",
      "The metadata determines which models can open the store; the cached model is used for inference."
    ),
    RulePage(
      "noModel", "Unknown model",
      "The store caches no model, and no loaded model has its version hashes."),
    RulePage(
      "unreadableModel", "Unreadable cached model",
      "The tables are not compared with the model that the store caches."),
    RulePage(
      "damage", "Damaged database",
      "SQLite's integrity check fails. Restore a backup, or save what can be read with sqlite3's .recover."
    ),
    RulePage(
      "unreadable", "Unreadable store", "The store cannot be read, though it is not damaged."),
    RulePage(
      "deferredMigration", "Deferred lightweight migration",
      """
      The app migrated with NSPersistentStoreDeferredLightweightMigrationOptionKey and has not yet called \
      finishDeferredLightweightMigration.
      """),
    RulePage(
      "pendingStage", "Pending scripts of a staged migration",
      "Run `migrate` with the same stages file again: it continues where it was interrupted."),
    RulePage(
      "missingFiles", "Missing files of external binary data",
      "Copy the hidden folder .NAME_SUPPORT together with the store; it holds large binary values."),
    RulePage(
      "strayFiles", "Files of binary data that no store refers to",
      "Deleted objects or an interrupted migration left them. They use disk space and are otherwise harmless."
    ),
  ]
}
