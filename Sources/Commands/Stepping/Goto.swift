internal import ArgumentParser
internal import StrataBase
internal import StrataRendering
internal import StrataStepping

/// `goto MARK`
struct Goto: StrataCommand {
  static let configuration = CommandConfiguration.command(
    "goto",
    abstract: "Goes to a mark, or to the position after an event.",
    discussion: """
      `log` and the other commands show the numbers of events after #; `mark` sets the names. Goes backward \
      and forward; breakpoints on the way are ignored.
      """)
  static let examples = [
    CommandExample.stepping("to an event", "step 4", "log 2", "goto 3")
  ]

  @Argument(.mark, "The name of a mark, or the number of an event.") var mark: String?
  @OptionGroup var output: OutputOptions

  mutating func validate() throws {
    guard mark != nil else {
      throw ValidationError(
        "name a mark or an event: goto 5, without the #, which begins a comment")
    }
  }

  func run(in session: Session) throws -> Outcome {
    let mark = mark ?? ""
    let word = mark.hasPrefix("#") ? String(mark.dropFirst()) : mark
    let stepper = try session.steppingSession().stepper
    guard stepper.names[word] != nil || Int(word).map({ $0 >= 0 }) == true else {
      throw Diagnostic(
        id: "step.unknownMark", what: "there is no mark \(mark)",
        fix: NearestName.of(word, in: stepper.names.keys.sorted()).map(NearestName.question)
          ?? "`mark <name>` sets a mark, `log` shows the numbers of events")
    }
    var lastEvent: EventNumber?
    var outcome = try session.goBack(asJSON: output.json) { stepper, receive in
      if try stepper.go(toName: word, receive: receive) { return true }
      lastEvent = try stepper.go(toMark: Int(word) ?? 0, receive: receive)
      return lastEvent == nil
    }
    if let lastEvent {
      outcome.view = .stack([
        .line("the migration has no event \(word): the last is \(lastEvent)"), outcome.view,
      ])
    }
    return outcome
  }
}
