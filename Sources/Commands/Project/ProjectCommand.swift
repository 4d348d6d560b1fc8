internal import ArgumentParser
internal import StrataRendering

/// `project [FOLDER]`
struct ProjectCommand: StrataCommand {
  static let configuration = CommandConfiguration(
    commandName: "project",
    abstract:
      "Shows the Core Data files of a folder, and how each version reaches the current one.",
    discussion: """
      One table of the model bundles with their versions, the models outside of bundles, the mapping models, the \
      policy files, the stages files and the stores below a folder: which hop each mapping model serves, which \
      version each store has, and by which means each version reaches the current one of its bundle, by the stages of a \
      file too. What is loaded does not count; `load FOLDER` loads all of it. \
      Hidden folders, links and folders of build products are left out.

      Exit status 1: a version or a store does not reach the current version by any strategy, or no version here wrote \
      the store. Exit status 2: a bundle, a version, a model or a store cannot be read; the others are shown.
      """)
  static let effect = CommandEffect.reads
  static let examples = [
    CommandExample("the samples as a project", "samples --write .", "project")
  ]

  @Argument(
    help: ArgumentHelp(.folder, "The folder; without it, the session's own."),
    completion: .directory) var folder: String = "."
  @OptionGroup var output: OutputOptions

  mutating func run(in session: Session) throws -> Outcome {
    try ProjectOverview(of: folder, in: session).outcome
  }
}
