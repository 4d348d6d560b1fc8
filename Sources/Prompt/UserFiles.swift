internal import Foundation
internal import StrataCommands

/// Where the files of the user's own are: what Strata remembers, and what it runs at the start.
///
/// As the XDG base directory specification has it, on macOS too; `nil` where the environment names no home.
enum UserFiles {
  /// What was typed.
  static var history: String? {
    folder("XDG_STATE_HOME", ".local/state").map { $0 + "/strata/history" }
  }

  /// A script that is run before the first prompt.
  static var startup: String? {
    folder("XDG_CONFIG_HOME", ".config").map { $0 + "/strata/startup.strata" }
  }

  private static func folder(_ variable: String, _ standard: String) -> String? {
    // A relative path there is to be ignored.
    if let named = ProcessInfo.processInfo.environment[variable], named.hasPrefix("/") {
      return named
    }
    return Session.homeFolder.map { $0 + "/" + standard }
  }
}
