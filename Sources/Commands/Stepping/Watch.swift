internal import ArgumentParser
internal import StrataBase
internal import StrataMigration
internal import StrataObjectModel
internal import StrataRendering
internal import StrataStepping

/// `watch ENTITY|OBJECT.PROPERTY`
struct Watch: StrataCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch", abstract: "Stops behind each step that changes a value of the new store.",
    discussion: """
      `watch Member` looks at how many objects of an entity there are, `watch Topic/p3.presenter` at a \
      property of an object, which need not be there yet. It is asked after each step. `break` lists \
      watchpoints too, and takes them away. The values are shown at the prompt; an answer that is saved or \
      printed as JSON has their kinds in their place, unless --reveal is given.
      """)
  static let effect = CommandEffect.reads
  static let examples: [CommandExample] = []

  @Argument(help: ArgumentHelp(.destinationEntity, "An entity, or a property of an object."))
  var what: String
  @Flag(help: "Keep the values in answers that are saved, and show them in JSON.") var reveal =
    false
  @OptionGroup var output: OutputOptions

  func run(in session: Session) throws -> Outcome {
    let stepper = try session.steppingSession().stepper
    let added = try stepper.add(Watchpoint(subject(stepper), revealed: reveal))
    return Outcome(
      .line(
        StyledText("watchpoint \(added.number)", .heading)
          + ": \(added.subject.words): " + added.text(of: stepper.shownValue(of: added))),
      payload: stepper.pointPayload)
  }

  private func subject(_ stepper: Stepper) throws -> Watchpoint.Subject {
    let entities = Set(stepper.hops.flatMap(\.to.model.entityNames))
    if entities.contains(what) { return .count(entity: what) }
    let parts = what.split(separator: ".", maxSplits: 1).map(String.init)
    if parts.count == 2, let object = ObjectRef(parts[0]), entities.contains(object.entity),
      stepper.hasProperty(parts[1], of: object.entity)
    {
      return .property(object, name: parts[1])
    }
    throw Diagnostic(
      id: "step.unknownPlace",
      what: "\(what) is no entity of the new model, and no property of an object",
      fix: NearestName.of(what, in: entities.sorted()).map(NearestName.question)
        ?? "an entity is written Topic, a property of an object Topic/p1.title")
  }
}
