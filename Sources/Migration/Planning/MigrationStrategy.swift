/// How a store that lags behind gets to a model: the ways by their own names.
///
/// Source: facts on the demonstrations, sections 2 and 6.
package enum MigrationStrategy: String, Sendable, Hashable, Codable, CaseIterable {
  /// What Core Data's coordinator does: a mapping model that fits, else inference, straight to the target.
  case `default`
  /// Inference straight to the target; mapping models are passed over.
  case lightweight
  /// The mapping models that are named, in order, into one destination.
  case custom
  /// Through every version in between.
  case progressive
  /// By mapping models where there are some, and by one inferred leap where there are none.
  case hybrid
  /// Through the stages of a file, with work of one's own before and after.
  case staged

  /// Whether it goes from version to version, and needs to know them all.
  package var goesByVersions: Bool {
    switch self {
    case .progressive, .hybrid, .staged: true
    case .default, .lightweight, .custom: false
    }
  }
}
