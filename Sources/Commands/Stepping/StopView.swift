internal import StrataBase
internal import StrataMigration
internal import StrataRendering
internal import StrataStepping

/// Where a movement ended, and what happened on the way: as lines and as JSON.
struct StopView {
  private let stop: StepStop?
  private let hasMoved: Bool
  private let stepping: SteppingSession
  private let place: StepPlace

  /// - Parameters:
  ///   - stop: `nil` where somebody went back, or has just begun.
  ///   - hasMoved: Whether it was the former.
  init(_ stop: StepStop?, _ stepping: SteppingSession, hasMoved: Bool = false) throws {
    self.stop = stop
    self.hasMoved = hasMoved
    self.stepping = stepping
    place = try stepping.stepper.place
  }

  var outcome: Outcome {
    var status = ExitStatus.done
    var warnings: [Diagnostic] = []
    switch stop?.reason {
    case .failed(let diagnostic, _):
      status = .no
      var told = diagnostic
      told.notes.append("the stepper stands in front of it: nothing of this step is done")
      warnings = [told]
    case .end(isRefused: true): status = .no
    default: break
    }
    // Who has gone back looks around first.
    let isElsewhere = stop == nil || stepping.shownPlace != place.header
    stepping.shownPlace = place.header
    return Outcome(
      .stack([
        .lines(eventLines), .lines(reasonLines),
        .lines(stepping.lines(for: place, withHop: isElsewhere)),
        stepping.stepper.isAtEnd && stop.map { $0.eventCount > 0 } == true ? reportView : .nothing,
      ]),
      payload: StopPayload(stop, place, hasMoved: hasMoved), status: status, warnings: warnings)
  }

  // MARK: What happened

  /// Events that are listed where there were many.
  private static let fewEvents = 4
  private static let manyEvents = 12

  private var eventLines: [StyledText] {
    guard let stop else { return [] }
    let isMany = stop.eventCount > Self.manyEvents
    let shown = isMany ? Array(stop.events.suffix(Self.fewEvents)) : stop.events
    var lines = shown.flatMap(\.shortLines)
    if isMany {
      lines.insert(
        StyledText(
          "… \(Words.count(stop.eventCount - shown.count, "event", "events")) before", .faint),
        at: 0)
    }
    return lines
  }

  private var reasonLines: [StyledText] {
    switch stop?.reason {
    case .breakpoint(let breakpoint, let why):
      [StyledText("breakpoint \(breakpoint.number)", .heading) + StyledText(": \(why)")]
    case .watch(let changes):
      changes.map { change in
        StyledText("watchpoint \(change.watchpoint.number)", .heading)
          + StyledText(": \(change.watchpoint.subject.words) ")
          + change.watchpoint.text(of: change.before) + " -> "
          + change.watchpoint.text(of: change.now)
      }
    case .failed(_, let number?):
      [StyledText("breakpoint \(number)", .heading) + ": the next step fails"]
    case .interrupted: [StyledText("interrupted: stopped here", .warning)]
    case .failed, .arrived, .end, nil: []
    }
  }

  private var reportView: View {
    let stepper = stepping.stepper
    return .stack(zip(stepper.reports, stepper.hops).map { $0.view(of: $1) })
  }
}

extension SteppingSession {
  /// Where the stepper stands; at the end, how it came out.
  func lines(for place: StepPlace, withHop: Bool) -> [StyledText] {
    guard place.next == nil else { return place.lines(withHop: withHop) }
    let isRefused = stepper.isRefused
    return [
      StyledText("hop \(place.hop) of \(place.hopCount)", .heading)
        + StyledText("  \(place.from) -> \(place.to)  ")
        + StyledText(isRefused ? "fails" : "complete", isRefused ? .error : .good),
      isRefused
        ? "the new model refuses what is in the store (\(CoreDataError.migration)): `back` looks again, `abandon` forgets it"
        : "nothing is left to do: `commit` makes it real, `abandon` forgets it",
    ]
  }
}

extension TraceEvent {
  /// `#7  Topic/p1 -> Topic/p1`; of a statement in place all of it.
  var lines: [StyledText] {
    if case .passEnded(let pass) = kind { return [line("pass \(pass.rawValue) of 3: done")] }
    return kind.words.map { [line($0)] } ?? []
  }

  /// The same; of a statement in place, which was shown when its turn came, only what it is for.
  var shortLines: [StyledText] {
    guard case .statementRan(_, let purpose, let rows) = kind else { return lines }
    return [line(purpose + (rows > 0 ? ": \(Words.count(rows, "row", "rows"))" : ""))]
  }

  private func line(_ words: String) -> StyledText {
    StyledText("#\(mark)", .faint) + StyledText("  \(String(words.drop { $0 == " " }))")
  }
}

extension StepPlace {
  /// What does not change from step to step.
  struct Header: Hashable {
    var hop: Int
    var part: Int?
  }

  var header: Header { Header(hop: hop, part: part) }

  /// `hop 1 of 4  Model1 -> Model2  mapping model Model1ToModel2   pass 1 of 3, TopicToTopic`, and what comes
  /// next.
  func lines(withHop: Bool) -> [StyledText] {
    let hopText =
      StyledText("hop \(hop) of \(hopCount)", .heading)
      + StyledText("  \(from) -> \(to)  \(way)")
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
        + StyledText(pass == .validate ? "   its objects are validated" : "   its end")
    case .statement(let number, let count, let sql, let purpose):
      head = StyledText("statement \(number) of \(count): \(purpose)")
      rest = [StyledText("  \(sql)")]
    case .stageChange(let number, let count, let words):
      head = StyledText("change \(number) of \(count) of the stage: \(words)")
    case .validate: head = "what the new model does not allow is looked for"
    case .endHop: head = "the hop is completed"
    case .frame: head = ""
    }
    return [(withHop ? hopText + "   " : "") + head] + rest
  }

  private var way: String {
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
  /// A value that it has seen: of what is kept, only the kind.
  func text(of value: WatchedValue) -> StyledText {
    isRevealed ? StyledText(value.text) : StyledText(live: value.text, kept: value.kind)
  }
}

extension Watchpoint.Subject {
  var words: String {
    switch self {
    case .count(let entity): "objects of \(entity)"
    case .property(let object, let name): "\(object).\(name)"
    }
  }
}
