package import ArgumentParser

/// The root command, for `strata --help` and `strata --version`.
package struct Root: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "strata",
    abstract: "Inspects Core Data model versions, stores and migrations.",
    discussion: """
      Without a command, strata opens a prompt; if standard input is a pipe, it runs the input as a \
      script. With files or samples, it loads them first: strata App.sqlite App.xcdatamodeld. The same \
      commands work everywhere. `strata help <command>` shows examples.

      --no-startup skips ~/.config/strata/startup.strata; --generate-completion-script bash|zsh|fish \
      prints a completion script for a shell.
      """,
    version: Release.description,
    // Mapped one by one: converting the whole array looks up each protocol conformance at run time.
    subcommands: CommandTable.all.map { $0 })

  package init() {}
}
