package import StrataBase

/// An observer of a running migration, for example to show its progress.
package protocol ProgressListener: AnyObject {
  func receive(_ event: TraceEvent)
  /// The migration has ended, successfully or not.
  func end()
}
