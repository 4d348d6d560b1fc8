internal import ArgumentParser

extension CommandConfiguration {
  /// The configuration of a command of the program, which is parsed by itself.
  ///
  /// Below another command it has no option `--generate-completion-script`, for which ArgumentParser would parse each
  /// line two more times.
  static func command(
    _ name: String, abstract: String, discussion: String = "", aliases: [String] = []
  ) -> CommandConfiguration {
    CommandConfiguration(
      commandName: name, _superCommandName: "strata", abstract: abstract, discussion: discussion,
      aliases: aliases)
  }
}
