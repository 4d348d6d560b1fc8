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

  static func keyRanges(
    of source: borrowing StoreReader, _ counts: inout StoreCounts, _ log: StatementLog?
  ) throws(StoreError) -> [StoreReader.NumberedRange] {
    try log.own { () throws(StoreError) in
      try source.checkKeys()
      return try source.keyRanges(&counts)
    }
  }
}
