internal import StrataBase
internal import StrataMapping
internal import StrataObjectModel
internal import StrataSQLite
internal import StrataStore
internal import StrataWitness

/// The use of the witness in migrations; its statements do not correspond to those of Core Data.
extension Witness {
  /// Creates the witness of a hop in place and passes it the source.
  static func observing(
    inPlace hop: MigrationPlan.Hop, _ source: SQLiteConnection, isComplete: Bool,
    _ log: StatementLog?
  ) throws -> Witness {
    let unobserved = Witness(hop, isInPlace: true, isComplete: isComplete)
    return try log.own { try unobserved.observing(source) }
  }

  /// Creates the witness of a hop into a new store and passes it the source, which it reads on another thread during
  /// other work, unless its statements are logged.
  static func observing<Result>(
    _ hop: MigrationPlan.Hop, _ source: borrowing SQLiteStore, isComplete: Bool,
    _ log: StatementLog?, during work: () throws -> Result
  ) throws -> (Result, Witness) {
    let unobserved = Witness(hop, isInPlace: false, isComplete: isComplete)
    guard log?.isObserved != true, let file = source.file else {
      let result = try work()
      return try log.own { (result, try unobserved.observing(source.connection)) }
    }
    return try SecondThread.run {
      try unobserved.observing(file.connection())
    } during: {
      try work()
    }
  }

  private init(_ hop: MigrationPlan.Hop, isInPlace: Bool, isComplete: Bool) {
    var means = Means(isInferred: hop.isInferred, isInPlace: isInPlace, isComplete: isComplete)
    // The witness sees changes that are made before the migration.
    for change in hop.stage?.did.changes ?? [] {
      means.changedAttributes.formUnion(change.attributes)
    }
    self.init(
      parts: hop.parts.map(\.mapping), from: hop.from.model, to: hop.to.model, means: means)
  }

  private func observing(_ source: SQLiteConnection) throws(StoreError) -> Witness {
    var witness = self
    try source.withoutAuthorizer { source throws(StoreError) in
      try witness.observeSource(source)
    }
    return witness
  }

  mutating func objections(
    to destination: SQLiteConnection, _ log: StatementLog?
  ) throws -> [String] {
    try log.own { try objections(to: destination) }
  }

  /// Compares a complete new store with what was predicted, on another thread during other work, unless its statements
  /// are logged.
  ///
  /// - Parameter work: Reads the store only; its result is returned if there are no objections to the store.
  /// - Throws: ``MigrationError/notAsPlanned(_:)``.
  mutating func compare<Result>(
    _ destination: borrowing NewStore, _ log: StatementLog?, during work: () throws -> Result
  ) throws -> Result {
    var objections: [String]
    guard log?.isObserved != true, let path = try destination.endTransaction() else {
      objections = try self.objections(to: destination.connection, log)
      guard objections.isEmpty else { throw MigrationError.notAsPlanned(objections) }
      return try work()
    }
    let predictions = self
    let result: Result
    (result, (objections, self)) = try SecondThread.run {
      var witness = predictions
      let destination = try SQLiteConnection(path: path, mode: .readOnly, hasBudget: false)
      let objections = try destination.withoutAuthorizer { destination throws(StoreError) in
        try witness.objections(to: destination)
      }
      return (objections, witness)
    } during: {
      try work()
    }
    guard objections.isEmpty else { throw MigrationError.notAsPlanned(objections) }
    return result
  }
}
