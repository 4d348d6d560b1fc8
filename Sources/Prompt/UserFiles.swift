internal import StrataBase
internal import StrataCommands

/// The paths of the history, the start-up file and the progress in lessons.
///
/// They follow the XDG base directory specification, also on macOS; `nil` if HOME is not set.
enum UserFiles {
  /// The file of typed lines.
  static var history: String? {
    folder("XDG_STATE_HOME", ".local/state").map { $0 + "/strata/history" }
  }

  /// The script that is run before the first prompt.
  static var startup: String? {
    folder("XDG_CONFIG_HOME", ".config").map { $0 + "/strata/startup.strata" }
  }

  /// The folder of what a user has done in lessons.
  static var lessons: String? {
    folder("XDG_DATA_HOME", ".local/share").map { $0 + "/strata/lessons" }
  }

  private static func folder(_ variable: String, _ standard: String) -> String? {
    // The specification requires relative paths to be ignored.
    if let named = EnvironmentVariable.value(of: variable), named.hasPrefix("/") {
      return named
    }
    return Session.homeFolder.map { $0 + "/" + standard }
  }
}
