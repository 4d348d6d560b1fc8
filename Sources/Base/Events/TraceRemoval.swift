/// The reason why a source object has no destination object of an entity mapping.
package enum TraceRemoval: Sendable, Hashable {
  /// The entity mapping removes its source entity.
  case entityMapping
  /// The policy created no object from it.
  case skipped(policy: String)
  /// A policy deleted the object that was created from it.
  case deleted(policy: String)
}
