internal import Foundation
internal import StrataBase
internal import StrataMigration
internal import StrataObjectModel
internal import StrataStore

/// The migrations of stores of shipped versions to the current version, each performed in a private folder.
struct CheckMatrix {
  /// One migrated store.
  struct Row: Encodable, Sendable {
    var bundle: String
    var from: String
    var to: String
    /// The fixture; `nil` for a generated store.
    var store: String?
    var means: String
    var objects: Int
    /// Objects, values and links.
    var lost: Int
    /// Why the migration stopped, or was not performed.
    var problem: String?
    /// Whether the migration was performed; not if a policy is unknown.
    var performed = true
  }

  private(set) var rows: [Row] = []
  private(set) var findings: [Finding] = []
  private let session: Session
  private let policies: PolicyRegistry
  private let bundle: ProjectState.Bundle
  /// The severity of losses on a path.
  private let lossSeverity: (PathCheck.Path) -> Diagnostic.Severity

  init(
    of bundle: ProjectState.Bundle, _ policies: PolicyRegistry, in session: Session,
    lossSeverity: @escaping (PathCheck.Path) -> Diagnostic.Severity
  ) {
    (self.bundle, self.policies, self.session) = (bundle, policies, session)
    self.lossSeverity = lossSeverity
  }

  /// Migrates a generated store along a path.
  ///
  /// - Parameter count: The number of objects of each concrete entity.
  mutating func migrateGenerated(_ path: PathCheck.Path, objects count: Int) throws {
    let folder = try PrivateFolder()
    let file = "\(folder.path)/generated.sqlite"
    let model = path.version.model
    var random = SeededRandom(seed: "\(model.versionHashes().versionChecksum)")
    var store = try NewStore(
      path: file, model: model, uuid: random.uuidText(), version: .newest)
    var generator = StoreGenerator(model, rows: count, seed: 1)
    try generator.fill(&store)
    try store.finish()
    try migrate(file, named: nil, path)
  }

  /// Migrates a fixture along a path.
  mutating func migrateFixture(_ file: String, named name: String, _ path: PathCheck.Path) throws {
    try migrate(file, named: name, path)
  }

  private mutating func migrate(
    _ file: String, named name: String?, _ path: PathCheck.Path
  ) throws {
    try Interruption.check()
    guard let last = path.plan.hops.last else { return }
    var row = Row(
      bundle: bundle.label, from: path.version.name, to: last.to.versionName, store: name,
      means: path.plan.meansText, objects: 0, lost: 0)
    let unknown = path.plan.hops.flatMap(\.policyUses).filter { !policies.knows($0) }
    guard unknown.isEmpty else {
      row.performed = false
      row.problem = "not migrated: policy \(unknown[0].policyName) is unknown"
      rows.append(row)
      return
    }
    let runner = HopRunner(
      session: session, policies: policies, withoutPolicy: false, strict: [], traceFile: nil,
      isObserved: false)
    do {
      let results = try runner.rehearse(
        file, by: path.plan.hops, after: nil, at: path.version.versionName
      ).results
      row.objects = results.last?.report.entities.reduce(0) { $0 + $1.created + $1.joined } ?? 0
      for result in results {
        row.lost += LossCounts(result.report)
          .amounts(in: [.rows, .values, .links]).reduce(0) { $0 + $1.count }
      }
      for result in results { noteLosses(result, of: name, row, lossSeverity(path)) }
      note(results, of: name, &row)
    } catch let error as any DiagnosticError {
      row.problem = error.diagnostic.what
      findings.append(
        finding(
          path.plan.writtenMappings.isEmpty ? .failsRequired : .mappingType, error.diagnostic.what,
          of: name, from: row, at: FindingLocation()))
    }
    rows.append(row)
  }

  /// Adds what the receipt of a hop counts as lost.
  private mutating func noteLosses(
    _ result: HopResult, of name: String?, _ row: Row, _ severity: Diagnostic.Severity
  ) {
    func add(_ kind: CheckRule.Kind, _ count: Int, _ unit: String, _ property: PropertyID?) {
      guard count > 0 else { return }
      let number = Phrase.count(count, unit)
      var finding = finding(
        kind,
        kind == .lossOrder
          ? "the order is lost in \(number)" : "\(number) \(count == 1 ? "is" : "are") lost",
        of: name, from: row,
        at: FindingLocation(
          entity: property?.entity, property: property?.name.isEmpty == false ? property?.name : nil
        ))
      finding.severity = severity
      findings.append(finding)
    }
    for fate in result.report.receipt.properties where !fate.isLostWithObjects {
      let property = fate.sources.first ?? fate.destinations.first
      let unit = fate.isRelationship ? "link" : "value"
      add(
        fate.isRelationship ? .lossLinks : .lossValues,
        fate.lost.count + fate.truncated.count + fate.rounded.count, unit, property)
      add(.lossOrder, fate.unordered.count, "object", property)
    }
    for entity in result.report.entities {
      add(
        .lossObjects, entity.lost, "object",
        entity.sourceEntity.map { PropertyID(entity: $0, name: "") })
    }
  }

  private mutating func note(_ results: [HopResult], of name: String?, _ row: inout Row) {
    guard let problems = results.last?.report.problems, !problems.isEmpty else { return }
    for problem in problems {
      let kind: CheckRule.Kind = problem.stopsMigration ? .failsRequired : .failsUnsavable
      findings.append(
        finding(
          kind, "\(problem.reason): \(Phrase.count(problem.count, "object"))", of: name, from: row,
          at: FindingLocation(entity: problem.entity, property: problem.property)))
      if problem.stopsMigration { row.problem = row.problem ?? problem.reason }
    }
  }

  private func finding(
    _ kind: CheckRule.Kind, _ reason: String, of name: String?, from row: Row,
    at location: FindingLocation
  ) -> Finding {
    var location = location
    location.bundle = bundle.label
    location.version = "\(row.from) -> \(row.to)"
    location.store = name
    location.file = name ?? bundle.file(of: row.to)
    // A generated object can violate a rule that no real one violates, but a migration that stops is an error.
    let isError = kind != .failsUnsavable || name != nil
    return Finding(
      CheckRule(kind, name.map { "\(reason), in \($0)" } ?? "\(reason), in a generated store"),
      severity: isError ? .error : nil, at: location)
  }
}

extension MigrationPlan {
  /// `inferred`, or the mapping models and the inferred hops in order.
  fileprivate var meansText: String {
    hops.map(\.mappingName).joined(separator: ", ")
  }
}
