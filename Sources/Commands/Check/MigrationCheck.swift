internal import StrataBase
internal import StrataMigration
internal import StrataObjectModel
internal import StrataStore

/// The migration of one store in a private folder, with its losses and problems.
struct MigrationCheck {
  /// `nil` if the plan has no hop.
  var row: CheckMatrix.Row?
  private(set) var findings: [Finding] = []
  private let migration: CheckMatrix.Migration

  init(_ migration: CheckMatrix.Migration, in session: Session) throws {
    self.migration = migration
    try Interruption.check()
    let path = migration.path
    guard let last = path.plan.hops.last else { return }
    var row = CheckMatrix.Row(
      bundle: migration.bundle.label, from: path.version.name, to: last.to.versionName,
      store: migration.store.name, means: path.plan.meansText)
    let unknown = path.plan.hops.flatMap(\.policyUses)
      .filter { !migration.policies.knows($0) }
    if let unknown = unknown.first {
      row.performed = false
      row.problem = "not migrated: policy \(unknown.policyName) is unknown"
    } else {
      do {
        try perform(&row, in: session)
      } catch let error as any DiagnosticError {
        let reason = ((error as? MigrationError)?.withoutMessagesOfApps ?? error).diagnostic.what
        row.problem = reason
        note(
          path.plan.writtenMappings.isEmpty ? .failsRequired : .mappingType, reason,
          at: FindingLocation())
      }
    }
    self.row = row
  }

  private mutating func perform(_ row: inout CheckMatrix.Row, in session: Session) throws {
    let path = migration.path
    let folder = try PrivateFolder()
    let file: String
    switch migration.store {
    case .fixture(let fixture, _): file = fixture
    case .generated(let count):
      file = "\(folder.path)/generated.sqlite"
      try Self.generate(file, of: path.version.model, rows: count)
    }
    let runner = HopRunner(
      session: session, policies: migration.policies, withoutPolicy: false, strict: [],
      traceFile: nil, isObserved: false)
    let results = try runner.rehearse(
      file, by: path.plan.hops, after: nil, at: path.version.versionName
    ).results
    row.objects = results.last?.report.entities.reduce(0) { $0 + $1.created + $1.joined } ?? 0
    for result in results {
      row.lost += result.lossCounts.amounts(in: [.rows, .values, .links])
        .reduce(0) { $0 + $1.count }
      noteLosses(result)
    }
    row.problem = noteProblems(results.last?.report.problems ?? [])
  }

  /// - Parameter count: The number of objects of each concrete entity.
  private static func generate(_ file: String, of model: ObjectModel, rows count: Int) throws {
    var random = SeededRandom(seed: "\(model.versionHashes().versionChecksum)")
    var store = try NewStore(path: file, model: model, uuid: random.uuidText(), version: .newest)
    var generator = StoreGenerator(model, rows: count, seed: 1)
    try generator.fill(&store)
    try store.finish()
  }

  /// Adds what the receipt of a hop counts as lost.
  private mutating func noteLosses(_ result: HopResult) {
    for fate in result.report.receipt.properties where !fate.isLostWithObjects {
      let property = fate.sources.first ?? fate.destinations.first
      noteLoss(
        fate.isRelationship ? .lossLinks : .lossValues,
        fate.lost.count + fate.truncated.count + fate.rounded.count,
        fate.isRelationship ? "link" : "value", property)
      noteLoss(.lossOrder, fate.unordered.count, "object", fate.unorderedRelationship)
    }
    for entity in result.report.entities {
      noteLoss(
        .lossObjects, entity.lost, "object",
        entity.sourceEntity.map { PropertyID(entity: $0, name: "") })
    }
  }

  private mutating func noteLoss(
    _ kind: CheckRule.Kind, _ count: Int, _ unit: String, _ property: PropertyID?
  ) {
    guard count > 0 else { return }
    let number = Phrase.count(count, unit)
    note(
      kind,
      kind == .lossOrder
        ? "the order is lost in \(number)" : "\(number) \(count == 1 ? "is" : "are") lost",
      at: FindingLocation(
        entity: property?.entity, property: property?.name.isEmpty == false ? property?.name : nil),
      severity: migration.lossSeverity)
  }

  /// - Returns: Why the migration stops; `nil` if it does not.
  private mutating func noteProblems(_ problems: [MigrationReport.Problem]) -> String? {
    for problem in problems {
      note(
        problem.stopsMigration ? .failsRequired : .failsUnsavable,
        "\(problem.reason): \(Phrase.count(problem.count, "object"))",
        at: FindingLocation(entity: problem.entity, property: problem.property))
    }
    return problems.first(where: \.stopsMigration)?.reason
  }

  private mutating func note(
    _ kind: CheckRule.Kind, _ reason: String, at location: FindingLocation,
    severity: Diagnostic.Severity? = nil
  ) {
    let (path, name) = (migration.path, migration.store.name)
    let target = path.plan.hops.last?.to.versionName ?? ""
    var location = location
    location.bundle = migration.bundle.label
    location.version = "\(path.version.name) -> \(target)"
    location.store = name
    location.file = name ?? migration.bundle.file(of: target)
    // A generated object can violate a rule that no real one violates, but a migration that stops is an error.
    let isError = kind != .failsUnsavable || name != nil
    findings.append(
      Finding(
        CheckRule(kind, "\(reason), in \(name ?? "a generated store")"),
        severity: severity ?? (isError ? .error : nil), at: location))
  }
}

extension MigrationPlan {
  /// `inferred`, or the mapping models and the inferred hops in order.
  fileprivate var meansText: String {
    hops.map(\.mappingName).joined(separator: ", ")
  }
}
