package import StrataBase

extension MappingError: DiagnosticError {
  package var diagnostic: Diagnostic {
    switch self {
    case .notAMappingModel(let found):
      Diagnostic(
        id: "mapping.notAMappingModel", what: "not a mapping model, but \(found)",
        fix: "name an .xcmappingmodel, a .cdm or a .mapping")
    case .malformed(let what, let mapping):
      Diagnostic(
        id: "mapping.malformed", what: "the mapping model has \(what)",
        location: mapping.map { Location(element: "entity mapping \($0)") },
        fix: "open it in Xcode and save it again, or restore it from version control")
    case .badExpression(let expression, let element, let reason):
      Diagnostic(
        id: "mapping.badExpression", what: "the expression \(expression) cannot be read: \(reason)",
        location: Location(element: element), fix: "`help expressions` describes the syntax")
    case .badPart(let element, let problem): problem.located(at: element)
    case .duplicateName(let name):
      Diagnostic(
        id: "mapping.duplicateName", what: "two entity mappings are called \(name)",
        fix: "rename one of them; relationship mappings refer to entity mappings by name")
    case .tooMany(let what, let limit):
      Diagnostic(
        id: "mapping.tooMany", what: "the mapping model has more than \(limit) \(what)",
        fix: "no known mapping model has so many; check that this is the right file")
    case .nameNotKept(let name, let standard):
      Diagnostic(
        id: "mapping.nameNotKept",
        what: "an .xcmappingmodel stores no names: Xcode would call \(name) \(standard)",
        fix: "rename it to \(standard), or write a .mapping file")
    case .expressionNotKept(let expression, let element):
      Diagnostic(
        id: "mapping.expressionNotKept",
        what:
          "how an .xcmappingmodel stores an expression of this form is not known: \(expression)",
        location: Location(element: element),
        fix: "use another form or a policy, or write a .mapping file")
    case .notKept(let what, let mapping):
      Diagnostic(
        id: "mapping.notKept", what: "an .xcmappingmodel cannot store \(what)",
        location: Location(element: "entity mapping \(mapping)"),
        fix: "write a .mapping file")
    case .severalNotKept(let parts):
      Self.listed(parts.map(\.diagnostic))
    }
  }

  /// The first one, with the others as notes.
  private static func listed(_ parts: [Diagnostic]) -> Diagnostic {
    var first = parts[0]
    first.notes = parts.dropFirst().map { part in
      (part.location?.element.map { "\($0): " } ?? "") + part.what
    }
    return first
  }
}
