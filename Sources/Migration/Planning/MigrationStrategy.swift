/// The strategies to migrate a store to a model.
///
/// Source: `Docs/Facts/samples.md`, sections 2 and 6.
package enum MigrationStrategy: String, Sendable, Hashable, CaseIterable {
  /// The behavior of Core Data's coordinator: in one step to the target, by a mapping model that fits,
  /// otherwise by inference.
  case `default`
  /// Inference in one step to the target; mapping models are ignored.
  case lightweight
  /// The named mapping models, in order, into one destination.
  case custom
  /// Through every intermediate version.
  case progressive
  /// By mapping models if there are some, and by inference in one step between them.
  case hybrid
  /// Through the stages of a file, with custom steps before and after each.
  case staged

  /// Whether it migrates version by version, so all versions must be known.
  package var usesVersions: Bool {
    switch self {
    case .progressive, .hybrid, .staged: true
    case .default, .lightweight, .custom: false
    }
  }
}
