internal import StrataBase
internal import StrataObjectModel

extension Diagnostic {
  /// The note that the cached model of a SQLite store lacks some rules of the model, whose archived form is not known.
  static func uncachedRules(of model: ObjectModel) -> [Diagnostic] {
    let names = model.entities.flatMap { entity in
      entity.attributes.filter { !$0.isTransient && $0.hasUnprovenRules }
        .map { "\(entity.name).\($0.name)" }
    }
    guard !names.isEmpty else { return [] }
    return [
      Diagnostic(
        id: "store.uncachedRules", severity: .note,
        what:
          "the cached model lacks the bounds of dates and the patterns of \(Phrase.first(limit, of: names).joined(separator: ", ")): how Core Data archives them is not known",
        fix: "name or load the model where rules matter: `validate <store> --model <model>`")
    ]
  }

  private static let limit = 5
}
