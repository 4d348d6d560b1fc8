/// The source objects of a destination object.
package struct TraceSources: Sendable, Hashable {
  package var mapping: String
  package var destination: ObjectRef
  /// In the order in which they were merged; in pass 1, the first ``limit``.
  package var sources: [ObjectRef]

  /// The maximum number of source objects listed when another one is merged. Pass 2 lists all.
  package static let limit = 100

  package init(mapping: String, destination: ObjectRef, sources: [ObjectRef]) {
    self.mapping = mapping
    self.destination = destination
    self.sources = sources
  }
}
