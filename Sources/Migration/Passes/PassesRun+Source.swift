internal import StrataMapping
internal import StrataSQLite
internal import StrataStore

/// What a run asks of its source before the first step: for itself, so that none of it stands for a statement of
/// Core Data's.
extension PassesRun {
  static func extras(
    of source: borrowing StoreReader, in destination: borrowing NewStore, _ log: StatementLog?
  ) throws(StoreError) -> CarriedExtras {
    try log.own { () throws(StoreError) in try destination.carriedExtras(of: source) }
  }

  static func receiptWriter(
    _ hop: MigrationPlan.Hop, _ effects: [String: PolicyEffect],
    _ source: borrowing StoreReader, _ log: StatementLog?
  ) throws(StoreError) -> ReceiptWriter {
    try log.own { () throws(StoreError) in
      try ReceiptWriter(hop, effects: effects, counting: source)
    }
  }

  static func keyRanges(
    of source: borrowing StoreReader, _ log: StatementLog?
  ) throws(StoreError) -> [(table: String, number: Int64?, range: StoreReader.KeyRange)] {
    try log.own { () throws(StoreError) in
      try source.checkKeys()
      return try source.keyRanges()
    }
  }

  static func links(
    _ hop: MigrationPlan.Hop, _ source: borrowing StoreReader, isPart: Bool, _ log: StatementLog?
  ) throws -> [LinkReport] {
    try log.own { try LinkLedger(hop).counts(source, isPart: isPart) }
  }

  /// What the policies of a hop do besides what their entity mappings say; nothing of those that are left out.
  static func effects(
    of policies: PolicyRegistry, in hop: MigrationPlan.Hop
  ) -> [String: PolicyEffect] {
    var effects: [String: PolicyEffect] = [:]
    for name in Set(hop.entityMappings.compactMap(\.policyName)) {
      guard let policy = policies.make(name) else { continue }
      effects[name] = (policy as? FilePolicy)?.effect(name) ?? PolicyEffect(name)
    }
    return effects
  }
}
