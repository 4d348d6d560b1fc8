/// The time of the running command, in seconds since 2001: what `now()` means in all its expressions.
///
/// ```swift
/// Moment.$current.withValue(800_000_000) { Moment.current }  // 800000000.0
/// ```
package enum Moment {
  /// 0 outside a command.
  @TaskLocal package static var current: Double = 0
}
