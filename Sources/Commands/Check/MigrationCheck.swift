internal import StrataBase
internal import StrataMigration
internal import StrataObjectModel
internal import StrataRendering
internal import StrataStore

/// The migration of one store in a private folder, with its losses and problems.
struct MigrationCheck {
  /// `nil` if the plan has no hop.
  var row: CheckMatrix.Row?
  private(set) var findings: [Finding] = []
  /// What became of the objects, hop by hop.
  private(set) var receipt: View = .nothing
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
      .filter { !migration.policies.knows($0) }.map(\.policyName)
    if let first = unknown.first {
      row.performed = false
      row.problem = "not migrated: policy \(first) is unknown"
      row.unknownPolicies = Set(unknown).sorted()
    } else {
      do {
        try perform(&row, in: session)
      } catch let error as any DiagnosticError {
        let problem = ((error as? MigrationError)?.withoutMessagesOfApps ?? error).diagnostic
        // No finding of the project: nothing can be migrated on this machine.
        if Self.machineErrors.contains(problem.id) { throw error }
        row.problem = problem.what
        let isOfStore = migration.store.name != nil && problem.id == Self.damage
        note(
          isOfStore
            ? .storeUnreadable
            : path.plan.writtenMappings.isEmpty ? .failsRequired : .mappingType, problem.what,
          at: FindingLocation(), fixes: problem.fix.map { [Fix($0)] } ?? [])
      }
    }
    self.row = row
  }

  /// Errors of a machine without a folder, space or open files for stores.
  private static let machineErrors: Set = [
    "store.noTemporaryFolder", "store.unwritable", "file.unwritable",
  ]

  /// The error of a store that can be opened, and not read to its end.
  private static let damage = "store.damaged"

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
    let results = try Self.results(
      of: file, by: path.plan, migration.policies, at: path.version.versionName, in: session)
    row.objects = results.last?.report.entities.reduce(0) { $0 + $1.created + $1.joined } ?? 0
    receipt = .stack(results.map(\.view))
    for result in results {
      row.lost += result.lossCounts.amounts(in: [.rows, .values, .links])
        .reduce(0) { $0 + $1.count }
    }
    try noteLosses(results.flatMap(\.report.reportedLosses), of: file, in: session)
    row.problem = noteProblems(try problems(results.last?.report.problems ?? [], of: file))
    // Nothing is lost by a migration that stops.
    if row.problem != nil { row.lost = 0 }
  }

  private static func results(
    of file: String, by plan: MigrationPlan, _ policies: PolicyRegistry, at version: String,
    in session: Session
  ) throws -> [HopResult] {
    let runner = HopRunner(
      session: session, policies: policies, withoutPolicy: false, strict: [],
      traceFile: nil, isObserved: false)
    return try runner.rehearse(file, by: plan.hops, after: nil, at: version).results
  }

  /// - Parameter count: The number of objects of each concrete entity.
  private static func generate(_ file: String, of model: ObjectModel, rows count: Int) throws {
    var random = SeededRandom(seed: "\(model.versionHashes().versionChecksum)")
    var store = try NewStore(path: file, model: model, uuid: random.uuidText(), version: .newest)
    var generator = StoreGenerator(model, rows: count, seed: 1)
    try generator.fill(&store)
    try store.finish()
  }

  /// The problems that the migration makes. The generator cannot satisfy every rule: objects that are invalid in the
  /// generated store, and stay so, are none.
  private func problems(
    _ all: [MigrationReport.Problem], of file: String
  ) throws -> [MigrationReport.Problem] {
    guard case .generated = migration.store, all.contains(where: { !$0.stopsMigration }) else {
      return all
    }
    let model = migration.path.version.model
    let reader = try StoreReader(SQLiteStore(reading: file), model: model)
    var invalid: [PropertyProblem: Set<Int64>] = [:]
    for entity in model.entities where !entity.isAbstract {
      try reader.forEachProblem(of: entity.name) { problem in
        guard let key = problem.location.object else { return }
        let kind = PropertyProblem(
          entity: entity.name, property: problem.property ?? "", reason: problem.message,
          stopsMigration: false, isOfConstraint: false)
        invalid[kind, default: []].insert(key)
      }
    }
    return all.compactMap { problem in
      let kind = PropertyProblem(
        entity: problem.entity, property: problem.property, reason: problem.reason,
        stopsMigration: problem.stopsMigration, isOfConstraint: problem.isOfConstraint)
      guard let known = invalid[kind] else { return problem }
      var new = problem
      new.keys.removeAll(where: known.contains)
      new.count -= problem.keys.count - new.keys.count
      return new.count == 0 ? nil : new
    }
  }

  /// Notes the losses that the models do not tell.
  private mutating func noteLosses(
    _ losses: [ReportedLoss], of file: String, in session: Session
  ) throws {
    let untold = losses.filter { !migration.toldLosses.contains($0.subject) }
    guard !untold.isEmpty else { return }
    let known = try knownLosses(of: file, in: session)
    for loss in untold {
      let isKnown = loss.isIn(known)
      let number = Phrase.count(loss.count, loss.unit)
      let severity = migration.comparison.severity(isKnown: isKnown)
      note(
        loss.rule,
        loss.kind == .order
          ? "the order is lost in \(number)" : "\(number) \(loss.count == 1 ? "is" : "are") lost",
        at: FindingLocation(entity: loss.subject.entity, property: loss.subject.property),
        severity: severity,
        fixes: fixes(of: loss, severity) + [migration.comparison.fix(of: severity)])
    }
  }

  /// What the plan at the base loses of the same store; nothing if it cannot be migrated with it.
  private func knownLosses(of file: String, in session: Session) throws -> [ReportedLoss] {
    guard case .base(let base) = migration.comparison, let plan = base.plan, !plan.hops.isEmpty,
      plan.hops.flatMap(\.policyUses).allSatisfy(base.policies.knows)
    else { return [] }
    do {
      let version = migration.path.version.versionName
      return try Self.results(of: file, by: plan, base.policies, at: version, in: session)
        .flatMap(\.report.reportedLosses)
    } catch {
      try Interruption.check()
      return []
    }
  }

  private func fixes(of loss: ReportedLoss, _ severity: Diagnostic.Severity) -> [Fix] {
    let mappings = migration.path.plan.writtenMappings
    guard severity != .note, !mappings.isEmpty else { return [] }
    let name = Phrase.list(mappings)
    return switch loss.kind {
    case .objects:
      [Fix("add an entity mapping for the other objects to \(name), or widen a filter")]
    case .values: [Fix("read them with a value expression in \(name)")]
    default: [Fix("connect the objects in \(name), or in a policy")]
    }
  }

  /// - Returns: Why the migration stops; `nil` if it does not.
  private mutating func noteProblems(_ problems: [MigrationReport.Problem]) -> String? {
    let model = migration.path.plan.hops.last?.to.model
    // One finding about an inherited property, as about the models.
    let declared = problems.map { problem in
      PropertyProblem(
        entity: model?.declaringEntity(of: problem.property, in: problem.entity) ?? problem.entity,
        property: problem.property, reason: problem.reason, stopsMigration: problem.stopsMigration,
        isOfConstraint: problem.isOfConstraint)
    }
    let groups = Dictionary(grouping: zip(declared, problems), by: \.0)
    for problem in declared.uniqued {
      let found = groups[problem, default: []].map(\.1)
      let entities = found.map(\.entity)
      let owners = entities == [problem.entity] ? "" : " of \(Phrase.list(entities))"
      let count = Phrase.count(found.reduce(0) { $0 + $1.count }, "object")
      note(
        !problem.stopsMigration
          ? .failsUnsavable : problem.isOfConstraint ? .failsUnique : .failsRequired,
        "\(problem.reason): \(count)\(owners)",
        at: FindingLocation(entity: problem.entity, property: problem.property),
        fixes: found.first.map { [Fix($0.fix)] } ?? [])
    }
    return declared.first(where: \.stopsMigration).map {
      "\($0.entity).\($0.property) \($0.reason)"
    }
  }

  /// What an accepted finding is about besides: a store that cannot be migrated is a decision of its own, and a loss that
  /// the models do not tell depends on the values.
  private static func detail(_ kind: CheckRule.Kind, _ store: String?) -> String? {
    switch kind {
    case .failsRequired, .failsUnique, .failsUnsavable: store
    case .lossObjects, .lossValues, .lossLinks: "some"
    default: nil
    }
  }

  private mutating func note(
    _ kind: CheckRule.Kind, _ reason: String, at location: FindingLocation,
    severity: Diagnostic.Severity? = nil, fixes: [Fix] = []
  ) {
    let (path, name) = (migration.path, migration.store.name)
    let target = path.plan.hops.last?.to.versionName ?? ""
    var location = location
    location.bundle = migration.bundle.label
    location.version = "\(path.version.name) -> \(target)"
    location.store = name
    location.file = name ?? migration.bundle.file(of: target)
    if name == nil { location.line = path.plan.hops.last?.to.model.line(of: location) }
    // A generated object can violate a rule that no real one violates, but a migration that stops is an error.
    let isError = kind != .failsUnsavable || name != nil
    findings.append(
      Finding(
        CheckRule(
          kind, "\(reason), in \(name ?? "a generated store")", detail: Self.detail(kind, name)),
        severity: severity ?? (isError ? .error : nil), at: location, fixes: fixes))
  }
}

/// What is wrong with the values of a property, inherited ones included.
private struct PropertyProblem: Hashable {
  /// The entity that declares the property.
  let entity: String
  let property: String
  let reason: String
  let stopsMigration: Bool
  let isOfConstraint: Bool
}

extension ReportedLoss {
  fileprivate var rule: CheckRule.Kind {
    switch kind {
    case .objects: .lossObjects
    case .values: .lossValues
    case .links: .lossLinks
    case .order: .lossOrder
    }
  }

  fileprivate var subject: PathLoss.Subject { .init(entity: entity, property: property) }

  /// Whether another migration of the same store loses as many.
  fileprivate func isIn(_ others: [ReportedLoss]) -> Bool {
    others.contains { $0.kind == kind && $0.subject == subject && $0.count >= count }
  }
}

extension MigrationPlan {
  /// `inferred`, or the mapping models and the inferred hops in order.
  fileprivate var meansText: String {
    hops.map(\.mappingName).joined(separator: ", ")
  }
}
