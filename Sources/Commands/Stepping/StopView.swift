internal import StrataBase
internal import StrataMigration
internal import StrataRendering
internal import StrataStepping
internal import StrataStore

/// The end of a movement and its events, as lines and as JSON.
struct StopView {
  private let stop: StepStop?
  private let hasMoved: Bool
  private let stepping: SteppingSession
  private let location: StepLocation

  /// - Parameters:
  ///     - stop: `nil` if the stepper went back or has just started.
  ///     - hasMoved: Whether the stepper went back.
  init(_ stop: StepStop?, _ stepping: SteppingSession, hasMoved: Bool = false) throws {
    self.stop = stop
    self.hasMoved = hasMoved
    self.stepping = stepping
    location = try stepping.stepper.location
  }

  var outcome: Outcome {
    var status = ExitStatus.done
    var warnings: [Diagnostic] = []
    switch stop?.reason {
    case .failed(let diagnostic, _):
      status = .no
      var annotated = diagnostic
      annotated.notes.append("the stepper stopped before this step: nothing of it is done")
      warnings = [annotated]
    case .end(isRefused: true): status = .no
    default: break
    }
    // After going back, the whole position is shown.
    let isElsewhere = stop == nil || stepping.shownHeader != location.header
    stepping.shownHeader = location.header
    return Outcome(
      .stack([
        .lines(eventLines), .lines(reasonLines), restLine,
        .lines(stepping.lines(for: location, withHop: isElsewhere)),
        stepping.stepper.isAtEnd && stop.map { $0.eventCount > 0 } == true ? reportView : .nothing,
      ]),
      json: location.json(after: stop, hasMoved: hasMoved), status: status, warnings: warnings)
  }

  // MARK: Events

  /// The number of events listed if there were many.
  private static let fewEvents = 4
  private static let manyEvents = 12
  /// The number of events up to which their details are shown.
  private static let eventsWithDetails = 2

  private var eventLines: [StyledText] {
    guard let stop else { return [] }
    let isMany = stop.eventCount > Self.manyEvents
    let numbered = stop.events.filter(\.isNumbered)
    let shown =
      stop.eventCount <= Self.eventsWithDetails
      ? stop.events : isMany ? numbered.suffix(Self.fewEvents) : numbered
    var lines = shown.flatMap { $0.shortLines(revealing: stepping.revealsValues) }
    if isMany {
      lines.insert(
        StyledText(
          "… \(Phrase.count(stop.eventCount - Self.fewEvents, "earlier event"))",
          .faint),
        at: 0)
    }
    return lines
  }

  private var reasonLines: [StyledText] {
    switch stop?.reason {
    case .hits(let hits, let changes):
      changes.map { change in
        StyledText("watchpoint \(change.watchpoint.number)", .heading)
          + StyledText(": \(change.watchpoint.subject.text) ")
          + change.watchpoint.text(of: change.before) + " -> "
          + change.watchpoint.text(of: change.now)
          + (change.otherCount == 0
            ? ""
            : StyledText("  and \(Phrase.count(change.otherCount, "other"))", .faint))
      }
        + hits.map { hit in
          StyledText("breakpoint \(hit.breakpoint.number)", .heading) + StyledText(": \(hit.why)")
        }
    case .failed(_, let number?):
      [StyledText("breakpoint \(number)", .heading) + ": the next step fails"]
    case .interrupted: [StyledText("interrupted: stopped here", .warning)]
    case .failed, .arrived, .end, nil: []
    }
  }

  /// The command for the units that a breakpoint, a watchpoint or Ctrl-C has left.
  private var restLine: View {
    switch stop?.reason {
    case .hits, .interrupted:
      stop?.rest.flatMap { rest in
        rest.command.map { .line(StyledText("the rest: `\($0)`", .faint)) }
      } ?? .nothing
    case .failed, .arrived, .end, nil: .nothing
    }
  }

  private var reportView: View {
    let stepper = stepping.stepper
    return .stack(zip(stepper.reports, stepper.hops).map { $0.view(of: $1) })
  }
}

extension SteppingSession {
  /// The position of the stepper; at the end, the result.
  func lines(for location: StepLocation, withHop: Bool) -> [StyledText] {
    guard location.next == nil else { return location.lines(withHop: withHop) }
    let invalidModel = stepper.invalidModel?.rawValue
    return [
      StyledText("hop \(location.hop) of \(location.hopCount)", .heading)
        + StyledText("  \(location.from) -> \(location.to)  ")
        + StyledText(
          invalidModel == nil ? "complete" : "fails", invalidModel == nil ? .good : .error),
      invalidModel.map {
        "validation failed (\(CoreDataError.migration)): some objects are invalid in the \($0); `back` returns to them, `abandon` discards the migration"
      }
        ?? "migration complete: `commit` applies it\(lastScripts), `abandon` discards it",
    ]
  }

  /// The scripts behind the last hop, which run only in the migrated store.
  private var lastScripts: String {
    let scripts = planned.plan.hops.last?.stage?.pending.scripts ?? []
    return scripts.isEmpty ? "" : " and then runs \(Phrase.list(scripts))"
  }
}

extension TraceEvent {
  /// `#7  Topic/p1 -> Topic/p1`; for a statement in place, with its SQL.
  ///
  /// - Parameter isRevealing: Whether saved answers contain values of stores; otherwise their types.
  func lines(revealing isRevealing: Bool) -> [StyledText] {
    if case .passEnded(let pass) = kind { return [line("pass \(pass.rawValue) of 3: done")] }
    guard isNumbered else {
      return kind.detailLines(revealing: isRevealing).enumerated().map {
        ($0 == 0 ? "     " : "       ") + $1
      }
    }
    return kind.text.map { [line($0)] } ?? []
  }

  /// The lines; for a statement in place, whose SQL was shown before it ran, only its purpose.
  fileprivate func shortLines(revealing isRevealing: Bool) -> [StyledText] {
    guard case .statementRan(_, let purpose, let rows) = kind else {
      return lines(revealing: isRevealing)
    }
    return [line(purpose + (rows > 0 ? ": \(Phrase.count(rows, "row"))" : ""))]
  }

  private func line(_ text: String) -> StyledText {
    StyledText("#\(mark)", .faint) + StyledText("  \(String(text.drop { $0 == " " }))")
  }
}

extension StepLocation {
  /// The part of the position that does not change from step to step.
  struct Header: Hashable {
    var hop: Int
    var part: Int?
  }

  var header: Header { Header(hop: hop, part: part) }

  /// `hop 1 of 4  Model1 -> Model2  mapping model Model1ToModel2   pass 1 of 3, TopicToTopic`, and the
  /// next step.
  func lines(withHop: Bool) -> [StyledText] {
    let hopText =
      StyledText("hop \(hop) of \(hopCount)", .heading)
      + StyledText("  \(from) -> \(to)  \(method)")
    guard let next else { return [hopText] }
    var rest: [StyledText] = []
    let head: StyledText
    switch next {
    case .beginEntityMapping(let mapping, let pass, _):
      head = StyledText("pass \(pass.rawValue) of 3, ") + StyledText(mapping, .name)
    case .object(let number, let count, let mapping, let pass, let source, let destination):
      let names = [source, destination].compactMap { $0?.description }.joined(separator: " -> ")
      head =
        StyledText("pass \(pass.rawValue) of 3, ") + StyledText(mapping, .name)
        + StyledText("   object \(number) of \(count), \(names)")
    case .endEntityMapping(let mapping, let pass):
      head =
        StyledText("pass \(pass.rawValue) of 3, ") + StyledText(mapping, .name)
        + StyledText(pass == .validate ? ": validate its objects" : ": end of mapping")
    case .statement(let number, let count, let sql, let purpose):
      head = StyledText("statement \(number) of \(count): \(purpose)")
      rest = [StyledText("  \(sql)")]
    case .stageChange(let number, let count, let text):
      head = StyledText("change \(number) of \(count) of the stage: \(text)")
    case .validate: head = "validation against the new model"
    case .endHop: head = "end of the hop"
    case .frame: head = ""
    }
    return [(withHop ? hopText + "   " : "") + head] + rest
  }

  private var method: String {
    switch means {
    case .inPlace: "in place"
    case .passes:
      mappingModel.isEmpty
        ? "inferred mapping model"
        : "mapping model \(mappingModel)"
          + (part.map { ", part \($0) of \(partCount)" } ?? "")
    }
  }
}

extension Watchpoint {
  /// A watched value; a saved answer contains only its type.
  func text(of value: WatchedValue) -> StyledText {
    isRevealed ? StyledText(value.text) : StyledText(live: value.text, kept: value.kind)
  }
}

extension Watchpoint.Subject {
  var text: String {
    switch self {
    case .count(let entity): "objects of \(entity)"
    case .property(let object, let name): "\(object).\(name)"
    case .values(let property): property.description
    }
  }
}
