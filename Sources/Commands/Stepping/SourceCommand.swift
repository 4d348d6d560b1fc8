internal import ArgumentParser
internal import StrataBase
internal import StrataRendering
internal import StrataStepping

/// `source [OBJECT|ENTITY]`
struct SourceCommand: StrataCommand {
  static let configuration = CommandConfiguration.command(
    "source",
    abstract: "Shows objects of the old store: the current object, or others.")
  static let showsValues = true
  static let examples = [
    CommandExample.stepping(
      "the current object, and all of an entity", "step", "source", "source Topic")
  ]

  @OptionGroup var side: SideOptions
  @OptionGroup var output: OutputOptions

  static func candidates(after arguments: [String], in session: Session) -> [String]? {
    arguments.isEmpty ? session.stepping?.stepper.sourceEntities ?? [] : []
  }

  static func objectReference(in arguments: [String]) -> (store: String, entity: String)? {
    arguments.first.map { ("source", $0) }
  }

  func run(in session: Session) throws -> Outcome {
    try side.outcome(of: .source, in: session, asJSON: output.json)
  }
}
