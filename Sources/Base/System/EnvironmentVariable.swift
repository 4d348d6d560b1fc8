internal import StrataEssentials

/// The environment of the process, one variable at a time: a dictionary of all of them takes a tenth of the start.
package enum EnvironmentVariable {
  /// The value of a variable; `nil` if it is not set.
  package static func value(of name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }
}
