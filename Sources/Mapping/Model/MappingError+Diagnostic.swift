package import StrataBase

extension MappingError: DiagnosticError {
  package var diagnostic: Diagnostic {
    switch self {
    case .notAMappingModel(let found):
      Diagnostic(
        id: "mapping.notAMappingModel", what: "this is no mapping model, but \(found)",
        fix: "name an .xcmappingmodel, a .cdm or a .mapping")
    case .malformed(let what, let mapping):
      Diagnostic(
        id: "mapping.malformed", what: "the mapping model has \(what)",
        location: mapping.map { Location(element: "entity mapping \($0)") },
        fix: "open it in Xcode and save it again, or take it from version control")
    case .badExpression(let expression, let place, let reason):
      Diagnostic(
        id: "mapping.badExpression", what: "the expression \(expression) cannot be read: \(reason)",
        location: Location(element: place), fix: "`help expressions` tells what one may say")
    case .badPart(let place, let problem): problem.located(at: place)
    case .duplicateName(let name):
      Diagnostic(
        id: "mapping.duplicateName", what: "two entity mappings are called \(name)",
        fix: "give one of them another name: others refer to it by its name")
    case .tooMany(let what, let limit):
      Diagnostic(
        id: "mapping.tooMany", what: "the mapping model has more than \(limit) \(what)",
        fix: "no real mapping model has so many: is this the right file?")
    case .nameNotKept(let name, let standard):
      Diagnostic(
        id: "mapping.nameNotKept",
        what: "an .xcmappingmodel keeps no names: \(name) would be called \(standard) in Xcode",
        fix: "call it \(standard), or write it as a .mapping")
    case .expressionNotKept(let expression, let place):
      Diagnostic(
        id: "mapping.expressionNotKept",
        what: "no real .xcmappingmodel shows how an expression of this form is kept: \(expression)",
        location: Location(element: place),
        fix: "say it in another form, in a policy, or write the mapping model as a .mapping")
    case .notKept(let what, let mapping):
      Diagnostic(
        id: "mapping.notKept", what: "an .xcmappingmodel has no place for \(what)",
        location: Location(element: "entity mapping \(mapping)"),
        fix: "write it as a .mapping")
    }
  }
}
