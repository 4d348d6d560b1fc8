internal import StrataBase

/// The three ways to release a new model version to apps that share a CloudKit container.
///
/// Source: `Docs/Facts/samples.md`, section 6.
package enum CloudKitStrategy: Sendable, Hashable, CaseIterable {
  /// Record types and fields are added, never changed.
  case addOnly
  /// Records have a version, and an app fetches only the versions that it supports.
  case versionedRecords
  /// The new version uses a new container.
  case newContainer

  package var name: String {
    switch self {
    case .addOnly: "add fields only"
    case .versionedRecords: "version the records"
    case .newContainer: "a new container"
    }
  }

  /// Whether the change can be released this way without modification.
  package func isPossible(for evolution: CloudKitEvolution) -> Bool {
    self != .addOnly || evolution.isAdditive
  }

  /// The consequences of the strategy for this change.
  package func text(for evolution: CloudKitEvolution) -> String {
    let touched = evolution.touched.count
    let entities = Phrase.count(touched, "entity", "entities")
    switch self {
    case .addOnly:
      guard evolution.isAdditive else {
        return
          "not possible: \(Phrase.count(evolution.changes.count, "change is not an addition", "changes are not additions"))"
      }
      return evolution.additions.isEmpty
        ? "no schema change to promote"
        : "promote the schema before the release; older apps do not set \(evolution.additions.joined(separator: ", "))"
    case .versionedRecords:
      return
        "\(entities) would need a version attribute in both versions; older apps no longer see the records of newer ones"
    case .newContainer:
      return
        "every user's data is copied once; older apps keep the old container, and the two are not synchronized"
    }
  }
}
