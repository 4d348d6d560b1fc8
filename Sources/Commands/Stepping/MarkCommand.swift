internal import ArgumentParser
internal import StrataBase
internal import StrataRendering
internal import StrataStepping

/// `mark [NAME]`
struct MarkCommand: StrataCommand {
  static let configuration = CommandConfiguration.command(
    "mark", abstract: "Sets a mark at the current position, for `goto`.")
  static let examples = [
    CommandExample.stepping("a place to return to", "step 2", "mark here", "pass", "goto here")
  ]

  @Argument(help: ArgumentHelp("The name; without one, lists all marks.", valueName: "name"))
  var name: String?
  @OptionGroup var output: OutputOptions

  mutating func validate() throws {
    guard let name else { return }
    guard !name.isEmpty, Int(name) == nil, !name.hasPrefix("#") else {
      throw ValidationError("a mark cannot be a number or begin with #: these refer to events")
    }
  }

  func run(in session: Session) throws -> Outcome {
    let stepper = try session.steppingSession().stepper
    if let name {
      stepper.name(name)
      return Outcome(
        .line(StyledText("marked as \(name)")), json: Self.json([name: stepper.position]))
    }
    let marks = stepper.names.sorted { ($0.value, $0.key) < ($1.value, $1.key) }
    return Outcome(
      marks.isEmpty
        ? .line(StyledText("no marks", .faint))
        : .table(
          rows: marks.map {
            [
              StyledText($0.key, .name),
              StyledText("hop \($0.value.hop + 1), step \($0.value.step)"),
            ]
          }),
      json: Self.json(stepper.names))
  }

  private static func json(_ marks: [String: StepPosition]) -> JSONValue {
    JSONValue(marks.mapValues { ["hop": $0.hop + 1, "step": $0.step] as JSONValue })
  }
}
