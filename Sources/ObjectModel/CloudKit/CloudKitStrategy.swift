internal import StrataBase

/// The three ways to bring a new version to apps that share a CloudKit container, and what each would mean.
///
/// Source: facts on the demonstrations, section 6.
package enum CloudKitStrategy: Sendable, Hashable, CaseIterable {
  /// Record types and fields are added, none is ever changed.
  case addOnly
  /// Records carry a version, and an app fetches only those that it knows.
  case versionedRecords
  /// The new version begins in a container of its own.
  case newContainer

  package var name: String {
    switch self {
    case .addOnly: "add fields only"
    case .versionedRecords: "version the records"
    case .newContainer: "a new container"
    }
  }

  /// Whether the change can be released this way as it is.
  package func isPossible(for evolution: CloudKitEvolution) -> Bool {
    self != .addOnly || evolution.isAdditive
  }

  /// What it would mean for this change.
  package func words(for evolution: CloudKitEvolution) -> String {
    let touched = evolution.touched.count
    let entities = Words.count(touched, "entity", "entities")
    switch self {
    case .addOnly:
      guard evolution.isAdditive else {
        return
          "not as it is: \(evolution.changes.count) of the changes would have to become additions"
      }
      return evolution.additions.isEmpty
        ? "nothing to promote"
        : "promote the schema before the release; older apps leave \(evolution.additions.joined(separator: ", ")) empty"
    case .versionedRecords:
      return
        "\(entities) would need a version attribute in both versions; older apps no longer see what newer ones write"
    case .newContainer:
      return
        "every user's data is copied once; older apps stay with the old container, and the two no longer meet"
    }
  }
}
