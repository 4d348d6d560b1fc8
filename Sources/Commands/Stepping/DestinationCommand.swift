internal import ArgumentParser
internal import StrataBase
internal import StrataMigration
internal import StrataObjectModel
internal import StrataRendering
internal import StrataStepping

/// `destination [OBJECT|ENTITY]`
struct DestinationCommand: StrataCommand {
  static let configuration = CommandConfiguration.command(
    "destination",
    abstract: "Shows objects of the new store in its current state: the current object, or others.")
  static let showsValues = true
  static let examples = [
    CommandExample.stepping("the object created last", "step 2", "destination")
  ]

  @OptionGroup var side: SideOptions
  @OptionGroup var output: OutputOptions

  static func candidates(after arguments: [String], in session: Session) -> [String]? {
    arguments.isEmpty ? session.stepping?.stepper.hops.last?.to.model.entityNames ?? [] : []
  }

  static func objectReference(in arguments: [String]) -> (store: String, entity: String)? {
    arguments.first.map { ("destination", $0) }
  }

  func run(in session: Session) throws -> Outcome {
    try side.outcome(of: .destination, in: session, asJSON: output.json)
  }
}
