internal import StrataBase
internal import StrataMapping
internal import StrataObjectModel
internal import StrataSQLite
internal import StrataWitness

/// The use of the witness in migrations; its statements do not correspond to those of Core Data.
extension Witness {
  /// Creates the witness of a hop and passes it the source.
  static func observing(
    _ hop: MigrationPlan.Hop, _ source: SQLiteConnection, _ means: Means, _ log: StatementLog?
  ) throws -> Witness {
    var means = means
    // The witness sees changes that are made before the migration.
    for change in hop.stage?.did.changes ?? [] {
      means.changedAttributes.formUnion(change.attributes)
    }
    var witness = Witness(
      parts: hop.parts.map(\.mapping), from: hop.from.model, to: hop.to.model, means: means)
    try log.own {
      if means.isInPlace {
        try witness.observeSource(source)
      } else {
        try source.withoutAuthorizer { source throws(StoreError) in
          try witness.observeSource(source)
        }
      }
    }
    return witness
  }

  mutating func objections(
    to destination: SQLiteConnection, _ log: StatementLog?
  ) throws -> [String] {
    try log.own { try objections(to: destination) }
  }
}
