package import ArgumentParser

/// The program itself: what `strata --help` and `strata --version` tell.
package struct Root: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "strata",
    abstract: "Inspects Core Data model versions, stores and migrations.",
    discussion: """
      Without a command, strata opens a prompt; with a pipe on standard input it runs the pipe as a \
      script. The same commands work in all three. `strata help <command>` shows examples.

      --no-startup skips ~/.config/strata/startup.strata; --generate-completion-script bash|zsh|fish \
      writes completion for a shell.
      """,
    version: strataVersion,
    // One by one: an array as a whole is converted by looking up the protocol of each at run time.
    subcommands: CommandTable.all.map { $0 })

  package init() {}
}

/// The program's version.
package let strataVersion = "0.1.0"
