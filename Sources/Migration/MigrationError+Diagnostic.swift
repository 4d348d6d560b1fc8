package import StrataBase
internal import StrataMapping

extension MigrationError: DiagnosticError {
  package var diagnostic: Diagnostic {
    switch self {
    case .notInferable(let from, let to, let obstacles):
      Diagnostic(
        id: "migration.notInferable",
        what:
          "no mapping model can be inferred from \(from) to \(to)",
        code: .migrationMissingMappingModel,
        fix: "`infer` shows each error with its fixes",
        notes: obstacles.map { "\($0.location): \($0.reason)" })
    case .missingMappingModel(let from, let to, let rejected):
      Diagnostic(
        id: "migration.missingMappingModel",
        what:
          "there is no mapping model from \(from) to \(to)", code: .migrationMissingMappingModel,
        fix: "name one with --mapping, or allow inference",
        notes: rejected)
    case .undefinedChoice(let from, let to, let fitting, let parts):
      Diagnostic(
        id: "migration.undefinedChoice",
        what:
          "\(fitting.count) mapping models fit from \(from) to \(to), and which one Core Data uses is undefined: \(fitting.joined(separator: ", "))",
        fix: (parts.isEmpty
          ? "" : "--strategy custom runs \(parts.joined(separator: ", ")) one after the other; ")
          + "--mapping names the one to run")
    case .unfitMapping(let name, let from, let to, let reason):
      Diagnostic(
        id: "migration.unfitMapping",
        what: "the mapping model \(name) does not migrate \(from) to \(to): \(reason)",
        fix: "create it again for these two versions with `infer --write`")
    case .unknownVersion(let name):
      Diagnostic(
        id: "migration.unknownVersion",
        what:
          "\(name) is not a known version, so it cannot be migrated version by version",
        fix: "load the bundle that contains it, or use --strategy default")
    case .unknownStageVersion(let name, let isTarget):
      Diagnostic(
        id: "migration.unknownStageVersion",
        what:
          "Cannot use staged migration with an unknown \(isTarget ? "coordinator " : "")model version.",
        code: .managedObjectModelReferenceNotFound,
        location: Location(element: name), fix: "add the version to a stage of the file")
    case .backwards(let from, let to):
      Diagnostic(
        id: "migration.backwards",
        what:
          "A store file cannot be migrated backwards with staged migration.",
        code: .stagedMigrationBackwardMigration,
        location: Location(element: "\(from) to \(to)"),
        fix: "order the stages from the oldest version to the newest")
    case .badMapping(let name, let files, let findings):
      Diagnostic(
        id: "migration.badMapping",
        what:
          "the mapping model \(name) would fail: \(Phrase.count(findings.count, "error"))",
        fix:
          "`mapping lint \(files.map(\.shellQuoted).joined(separator: " "))` shows details and losses",
        notes: findings.map { finding in
          finding.location.subject == nil
            ? finding.message : "\(finding.location): \(finding.message)"
        })
    case .unknownPolicies(let policies, let known):
      Diagnostic(
        id: "migration.unknownPolicy",
        what:
          "policy not found: \(policies.map(\.policyName).uniqued.joined(separator: ", "))",
        location: policies.first.map { Location(element: "entity mapping \($0.entityMapping)") },
        fix: NearestName.of(policies.first?.policyName ?? "", in: known)
          .map(NearestName.question)
          ?? "name its file with --policies, write one (`help policies`), or skip it with --without-policy",
        notes: policies.map {
          "\($0.policyName): entity mapping \($0.entityMapping) of \($0.mappingModel), from \($0.source) to \($0.destination)"
        })
    case .unfittingValue(let property, let entity, let gives, let wants):
      Diagnostic(
        id: "migration.unfittingValue",
        what: "\(entity).\(property) gets \(gives), but requires \(wants)",
        fix: "convert the value in the expression, or in a policy")
    case .cannotEvaluate(let expression, let mapping, let property, let object, let reason):
      Diagnostic(
        id: "migration.cannotEvaluate", what: "cannot evaluate \(expression): \(reason)",
        location: Location(
          element: "entity mapping \(mapping), \(property)"
            + (object.map { ", from \($0)" } ?? "")),
        fix: "change the expression of the property mapping")
    case .badFilter(let filter, let mapping, let reason):
      Diagnostic(
        id: "migration.badFilter", what: "the filter \(filter) cannot be used: \(reason)",
        location: Location(element: "entity mapping \(mapping)"),
        fix: "`help expressions` describes the syntax of filters")
    case .unknownEntity(let name, let near):
      Diagnostic(
        id: "migration.unknownEntity", what: "the destination has no entity \(name)",
        fix: near.map(NearestName.question))
    case .unknownProperty(let name, let entity, let near):
      Diagnostic(
        id: "migration.unknownProperty",
        what: "\(entity) of the destination has no property \(name)",
        fix: near.map(NearestName.question))
    case .stoppedByPolicy(let policy, let mapping, let pass, let object, let reason):
      Diagnostic(
        id: "migration.stoppedByPolicy", what: "the policy \(policy) stopped: \(reason.what)",
        location: Location(
          element:
            "entity mapping \(mapping), pass \(pass.rawValue)\(object.map { ", \($0)" } ?? "")"),
        fix: reason.fix, notes: reason.notes)
    case .stoppedByStage(let from, let to, let isBefore, var reason):
      {
        reason.location =
          reason.location
          ?? Location(element: "stage \(from) -> \(to), \(isBefore ? "will" : "did")")
        return reason
      }()
    case .notAsPlanned(let faults):
      Diagnostic(
        id: "migration.notAsPlanned",
        what: "the migrated store would not match the new model; the store is unchanged",
        fix:
          "run `validate` on the store, or migrate in three passes into a new store",
        notes: faults)
    case .nameInUse(let table):
      Diagnostic(
        id: "migration.nameTaken",
        what: "the new model needs a table \(table), and the store has one that is not Core Data's",
        fix: "rename that table, or migrate into a new store: `migrate --output <file>`")
    case .columnNameInUse(let column, let table):
      Diagnostic(
        id: "migration.nameTaken",
        what:
          "the new model needs a column \(column) in \(table), and the store has one that is not Core Data's",
        fix: "rename that column, or migrate into a new store: `migrate --output <file>`")
    case .notInPlace:
      Diagnostic(
        id: "migration.notInPlace", what: "only an inferred migration can run in place",
        fix: "migrate in three passes")
    case .finished:
      Diagnostic(
        id: "migration.finished", what: "the migration has no steps left",
        fix: "check `pending` before each step")
    }
  }
}
