/// The effect of changing the value of a key.
package enum ModelKeyEffect: Sendable, Hashable {
  /// Part of a version hash: stores of the old model are no longer compatible.
  case hashed
  /// Read by Core Data at run time, but not hashed: stores stay compatible.
  case runtime
  /// Only editors and code generators read it.
  case editor
}
