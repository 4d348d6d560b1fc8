public import StrataDiagnostics
internal import StrataMapping

extension MigrationError: DiagnosticError {
  public var diagnostic: Diagnostic {
    switch self {
    case .notInferable(let from, let to, let obstacles):
      Diagnostic(
        id: "migration.notInferable",
        what: "no mapping model can be inferred from \(from) to \(to) (134140)",
        mend: "`infer` of the two shows each obstacle with its ways out",
        notes: obstacles.map { "\($0.place): \($0.words)" })
    case .cannotEvaluate(let expression, let mapping):
      Diagnostic(
        id: "migration.cannotEvaluate", what: "cannot evaluate \(expression)",
        location: Location(element: "entity mapping \(mapping)"),
        mend: "change the expression of the property mapping")
    case .finished:
      Diagnostic(
        id: "migration.finished", what: "the migration has no step left",
        mend: "ask for `pending` before each step")
    }
  }
}
