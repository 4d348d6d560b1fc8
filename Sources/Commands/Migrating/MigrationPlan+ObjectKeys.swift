internal import StrataMapping
internal import StrataDiagnostics
internal import StrataMigration
internal import StrataObjectModel

/// Whether object URIs that an app stored, `x-coredata://UUID/Entity/p1`, lead to the same objects afterwards.
///
/// Source: facts on the SQLite schema, "Object URIs".
extension MigrationPlan {
  var keyWarnings: [Diagnostic] { hops.flatMap(\.keyWarnings) }
}

extension MigrationPlan.Hop {
  /// Source entities whose objects go on under another entity name.
  var renamedEntities: [String] {
    entityMappings.filter { mapping in
      guard let source = mapping.sourceName, let destination = mapping.destinationName else {
        return false
      }
      return source != destination && from.model[source]?.isAbstract == false
    }.compactMap(\.sourceName).sorted()
  }

  fileprivate var keyWarnings: [Diagnostic] {
    let way = "from \(from.name) to \(to.name)"
    let fix =
      "let the app find objects by an attribute; `migrate --dry-run` shows which entities change"
    guard means == .inPlace else {
      return [
        Diagnostic(
          id: "migration.objectKeys", severity: .warning,
          what: "object keys may change \(way): it goes in three passes into a new store, and "
            + "object URIs that an app stored (x-coredata://UUID/Entity/p1) may lead to other objects",
          mend: fix)
      ]
    }
    guard !renamedEntities.isEmpty else { return [] }
    return [
      Diagnostic(
        id: "migration.objectKeys", severity: .warning,
        what: "object URIs change \(way): \(Words.list(renamedEntities)) "
          + "\(renamedEntities.count == 1 ? "is" : "are") renamed, and URIs that an app stored "
          + "(x-coredata://UUID/Entity/p1) contain the name", mend: fix)
    ]
  }
}
