internal import StrataBase
internal import StrataObjectModel
internal import StrataStore

extension Diagnostic {
  /// The warnings about names in a new store whose rules are not confirmed by real stores.
  static func unprovenNames(of model: ObjectModel) -> [Diagnostic] {
    StoreLayout(model).unproven.map { name in
      Diagnostic(
        id: "store.unprovenName", severity: .warning, what: name.message,
        location: Location(element: "\(name.entity).\(name.relationship)"),
        fix:
          "let the app create the store if the name matters; a migration in place keeps the names of a store"
      )
    }
  }
}

extension UnprovenName {
  fileprivate var message: String {
    switch reason {
    case .relationWithinEntity:
      "the join table \(table) is unproven: Core Data may name it after the inverse"
    case .clashWithinOwner:
      "the columns of the join table \(table) are unproven: Core Data may number them the other way"
    }
  }
}
