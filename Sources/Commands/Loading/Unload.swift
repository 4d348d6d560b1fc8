internal import ArgumentParser
internal import StrataBase
internal import StrataRendering

/// The command `unload NAME`.
struct Unload: StrataCommand {
  static let configuration = CommandConfiguration.command(
    "unload", abstract: "Unloads a model, mapping model or store.")
  static let examples = [
    CommandExample("unload a bundle", "load sample:Recipes", "unload Recipes", "loaded")
  ]

  @Argument(.loadedName, "The name it was loaded under.") var name: String
  @OptionGroup var output: OutputOptions

  mutating func run(in session: Session) throws -> Outcome {
    guard session.loaded.contains(where: { $0.name == name }) else {
      throw Diagnostic(
        id: "reference.unknown", what: "nothing is loaded as \(name)",
        fix: NearestName.of(name, in: session.loaded.map(\.name)).map(NearestName.question)
          ?? "`loaded` lists the names")
    }
    session.loaded.removeAll { $0.name == name }
    session.running?.change = .unloaded(name)
    return Outcome(.line("unloaded " + StyledText(name, .name)), json: ["unloaded": name])
  }
}
