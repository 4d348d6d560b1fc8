internal import StrataBase
internal import StrataMapping
internal import StrataObjectModel
internal import StrataSQLite
internal import StrataStore
internal import StrataWitness

/// What is read of a store for the checks and the receipt of a migration in place, before its first statement or while
/// its statements run.
struct InPlaceObservation: Sendable {
  /// Predicts the result independently of the plan.
  var witness: Witness
  var receiptWriter: ReceiptWriter
  private let entities: [MigrationReport.EntityReport]
  private var links: [LinkReport]
  /// The receipt if the migration is stopped.
  private let receipt: Receipt

  /// - Parameters:
  ///   - report: The report before the first step.
  ///   - counts: What has been counted in the store.
  init(
    _ hop: MigrationPlan.Hop, _ report: MigrationReport, of reader: borrowing StoreReader,
    _ counts: StoreCounts, isComplete: Bool, _ log: StatementLog?
  ) throws {
    var (report, counts) = (report, counts)
    for index in report.entities.indices {
      guard let entity = report.entities[index].sourceEntity else { continue }
      let count = try counts.objects(of: entity, in: reader)
      report.entities[index].source = count
      let created = report.entities[index].destinationEntity
      if created.map({ hop.to.model[$0]?.isAbstract == true }) ?? true {
        report.entities[index].dropped = count
        report.entities[index].lost = count
      } else if count > 0 {
        report.entities[index].keepsKeys = true
      }
    }
    report.links = try LinkLedger(hop).counts(reader, &counts)
    receiptWriter = try ReceiptWriter(hop, counting: reader)
    receipt = receiptWriter.receipt(report)
    (entities, links) = (report.entities, report.links)
    witness = try Witness.observing(
      inPlace: hop, reader.store.connection, isComplete: isComplete, log)
  }

  /// Takes over what was counted before a stage changed the store.
  mutating func takeCounts(of original: InPlaceObservation) {
    receiptWriter.takeCounts(of: original.receiptWriter)
    for (index, entry) in receiptWriter.ledger.entries.enumerated() {
      let before = original.links[index]
      if !entry.isContinued { links[index] = before }
      if entry.isSetByStage { links[index].count = before.count }
      if entry.isChangedByStage { links[index].inLostObjects = before.inLostObjects }
    }
  }

  /// Notes the counts in the report.
  func note(in report: inout MigrationReport) {
    (report.entities, report.links, report.receipt) = (entities, links, receipt)
  }
}

extension InPlaceRun {
  /// Whether the store can be observed while its statements run: the old store is kept only if data may be lost, which
  /// is known before they run, and stages change objects first.
  static func canObserveLater(_ hop: MigrationPlan.Hop, _ log: StatementLog?) -> Bool {
    hop.stage == nil && !hop.mayLose && log?.isObserved != true
      && LinkLedger(hop).entries.allSatisfy(\.keepsLinks)
  }
}
