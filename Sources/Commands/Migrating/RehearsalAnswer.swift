internal import StrataBase
internal import StrataMigration

/// Whether what stopped a rehearsal is its answer, and not why there is none.
enum RehearsalAnswer {
  /// - Returns: Whether the migration would fail or be refused; `false` where that is not known: a file cannot be
  ///   read, a policy is unknown, or Core Data's choice is undefined.
  static func isNo(_ error: any Error) -> Bool {
    switch error {
    case let error as ExplainedMigrationError: error.error.isAnswer
    case let error as MigrationError: error.isAnswer
    case let error as Diagnostic: error.id == nothingStays || schemaFaults.contains(error.id)
    default: false
    }
  }

  /// What SQLite cannot store, whatever the store holds now.
  private static let schemaFaults: Set<String> = [
    "store.tooManyColumns", "store.schemaTooLong", "store.sameTableName",
  ]

  /// The refusal of a migration after which nothing would be left.
  static let nothingStays = "migration.nothingStays"
}
