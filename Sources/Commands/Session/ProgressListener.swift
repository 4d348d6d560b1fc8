package import StrataBase

/// Hears what happens in a migration while it runs, such as to say how far it is.
package protocol ProgressListener: AnyObject {
  func hear(_ event: TraceEvent)
  /// The migration is over, whatever its end.
  func end()
}
