internal import StrataBase
internal import StrataMapping
internal import StrataSQLite
internal import StrataStore
internal import StrataWitness

/// What is read of a source for the checks and the receipt of a migration in passes.
struct SourceObservation: Sendable {
  var witness: Witness
  let receiptWriter: ReceiptWriter
  private let links: [LinkReport]
  /// The receipt if the migration is stopped.
  private let receipt: Receipt

  /// - Parameters:
  ///   - report: The report before the first pass.
  ///   - counts: What has been counted in the source.
  init(
    _ hop: MigrationPlan.Hop, _ effects: [PolicyUse: PolicyEffect], _ report: MigrationReport,
    of source: borrowing StoreReader, _ counts: StoreCounts, isComplete: Bool, _ log: StatementLog?
  ) throws {
    var (report, counts) = (report, counts)
    (receiptWriter, witness) = try Witness.observing(
      hop, source.store, isComplete: isComplete, log
    ) {
      try log.own {
        report.links = try LinkLedger(hop).counts(source, &counts, isPart: report.isPart)
        return try ReceiptWriter(hop, effects: effects, counting: source)
      }
    }
    links = report.links
    receipt = receiptWriter.receipt(report)
  }

  /// Notes the counts in the report.
  func note(in report: inout MigrationReport) {
    (report.links, report.receipt) = (links, receipt)
  }
}
