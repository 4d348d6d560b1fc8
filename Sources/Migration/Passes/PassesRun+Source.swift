internal import StrataMapping
internal import StrataSQLite
internal import StrataStore

/// Queries of a run on its source before the first step, which do not correspond to statements of Core Data.
extension PassesRun {
  static func extras(
    of source: borrowing StoreReader, in destination: borrowing NewStore, keepsExtras: Bool,
    _ log: StatementLog?
  ) throws(StoreError) -> CarriedExtras {
    try log.own { () throws(StoreError) in
      try keepsExtras ? destination.carriedExtras(of: source) : source.extrasBesideObjects()
    }
  }

  static func receiptWriter(
    _ hop: MigrationPlan.Hop, _ effects: [PolicyUse: PolicyEffect],
    _ source: borrowing StoreReader, _ log: StatementLog?
  ) throws(StoreError) -> ReceiptWriter {
    try log.own { () throws(StoreError) in
      try ReceiptWriter(hop, effects: effects, counting: source)
    }
  }

  static func keyRanges(
    of source: borrowing StoreReader, _ counts: inout StoreCounts, _ log: StatementLog?
  ) throws(StoreError) -> [StoreReader.NumberedRange] {
    try log.own { () throws(StoreError) in
      try source.checkKeys()
      return try source.keyRanges(&counts)
    }
  }

  static func links(
    _ hop: MigrationPlan.Hop, _ source: borrowing StoreReader, _ counts: inout StoreCounts,
    isPart: Bool, _ log: StatementLog?
  ) throws -> [LinkReport] {
    try log.own { try LinkLedger(hop).counts(source, &counts, isPart: isPart) }
  }
}
