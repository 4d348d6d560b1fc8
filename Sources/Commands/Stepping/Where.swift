internal import ArgumentParser
internal import StrataBase
internal import StrataMapping
internal import StrataMigration
internal import StrataRendering
internal import StrataStepping

/// `where`
struct Where: StrataCommand {
  static let configuration = CommandConfiguration.command(
    "where",
    abstract: "Shows the position of the stepper: hop, pass, entity mapping, object, progress.")
  static let examples = [
    CommandExample.stepping("the position", "step 2", "where")
  ]

  @OptionGroup var output: OutputOptions

  func run(in session: Session) throws -> Outcome {
    let stepping = try session.steppingSession()
    let stepper = stepping.stepper
    let location = try stepper.location
    var rows: [(String, StyledText)] = []
    if let pass = location.pass {
      rows.append(("pass", StyledText("\(pass.rawValue) of 3, \(pass.purpose)")))
    }
    if let mapping = stepper.entityMapping {
      let all = stepper.mapping?.entityMappings ?? []
      let number = (all.firstIndex { $0.name == mapping.name } ?? 0) + 1
      let entities = [mapping.sourceName, mapping.destinationName].map { $0 ?? "nothing" }
      rows.append(
        (
          "mapping",
          StyledText("\(number) of \(all.count), ") + StyledText(mapping.name, .name)
            + StyledText(
              "  \(entities.joined(separator: " -> "))"
                + (mapping.filter.map { ", where \($0)" } ?? "")
                + (mapping.policyName.map { ", policy \($0)" } ?? ""))
        ))
    }
    rows.append(("event", StyledText("#\(location.mark)")))
    let points = [
      (stepper.breakpoints.count, "breakpoint"), (stepper.watchpoints.count, "watchpoint"),
    ].filter { $0.0 > 0 }.map { Phrase.count($0.0, $0.1) }
    if !points.isEmpty { rows.append(("stops", StyledText(Phrase.list(points)))) }
    if let report = stepper.report {
      let created = report.entities.reduce(0) { $0 + $1.created }
      // What no entity mapping reads is known at the end of pass 1.
      let dropped =
        report.entities.reduce(0) { $0 + $1.dropped }
        + report.unmapped.reduce(0) { $0 + $1.count }
      if created + dropped > 0 {
        rows.append(
          (
            "so far",
            StyledText(
              "\(Phrase.count(created, "object")) created, \(dropped) skipped or lost")
          ))
      }
    }
    return Outcome(
      .stack([
        .lines(stepping.lines(for: location, withHop: true)),
        .table(rows: rows.map { [StyledText("  \($0.0)", .faint), $0.1] }),
      ]),
      json: location.json(after: nil))
  }
}
