internal import StrataBase
internal import StrataMapping
internal import StrataMigration
internal import StrataObjectModel

/// A warning if object URIs that an app stored, `x-coredata://UUID/Entity/p1`, stop working.
///
/// Source: `Docs/Facts/sqlite-schema.md`, section 10.
extension MigrationPlan {
  var keyWarnings: [Diagnostic] {
    let passes = hops.filter { $0.means == .passes }
    let renaming = hops.filter { $0.means == .inPlace && !$0.renamedEntities.isEmpty }
    return [
      passes.isEmpty
        ? nil
        : Self.keyWarning(
          "object keys may change \(Self.list(passes)), in three passes into a new store"),
      renaming.isEmpty
        ? nil
        : Self.keyWarning(
          "object URIs change \(Self.list(renaming)), which renames "
            + Phrase.list(renaming.flatMap(\.renamedEntities))),
    ].compactMap { $0 }
  }

  /// `from Model1 to Model2 and from Model3 to Model4`
  private static func list(_ hops: [Hop]) -> String {
    Phrase.list(hops.map { "from \($0.from.name) to \($0.to.name)" })
  }

  private static func keyWarning(_ what: String) -> Diagnostic {
    Diagnostic(
      id: "migration.objectKeys", severity: .warning,
      what: what + ": object URIs that an app stored (x-coredata://UUID/Entity/p1) stop working",
      fix: "let the app find objects by an attribute; `migrate --dry-run` shows the entities")
  }
}

extension MigrationPlan.Hop {
  /// The source entities whose objects get another entity name.
  var renamedEntities: [String] {
    entityMappings.filter { mapping in
      guard let source = mapping.sourceName, let destination = mapping.destinationName else {
        return false
      }
      return source != destination && from.model[source]?.isAbstract == false
    }.compactMap(\.sourceName).sorted()
  }
}
