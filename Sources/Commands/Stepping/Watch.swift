internal import ArgumentParser
internal import StrataBase
internal import StrataMigration
internal import StrataObjectModel
internal import StrataRendering
internal import StrataStepping

/// `watch ENTITY|ENTITY.PROPERTY|OBJECT.PROPERTY`
struct Watch: StrataCommand {
  static let configuration = CommandConfiguration.command(
    "watch", abstract: "Stops after each step that changes a value of the new store.",
    discussion: """
      `watch Member` watches the number of objects of an entity, `watch Topic.presenter` a property of all its \
      objects, `watch Topic/p3.presenter` that of one, which need not exist yet. The value is checked after each step. `break` also lists and deletes \
      watchpoints. Values are shown at the prompt; saved answers and JSON contain only their types, unless \
      --reveal is given or the store is a built-in sample.
      """)
  static let examples = [
    CommandExample.stepping("the number of new objects", "watch Topic", "continue")
  ]

  @Argument(.destinationEntity, "An entity, or a property of an entity or an object.")
  var what: String
  @Flag(help: "Keep the values in saved answers, and show them in JSON.") var reveal =
    false
  @OptionGroup var output: OutputOptions

  func run(in session: Session) throws -> Outcome {
    let stepping = try session.steppingSession()
    let stepper = stepping.stepper
    let added = try stepper.add(
      Watchpoint(subject(stepper), revealed: reveal || stepping.revealsValues))
    return Outcome(
      .line(
        StyledText("watchpoint \(added.number)", .heading)
          + ": \(added.subject.text): " + added.text(of: stepper.shownValue(of: added))),
      json: stepper.pointJSON)
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
    if parts.count == 2, entities.contains(parts[0]), stepper.hasProperty(parts[1], of: parts[0]) {
      return .values(PropertyID(entity: parts[0], name: parts[1]))
    }
    let example = stepper.exampleProperty
    throw Diagnostic(
      id: "step.unknownPlace",
      what: "\(what) is neither an entity of the new model nor a property",
      fix: NearestName.of(what, in: entities.sorted()).map(NearestName.question)
        ?? "an entity is written \(example.entity), a property \(example), that of one object "
        + "\(example.entity)/p1.\(example.name)")
  }
}
