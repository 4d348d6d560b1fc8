internal import StrataBase
internal import StrataMigration
internal import StrataObjectModel
internal import StrataSQLite
internal import StrataStore

extension NamedModel {
  /// Why no SQLite store of the model can be created; `nil` where one can.
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
  /// Why a hop cannot create its store, whatever the store before it holds.
  var schemaFaults: [Diagnostic] { hops.compactMap(\.to.schemaFault) }
}
