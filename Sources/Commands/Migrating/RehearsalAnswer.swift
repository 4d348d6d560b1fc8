internal import StrataBase
internal import StrataMapping
internal import StrataMigration
internal import StrataObjectModel

/// Whether the error of a rehearsal is its result, or the reason why there is none.
enum RehearsalAnswer {
  /// - Returns: Whether the migration would fail or be refused; `false` if that is unknown: a file cannot be
  ///   read, a policy is unknown, or Core Data's choice is undefined.
  static func isNo(_ error: any Error) -> Bool {
    switch error {
    case let error as ExplainedMigrationError: error.error.isAnswer
    case let error as MigrationError: error.isAnswer
    case let error as Diagnostic: error.id == nothingStays || formFaults.contains(error.id)
    default: false
    }
  }

  /// The ids of errors of models that SQLite cannot store, and of models and values that XML cannot contain.
  private static let formFaults: Set<String> = [
    "store.tooManyColumns", "store.schemaTooLong", "store.sameTableName", "store.sameXMLName",
    "store.notInXML", "store.tooLargeForXML",
  ]

  /// The id of the refusal of a migration that would lose all objects.
  fileprivate static let nothingStays = "migration.nothingStays"
}

extension MigrationPlan {
  /// The error about a hop that keeps no object, because of a wrong target; `nil` if there is none.
  ///
  /// - Parameter name: The name of the store or model that is migrated.
  func nothingStays(of name: String) -> Diagnostic? {
    let emptying = hops.first { hop in
      hop.entityMappings.allSatisfy { $0.sourceName == nil || $0.destinationName == nil }
    }
    return emptying.map { hop in
      Diagnostic(
        id: RehearsalAnswer.nothingStays,
        what:
          "\(hop.from.name) and \(hop.to.name) have no entity in common: all objects of \(name) would be lost",
        fix: "check the target; `migrate --output <file>` leaves the old store unchanged")
    }
  }
}
