internal import StrataBase
internal import StrataMigration
internal import StrataObjectModel
internal import StrataSQLite
internal import StrataStore

extension NamedModel {
  /// The reason why no SQLite store of the model can be created; `nil` if one can.
  var schemaFault: Diagnostic? {
    do {
      try StoreSchema(model).check()
      return nil
    } catch {
      var diagnostic = error.diagnostic
      diagnostic.location = Location(element: name)
      return diagnostic
    }
  }
}

extension MigrationPlan {
  /// The reason why a hop cannot create its store, independent of the content of the source.
  var schemaFaults: [Diagnostic] { hops.compactMap(\.to.schemaFault) }
}
