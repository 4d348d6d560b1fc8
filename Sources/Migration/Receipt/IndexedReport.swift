internal import StrataBase

/// A report, with its counts and findings indexed by entity or property.
///
/// A receipt looks up every property, and a model can have thousands of entities.
struct IndexedReport {
  let report: MigrationReport
  /// The entity reports, by source entity.
  private let entities: [String: [MigrationReport.EntityReport]]
  private let unmappedCounts: [String: Int]
  private let numbers: [PropertyID: [NumberLoss]]
  private let uncopiedValues: [Receipt.Property: [Finding]]

  init(_ report: MigrationReport) {
    self.report = report
    entities = Dictionary(grouping: report.entities) { $0.sourceEntity ?? "" }
    unmappedCounts = Dictionary(report.unmapped.map { ($0.entity, $0.count) }, uniquingKeysWith: +)
    numbers = Dictionary(grouping: report.numbers, by: \.attribute)
    uncopiedValues = Dictionary(grouping: report.uncopied) {
      Receipt.Property(entity: $0.entity, name: $0.property ?? "")
    }
  }

  /// The sum of the counts of the mappings from some entities.
  func sum(
    _ count: KeyPath<MigrationReport.EntityReport, Int>, from sources: Set<String>,
    to destinations: Set<String>? = nil
  ) -> Int {
    sources.lazy.flatMap { entities[$0] ?? [] }
      .filter { destinations?.contains($0.destinationEntity ?? "") ?? true }
      .reduce(0) { $0 + $1[keyPath: count] }
  }

  func unmapped(of entities: Set<String>) -> Int {
    entities.reduce(0) { $0 + (unmappedCounts[$1] ?? 0) }
  }

  /// The numbers that an attribute of the destination does not hold, in the order of the report.
  func numbers(of attribute: PropertyID) -> [NumberLoss] { numbers[attribute] ?? [] }

  func uncopied(_ property: Receipt.Property) -> [Finding] { uncopiedValues[property] ?? [] }
}
