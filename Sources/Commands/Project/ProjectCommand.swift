internal import ArgumentParser
internal import StrataRendering

/// `project [FOLDER]`
struct ProjectCommand: StrataCommand {
  static let configuration = CommandConfiguration.command(
    "project",
    abstract:
      "Shows the Core Data files of a folder, and how each version reaches the current one.",
    discussion: """
      Shows one table of the model bundles with their versions, the models outside bundles, the mapping models, \
      the policy files, the stages files and the stores below a folder: the hop of each mapping model, the \
      version of each store, and how each version is migrated to the current version of its bundle, also with \
      a stages file. Loaded models are ignored; `load FOLDER` loads all of these files. Hidden folders, symbolic \
      links and folders of build products are skipped.

      Exit status 1: a version or a store cannot be migrated to the current version with any strategy, or no \
      version in the folder wrote the store. Exit status 2: a bundle, a version, a model or a store cannot be read; the others are shown.
      """)
  static let examples = [
    CommandExample("the samples as a project", "samples --write .", "project")
  ]

  @Argument(.folder, "The folder; by default the folder of the session.") var folder: String = "."
  @OptionGroup var output: OutputOptions

  mutating func run(in session: Session) throws -> Outcome {
    try ProjectOverview(of: folder, in: session).outcome
  }
}
